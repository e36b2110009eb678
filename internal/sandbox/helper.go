package sandbox

import (
	"context"
	"os"
	"os/exec"
)

// Command returns a command that runs this program again. The child inherits only the descriptors that it is given.
func Command(ctx context.Context, args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Args[0] = os.Args[0]
	return cmd
}

// RunHelper does the work of a helper process if this process was started as one, and reports whether it was; the
// caller then exits with code. Call it first in main.
func RunHelper() (code int, handled bool) {
	if allowed, ok := os.LookupEnv(brokerEnv); ok {
		return runBroker(allowed), true
	}
	if _, ok := os.LookupEnv(selfTestEnv); ok {
		return selfTestChild(), true
	}
	return 0, false
}
