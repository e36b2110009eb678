package sandbox_test

import (
	"fmt"
	"os"
	"testing"

	"lens/internal/sandbox"
)

// roleEnv names what this test binary does when a test has started it.
const roleEnv = "LENS_TEST_ROLE"

// roles are filled by the tests of each system. What one returns is the exit code.
var roles = map[string]func() int{}

func TestMain(m *testing.M) {
	if code, played := sandbox.RunHelper(); played {
		os.Exit(code)
	}
	if name := os.Getenv(roleEnv); name != "" {
		play, known := roles[name]
		if !known {
			fmt.Fprintln(os.Stderr, "no role is called", name)
			os.Exit(2)
		}
		os.Exit(play())
	}
	os.Exit(m.Run())
}
