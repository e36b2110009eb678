//go:build unix

package sqlite

import (
	"errors"

	"golang.org/x/sys/unix"
)

func isDiskFull(err error) bool { return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) }

func isReadOnlyVolume(err error) bool { return errors.Is(err, unix.EROFS) }
