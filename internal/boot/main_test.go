package boot

import (
	"fmt"
	"os"
	"testing"
)

// TestMain runs the tests, or, in a child process that a test started, what that test wants done in one.
func TestMain(m *testing.M) {
	if dir := os.Getenv("LENS_BOOT_CHILD"); dir != "" {
		fmt.Println(moveForEver(dir)) // it is killed, or failed
		os.Exit(1)
	}
	os.Exit(m.Run())
}
