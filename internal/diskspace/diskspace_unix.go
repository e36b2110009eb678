//go:build unix

// Package diskspace reports the free space of a disk.
package diskspace

import "golang.org/x/sys/unix"

// Free returns how many bytes this user can still write to the disk of dir, false if that is unknown.
func Free(dir string) (int64, bool) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return 0, false
	}
	return int64(fs.Bavail) * int64(fs.Bsize), true //nolint:unconvert // on Linux; elsewhere Bsize has another type
}
