//go:build linux && (amd64 || arm64)

package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lens/internal/sandbox"
)

// play runs a role of this binary and returns what it printed.
func play(t testing.TB, role string, change func(*exec.Cmd)) (out string, err error) {
	t.Helper()
	if sandbox.Active() != sandbox.None {
		t.Fatal("a test has entered by itself, for good")
	}
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), roleEnv+"="+role)
	if change != nil {
		change(cmd)
	}
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// mechanism is what a process that enters here gets.
var mechanism = sync.OnceValue(func() string {
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), roleEnv+"=mechanism")
	out, err := cmd.Output()
	if err != nil {
		return err.Error()
	}
	return string(out)
})

// passes runs a role that must end with 0.
func passes(t testing.TB, role string, change func(*exec.Cmd)) string {
	t.Helper()
	if mechanism() == string(sandbox.Guard) {
		t.Skip("THIS KERNEL OFFERS NO FILTER, so nothing shows what it would refuse")
	}
	out, err := play(t, role, change)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return out
}

// check ends a role with what went wrong.
func check(faults ...string) int {
	code := 0
	for _, f := range faults {
		if f != "" {
			fmt.Println(f)
			code = 1
		}
	}
	return code
}

func unless(fine bool, format string, args ...any) string {
	if fine {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

func init() {
	roles["mechanism"] = func() int {
		m, err := sandbox.Enter(nil)
		fmt.Print(m)
		return check(unless(err == nil, "%v", err))
	}
	roles["calls"] = func() int {
		before, err := net.Listen("tcp", "127.0.0.1:0")
		m, entered := sandbox.Enter(nil)
		_, _, ring := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, 0, 0)
		_, _, taken := unix.Syscall(unix.SYS_PIDFD_GETFD, 0, 0, 0)
		_, _, traced := unix.Syscall(unix.SYS_PTRACE, unix.PTRACE_ATTACH, 0, 0) // no such process: ESRCH without the filter
		_, _, read := unix.Syscall6(unix.SYS_PROCESS_VM_READV, uintptr(os.Getpid()), 0, 0, 0, 0, 0)
		_, _, written := unix.Syscall6(unix.SYS_PROCESS_VM_WRITEV, uintptr(os.Getpid()), 0, 0, 0, 0, 0)
		_, _, wide := unix.Syscall(unix.SYS_SOCKET, 1<<32|unix.AF_INET, unix.SOCK_STREAM, 0)
		_, netPair := unix.Socketpair(unix.AF_INET, unix.SOCK_STREAM, 0)
		_, unixPair := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		x32 := unix.EACCES
		if runtime.GOARCH == "amd64" {
			_, _, x32 = unix.Syscall(0x40000000|unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_STREAM, 0)
		}
		e, verified := sandbox.Verify()
		again, reentered := sandbox.Enter([]string{"127.0.0.1:1"})
		return check(
			unless(err == nil && m == sandbox.Seccomp && entered == nil, "enter: %v %v %v", m, entered, err),
			unless(ring == unix.EACCES && taken == unix.EACCES, "io_uring %v, pidfd_getfd %v", ring, taken),
			unless(traced == unix.EACCES && read == unix.EACCES && written == unix.EACCES, "ptrace %v, process_vm_readv %v, process_vm_writev %v", traced, read, written),
			unless(wide == unix.EACCES && netPair == unix.EACCES && x32 == unix.EACCES, "wide family %v, pair %v, x32 %v", wide, netPair, x32),
			unless(unixPair == nil, "unix pair: %v", unixPair),
			unless(verified == nil && e.Probes == 4 && e.Sockets >= 3, "verify: %+v %v", e, verified),
			unless(reentered == nil && again == sandbox.Seccomp, "enter again: %v %v", again, reentered),
			unless(accepts(before) == nil, "the listener is gone: %v", accepts(before)),
		)
	}
	roles["own socket before"] = func() int {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		m, entered := sandbox.Enter(nil)
		_ = unix.Close(fd)
		return check(unless(err == nil && m == sandbox.None && errors.Is(entered, sandbox.ErrFailed), "got %v %v", m, entered))
	}
	roles["socket passed later"] = func() int {
		away, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		pair, pairErr := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err = errors.Join(err, pairErr, unix.Sendmsg(pair[0], []byte{1}, unix.UnixRights(away), nil, 0)); err != nil {
			return check(err.Error())
		}
		_ = unix.Close(away) // it is on its way
		_, entered := sandbox.Enter(nil)
		_, before := sandbox.Verify()
		rights := make([]byte, unix.CmsgSpace(4))
		_, _, _, _, received := unix.Recvmsg(pair[1], make([]byte, 1), rights, 0)
		_, after := sandbox.Verify()
		return check(
			unless(entered == nil && before == nil && received == nil, "%v %v %v", entered, before, received),
			unless(errors.Is(after, sandbox.ErrFailed), "verify passes over the socket: %v", after),
		)
	}
	roles["stdin"] = func() int {
		m, err := sandbox.Enter(nil)
		return check(unless(m == sandbox.None && errors.Is(err, sandbox.ErrFailed), "got %v %v", m, err))
	}
	roles["inherits"] = func() int {
		m, err := sandbox.Enter(nil)
		var stray, here unix.Stat_t
		known := unix.Stat(os.Getenv("LENS_TEST_STRAY"), &stray)
		gone := known == nil && (unix.Fstat(3, &here) != nil || here.Ino != stray.Ino)
		return check(
			unless(m == sandbox.Seccomp && err == nil, "enter: %v %v", m, err),
			unless(gone, "the inherited descriptor is still open"),
			unless(os.Getenv("LENS_SHED") == "", "LENS_SHED is still set for children"),
		)
	}
	roles["broker"] = func() int {
		allowed := os.Getenv("LENS_TEST_REACH")
		_, err := sandbox.Enter([]string{allowed, "localhost:1"})
		said, echoErr := echo(allowed, "once")
		again, againErr := echo(allowed, "twice")
		_, elsewhere := sandbox.DialContext(context.Background(), "tcp", "127.0.0.1:2")
		_, away := sandbox.DialContext(context.Background(), "tcp", "203.0.113.7:80")
		_, closed := sandbox.DialContext(context.Background(), "tcp", "LOCALHOST:1")
		over, cancel := context.WithCancel(context.Background())
		cancel()
		_, canceled := sandbox.DialContext(over, "tcp", allowed)
		third, thirdErr := echo(allowed, "after a canceled request")
		_, verified := sandbox.Verify()
		return check(
			unless(err == nil && verified == nil, "%v %v", err, verified),
			unless(echoErr == nil && againErr == nil && said == "once" && again == "twice", "echo: %q %v, %q %v", said, echoErr, again, againErr),
			unless(errors.Is(elsewhere, sandbox.ErrOffline) && errors.Is(away, sandbox.ErrOffline), "elsewhere: %v, away: %v", elsewhere, away),
			unless(closed != nil && strings.Contains(closed.Error(), "refused"), "a closed port: %v", closed),
			unless(canceled != nil, "a canceled dial connects"),
			unless(thirdErr == nil && third == "after a canceled request", "after it: %q %v", third, thirdErr),
		)
	}
	roles["the broker's memory"] = func() int {
		allowed := os.Getenv("LENS_TEST_REACH")
		memory, kept := "", withoutTracing()
		_, err := sandbox.Enter([]string{allowed})
		_, answered := echo(allowed, "so it has begun")
		children, _ := filepath.Glob("/proc/self/task/*/children")
		for _, list := range children {
			if pids, _ := os.ReadFile(list); len(pids) > 0 {
				memory = "/proc/" + strings.Fields(string(pids))[0] + "/mem"
			}
		}
		_, opened := os.Open(memory)
		return check(
			unless(err == nil && answered == nil && kept == nil, "%v %v %v", err, answered, kept),
			unless(memory != "" && errors.Is(opened, unix.EACCES), "%q: %v", memory, opened),
		)
	}
	roles["reach away"] = func() int {
		_, err := sandbox.Enter([]string{"203.0.113.7:80"})
		return check(unless(errors.Is(err, sandbox.ErrFailed), "got %v", err))
	}
	roles["prove"] = func() int {
		_, err := sandbox.Enter(nil)
		faults := []string{unless(err == nil, "%v", err)}
		for _, a := range sandbox.SelfTest(context.Background()) {
			faults = append(faults, unless(a.Refused, "%s: %v", a.Method, a.Err))
		}
		return check(append(faults, unless(len(faults) == 8, "%d attempts", len(faults)-1))...)
	}
}

// withoutTracing drops CAP_SYS_PTRACE, with which root can read every process, from this thread and its children. It locks
// the caller to the thread.
func withoutTracing() error {
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_CAPBSET_DROP, unix.CAP_SYS_PTRACE, 0, 0, 0); errors.Is(err, unix.EPERM) {
		return nil // a process that may not drop it does not have it
	} else if err != nil {
		return err
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&header, &sets[0]); err != nil {
		return err
	}
	sets[0].Effective &^= 1 << unix.CAP_SYS_PTRACE
	sets[0].Permitted &^= 1 << unix.CAP_SYS_PTRACE
	return unix.Capset(&header, &sets[0])
}

