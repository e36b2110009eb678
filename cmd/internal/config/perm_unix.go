//go:build unix

package config

import "io/fs"

// othersCanRead reports whether the group or all users may read the file.
func othersCanRead(info fs.FileInfo) bool { return info.Mode().Perm()&0o044 != 0 }
