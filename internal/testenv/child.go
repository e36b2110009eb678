package testenv

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// childVariable names the job of a process that a test has started.
const childVariable = "LENS_TEST_CHILD"

var children = map[string]func(args []string) error{}

// Child is a job of this test binary in a process of its own.
type Child struct{ name string }

// NewChild declares a job. It is the value of a package's variable, because the process that does the job must know it
// too. An error is printed, and ends the process with 1.
func NewChild(name string, do func(args []string) error) Child {
	children[name] = do
	return Child{name}
}

// Command prepares a process that does the job, in the test's environment. It ends with the test at the latest.
func (c Child) Command(tb testing.TB, args ...string) *exec.Cmd {
	tb.Helper()
	self, err := os.Executable()
	Must(tb, err)
	cmd := exec.CommandContext(tb.Context(), self, args...)
	cmd.Env = append(os.Environ(), childVariable+"="+c.name)
	return cmd
}

// BeChild does the job of a Child and exits, in a process that a test started for it. Elsewhere it does nothing.
// TestMain calls it first.
func BeChild() {
	name := os.Getenv(childVariable)
	if name == "" {
		return
	}
	do, known := children[name]
	if !known {
		fmt.Println("testenv: no job is called", name)
		os.Exit(2)
	}
	if err := do(os.Args[1:]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

// KillAfter starts a process, kills it some time after its first line, and returns what it printed on its standard
// output.
func KillAfter(tb testing.TB, cmd *exec.Cmd, after time.Duration) (lines []string) {
	tb.Helper()
	out, err := cmd.StdoutPipe()
	Must(tb, err)
	Must(tb, cmd.Start())
	for said := bufio.NewScanner(out); said.Scan(); {
		if len(lines) == 0 {
			time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		}
		lines = append(lines, said.Text())
	}
	_ = cmd.Wait() // an error, since it was killed
	return lines
}