// accepts accepts a connection from the test, if there is one.
func accepts(l net.Listener) error {
	_ = l.(*net.TCPListener).SetDeadline(time.Now())
	_, err := l.Accept()
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil
	}
	return err
}

func echo(address, text string) (string, error) {
	conn, err := sandbox.DialContext(context.Background(), "tcp", address)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, text); err != nil {
		return "", err
	}
	reply := make([]byte, len(text))
	_, err = io.ReadFull(conn, reply)
	return string(reply), err
}

func TestFilter_RefusesOnlySocketCalls(t *testing.T) { passes(t, "calls", nil) }

func TestEnter_SocketOpenedBefore(t *testing.T) { passes(t, "own socket before", nil) }

func TestVerify_SocketReceivedLater(t *testing.T) { passes(t, "socket passed later", nil) }

func TestEnter_AddressBeyondLoopback(t *testing.T) { passes(t, "reach away", nil) }

func TestSelfTest_EverythingRefused(t *testing.T) { passes(t, "prove", nil) }

func TestEnter_UnboundSocketAsStdin(t *testing.T) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	file := os.NewFile(uintptr(fd), "stdin")
	defer file.Close()
	passes(t, "stdin", func(cmd *exec.Cmd) { cmd.Stdin = file })
}

// A connection over loopback that was never bound can be connected again, to any address.
func TestEnter_LoopbackSocketAsStdin(t *testing.T) {
	conn, err := net.Dial("tcp", echoServer(t).Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	file, err := conn.(*net.TCPConn).File()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	passes(t, "stdin", func(cmd *exec.Cmd) { cmd.Stdin = file })
}

func TestEnter_InheritedDescriptor(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "stray"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	passes(t, "inherits", func(cmd *exec.Cmd) {
		cmd.ExtraFiles, cmd.Env = []*os.File{file}, append(cmd.Env, "LENS_TEST_STRAY="+file.Name())
	})
}

func TestBroker_FixedAddressesOnly(t *testing.T) {
	l := echoServer(t)
	passes(t, "broker", func(cmd *exec.Cmd) { cmd.Env = append(cmd.Env, "LENS_TEST_REACH="+l.Addr().String()) })
}

func TestBroker_MemoryIsPrivate(t *testing.T) {
	l := echoServer(t)
	passes(t, "the broker's memory", func(cmd *exec.Cmd) { cmd.Env = append(cmd.Env, "LENS_TEST_REACH="+l.Addr().String()) })
}

func echoServer(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(conn, conn); conn.Close() }()
		}
	}()
	return l
}
