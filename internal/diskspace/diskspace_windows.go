// Package diskspace reports the free space of a disk.
package diskspace

import "golang.org/x/sys/windows"

// Free returns how many bytes this user can still write to the disk of dir, false if that is unknown.
func Free(dir string) (int64, bool) {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(path, &free, nil, nil); err != nil {
		return 0, false
	}
	return int64(free), true
}
