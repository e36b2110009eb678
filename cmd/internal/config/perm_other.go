//go:build !unix

package config

import "io/fs"

// othersCanRead returns false: there are no permission bits here, and other users cannot read a home folder by default.
func othersCanRead(fs.FileInfo) bool { return false }
