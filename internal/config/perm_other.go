//go:build !unix

package config

import "io/fs"

// othersCanRead reports false: permission bits mean nothing here, and a home folder is closed to others by default.
func othersCanRead(fs.FileInfo) bool { return false }
