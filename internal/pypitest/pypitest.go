// Package pypitest runs third-party clients from PyPI against the servers of Lens.
package pypitest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// timeout bounds pip and the script together: pip may have a slow connection and an empty cache.
const timeout = 3 * time.Minute

// Run installs packages ("name==version") in an environment of their own and runs a script in testdata, which imports
// them, with its python. It returns the standard output of the script; if the script fails, the test fails. environment
// is added to that of this process. The test is skipped in short mode, without python3 or its venv, and if pip cannot
// download.
func Run(t *testing.T, script string, packages, environment []string) []byte {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED: clients from PyPI run only in long tests")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("SKIPPED: a third-party client needs python3")
	}
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	run := func(name string, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.WaitDelay = 10 * time.Second
		return cmd
	}
	dir := t.TempDir()
	if output, err := run("python3", "-m", "venv", dir).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: python3 cannot make an environment: %v\n%s", err, output)
	}
	python := filepath.Join(dir, "bin", "python")
	if runtime.GOOS == "windows" {
		python = filepath.Join(dir, "Scripts", "python.exe")
	}
	install := []string{
		"-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--only-binary=:all:",
	}
	if output, err := run(python, append(install, packages...)...).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: pip cannot download %v: %v\n%s", packages, err, output)
	}
	client := run(python, filepath.Join("testdata", script))
	client.Env, client.Stderr = append(os.Environ(), environment...), os.Stderr
	out, err := client.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return out
}
