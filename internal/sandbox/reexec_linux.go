//go:build linux && (amd64 || arm64)

package sandbox

import (
	"os"

	"golang.org/x/sys/unix"
)

// reexecEnv marks a process that re-executed itself without inherited descriptors.
const reexecEnv = "LENS_SHED"

// reexecClean re-executes the program if it inherited descriptors. Closing them instead would break code in this
// process that uses them. Descriptors that this process opened are close-on-exec, so any other is inherited.
func reexecClean() error {
	again := os.Getenv(reexecEnv) != ""
	if err := os.Unsetenv(reexecEnv); err != nil {
		return failure("the environment cannot be changed", err)
	}
	inherited, err := inheritedDescriptors()
	if err != nil || len(inherited) == 0 {
		return err
	}
	if again {
		return failure("inherited descriptors are back after re-executing", nil)
	}
	for _, fd := range inherited {
		unix.CloseOnExec(fd)
	}
	err = unix.Exec("/proc/self/exe", os.Args, append(os.Environ(), reexecEnv+"=1"))
	return failure("the program cannot re-execute itself", err)
}

// inheritedDescriptors returns the descriptors that were open before this process started, except stdin, stdout and
// stderr.
func inheritedDescriptors() ([]int, error) {
	fds, err := descriptors()
	if err != nil {
		return nil, err
	}
	var inherited []int
	for _, fd := range fds {
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if fd > 2 && err == nil && flags&unix.FD_CLOEXEC == 0 {
			inherited = append(inherited, fd)
		}
	}
	return inherited, nil
}
