package sandbox

import (
	"context"
	"os"
	"os/exec"
)

// Command returns this program to be run anew, as a process that inherits nothing but what it is given.
func Command(ctx context.Context, args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Args[0] = os.Args[0]
	return cmd
}

// Role plays the part for which this process was started by another of the same program, and reports whether there was one; then the
// process is to end with code. It comes before anything else in main.
func Role() (code int, played bool) {
	if reach, ok := os.LookupEnv(brokerEnv); ok {
		return runBroker(reach), true
	}
	if _, ok := os.LookupEnv(proveEnv); ok {
		return proveInChild(), true
	}
	return 0, false
}
