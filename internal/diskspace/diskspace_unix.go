//go:build unix

// Package diskspace tells how much room a disk has left.
package diskspace

import "golang.org/x/sys/unix"

// Free returns the bytes that this user may still write where dir is; false when nobody can tell.
func Free(dir string) (int64, bool) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return 0, false
	}
	return int64(fs.Bavail) * int64(fs.Bsize), true
}
