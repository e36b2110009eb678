package sqlite

import (
	"errors"

	"golang.org/x/sys/windows"
)

func isDiskFull(err error) bool { return errors.Is(err, windows.ERROR_DISK_FULL) }

func isReadOnlyVolume(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }
