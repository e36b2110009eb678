// Package diskspace tells how much room a disk has left.
package diskspace

import "golang.org/x/sys/windows"

// Free returns the bytes that this user may still write where dir is; false when nobody can tell.
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
