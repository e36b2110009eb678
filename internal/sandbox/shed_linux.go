//go:build linux && (amd64 || arm64)

package sandbox

import (
	"os"

	"golang.org/x/sys/unix"
)

// shedEnv marks a process that was started anew without descriptors from outside.
const shedEnv = "LENS_SHED"

// shed gets rid of descriptors that came from outside, by starting this program once more without them: closing them would pull them from
// under whoever counts on them in this process. What this process opened itself closes on exec, so whatever does not is inherited.
func shed() error {
	again := os.Getenv(shedEnv) != ""
	if err := os.Unsetenv(shedEnv); err != nil {
		return failure("the environment cannot be changed", err)
	}
	strays, err := inherited()
	if err != nil || len(strays) == 0 {
		return err
	}
	if again {
		return failure("descriptors from outside come back", nil)
	}
	for _, fd := range strays {
		unix.CloseOnExec(fd)
	}
	err = unix.Exec("/proc/self/exe", os.Args, append(os.Environ(), shedEnv+"=1"))
	return failure("this program cannot be started anew", err)
}

// inherited returns the descriptors that were open before this process was, besides stdin, stdout and stderr.
func inherited() ([]int, error) {
	fds, err := descriptors()
	if err != nil {
		return nil, err
	}
	var strays []int
	for _, fd := range fds {
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if fd > 2 && err == nil && flags&unix.FD_CLOEXEC == 0 {
			strays = append(strays, fd)
		}
	}
	return strays, nil
}
