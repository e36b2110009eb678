//go:build unix

package sqlite

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// withoutRights makes cmd run as an unprivileged user if this process is root, which may write everywhere. It returns
// false if that is impossible.
func withoutRights(t *testing.T, cmd *exec.Cmd, dir string) bool {
	t.Helper()
	if os.Geteuid() != 0 {
		return true
	}
	const nobody = 65534
	for d := filepath.Dir(dir); d != filepath.Dir(d) && d != os.TempDir(); d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil { // the test's own folders above dir
			return false
		}
	}
	self, err := os.ReadFile(cmd.Path)
	if err != nil {
		return false
	}
	cmd.Path = filepath.Join(filepath.Dir(dir), "child.test") // accessible to that user
	if err := os.WriteFile(cmd.Path, self, 0o755); err != nil {
		return false
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return true
}
