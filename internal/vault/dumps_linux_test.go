package vault

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// roleEnv makes this test binary act as another process.
const roleEnv = "LENS_VAULT_ROLE"

func TestMain(m *testing.M) {
	switch role, pid, _ := strings.Cut(os.Getenv(roleEnv), " "); role {
	case "hold":
		holdKeys()
	case "look":
		_, err := os.ReadFile("/proc/" + pid + "/maps")
		fmt.Println(errors.Is(err, fs.ErrPermission))
	default:
		os.Exit(m.Run())
	}
}

// holdKeys prints whether this process is protected, first without a key and then with one, each time a line comes in.
func holdKeys() {
	in := bufio.NewScanner(os.Stdin)
	report := func() {
		dumpable, _ := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
		var core unix.Rlimit
		_ = unix.Getrlimit(unix.RLIMIT_CORE, &core)
		fmt.Println(dumpable == 0 && core.Cur == 0)
		in.Scan()
	}
	report()
	keys, _ := ImportKey(make([]byte, keyBytes))
	report()
	keys.Zero()
}

// unprivileged runs the test binary as an unprivileged user if this process is root, because root can read everything.
func unprivileged(role string) *exec.Cmd {
	cmd := exec.Command("/proc/self/exe")
	cmd.Env, cmd.Dir = []string{roleEnv + "=" + role}, "/"
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534, NoSetGroups: true}}
	}
	return cmd
}

func TestImportKey_DisablesDumps(t *testing.T) {
	cmd := unprivileged("hold")
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	if err := cmd.Start(); err != nil {
		t.Skip("SKIPPED: cannot start a process as an unprivileged user: ", err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	said := bufio.NewScanner(out)
	for step, want := range []string{"false", "true"} {
		if !said.Scan() || step == 1 && said.Text() != want {
			t.Fatalf("with a key it reports %q, %v", said.Text(), said.Err())
		}
		looked, err := unprivileged(fmt.Sprint("look ", cmd.Process.Pid)).Output()
		if err != nil || strings.TrimSpace(string(looked)) != want {
			t.Errorf("step %d: reading its memory is refused: %s, %v; want %s", step, looked, err, want)
		}
		_, err = io.WriteString(in, "\n")
		must(t, err)
	}
}
