//go:build system && linux && (amd64 || arm64)

package sandbox_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"lens/internal/sandbox"
)

func init() { roles["outside"] = playOutside }

// The other machine: addresses outside loopback, in a network namespace of its own.
const (
	outside4 = "203.0.113.7" // RFC 5737
	outside6 = "2001:db8::7" // RFC 3849
)

// finding is the result of one attempt.
type finding struct {
	Count   int64  // packets or connections that arrived outside
	Err     string // the subject's error
	Refused bool   // the block caused the error
	Lacking bool   // this kernel lacks it
}

// TestEnter_NothingLeaves tries every known way to reach another machine, once from an isolated process and once from one
// that is not. It counts what arrives outside: nothing from the first, something from the second.
func TestEnter_NothingLeaves(t *testing.T) {
	if mechanism() == string(sandbox.Guard) {
		t.Skip("SKIPPED: this kernel has no seccomp filter")
	}
	sealed, open := tables(t)
	for _, means := range waysOut {
		s, o := sealed[means.name], open[means.name]
		t.Logf("%-22s sealed: %d arrived, %-60s open: %d arrived", means.name, s.Count, s.Err, o.Count)
		if s.Count != 0 {
			t.Errorf("%s: %d arrived from the sealed process", means.name, s.Count)
		}
		if !s.Refused {
			t.Errorf("%s: the sealed process got %q, want a refusal", means.name, s.Err)
		}
		if o.Count == 0 && !o.Lacking {
			t.Errorf("%s: nothing arrived from the open process (%s), so this test shows nothing", means.name, o.Err)
		}
		if o.Lacking {
			t.Logf("%-22s NOT OFFERED by this kernel: %s", means.name, o.Err)
		}
	}
}

// tables runs the attempts in a network namespace.
func tables(t *testing.T) (sealed, open map[string]finding) {
	t.Helper()
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), roleEnv+"=outside")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err := cmd.Run()
	if exit := new(exec.ExitError); err != nil && (!asExit(err, &exit) || exit.ExitCode() == exitNoSpace) {
		t.Skipf("NO NETWORK NAMESPACE can be made here, so nothing shows that nothing leaks: %v %s", err, complaints.String())
	}
	if err != nil {
		t.Fatalf("%v: %s", err, complaints.String())
	}
	var both [2]map[string]finding
	if err := json.Unmarshal(out.Bytes(), &both); err != nil {
		t.Fatalf("%v: %s %s", err, out.String(), complaints.String())
	}
	return both[0], both[1]
}

func asExit(err error, exit **exec.ExitError) (ok bool) {
	*exit, ok = err.(*exec.ExitError)
	return ok
}

const exitNoSpace = 77

// playOutside acts as the other machine and starts the subject.
func playOutside() int {
	if err := setUpLoopback(); err != nil {
		fmt.Fprintln(os.Stderr, "the namespace cannot be set up:", err)
		return exitNoSpace
	}
	var both [2]map[string]finding
	for i, role := range []string{"sealed", "open"} {
		o := listenOutside()
		findings, err := o.watch(role)
		if err != nil {
			fmt.Fprintln(os.Stderr, role, err)
			return 1
		}
		both[i] = findings
		o.close()
	}
	if err := json.NewEncoder(os.Stdout).Encode(both); err != nil {
		return 1
	}
	return 0
}

// setUpLoopback brings up lo with the outside addresses.
func setUpLoopback() error {
	four, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(four)
	up, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	up.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(four, unix.SIOCSIFFLAGS, up); err != nil {
		return err
	}
	alias, err := unix.NewIfreq("lo:1")
	if err != nil {
		return err
	}
	if err := alias.SetInet4Addr(net.ParseIP(outside4).To4()); err != nil {
		return err
	}
	if err := unix.IoctlIfreq(four, unix.SIOCSIFADDR, alias); err != nil {
		return err
	}
	six, err := unix.Socket(unix.AF_INET6, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(six)
	address := struct {
		ip            [16]byte
		prefix, index int32
	}{[16]byte(net.ParseIP(outside6)), 128, 1}
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(six), unix.SIOCSIFADDR, uintptr(unsafe.Pointer(&address))); errno != 0 {
		return errno
	}
	return ready(six, address.ip)
}

// ready waits until the kernel allows an address to be used, which it does asynchronously.
func ready(fd int, address [16]byte) (err error) {
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if err = unix.Bind(fd, &unix.SockaddrInet6{Addr: address}); err == nil {
			return nil
		}
	}
	return err
}

// outside counts what arrives, by means.
type outside struct {
	counts  map[string]*atomic.Int64
	closers []func()
}

func listenOutside() *outside {
	o := &outside{counts: map[string]*atomic.Int64{}}
	for _, w := range waysOut {
		o.counts[w.name] = new(atomic.Int64)
	}
	for _, w := range waysOut {
		for _, host := range []string{outside4, "[" + outside6 + "]"} {
			if w.port > 0 {
				o.listen(w, host)
			}
		}
	}
	o.listenPackets("raw", unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP)
	o.listenPackets("packet", unix.AF_PACKET, unix.SOCK_RAW, int(hostToNet(etherType)))
	o.listenVsock()
	return o
}

// listen counts connections and datagrams to a port. A connection by MPTCP falls back to TCP where the other end speaks that alone, as here.
func (o *outside) listen(w wayOut, host string) {
	address := fmt.Sprintf("%s:%d", host, w.port)
	l, err := net.Listen("tcp", address)
	must(err)
	p, err := net.ListenPacket("udp", address)
	must(err)
	o.closers = append(o.closers, func() { l.Close(); p.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			o.counts[w.name].Add(1)
			_ = conn.Close()
		}
	}()
	go func() {
		for buffer := make([]byte, 2048); ; {
			if _, _, err := p.ReadFrom(buffer); err != nil {
				return
			}
			o.counts[w.name].Add(1)
		}
	}()
}

func (o *outside) listenPackets(name string, family, kind, protocol int) {
	fd, err := unix.Socket(family, kind|unix.SOCK_CLOEXEC, protocol)
	must(err)
	must(unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Usec: 20_000}))
	done, gone := make(chan struct{}), make(chan struct{})
	o.closers = append(o.closers, func() { close(done); <-gone; unix.Close(fd) })
	go func() {
		defer close(gone)
		for buffer := make([]byte, 2048); ; {
			n, _, err := unix.Recvfrom(fd, buffer, 0)
			if err == nil && bytes.Contains(buffer[:n], []byte(payload)) {
				o.counts[name].Add(1)
			}
			select {
			case <-done:
				return
			default:
			}
		}
	}()
}

// listenVsock counts nothing where the kernel has no vsock, or none that loops back.
func (o *outside) listenVsock() {
	fd, err := unix.Socket(unix.AF_VSOCK, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return
	}
	if unix.Bind(fd, &unix.SockaddrVM{CID: unix.VMADDR_CID_ANY, Port: vsockPort}) != nil || unix.Listen(fd, 8) != nil {
		_ = unix.Close(fd)
		return
	}
	must(unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Usec: 20_000}))
	done, gone := make(chan struct{}), make(chan struct{})
	o.closers = append(o.closers, func() { close(done); <-gone; unix.Close(fd) })
	go func() {
		defer close(gone)
		for {
			if conn, _, err := unix.Accept(fd); err == nil {
				o.counts["vsock"].Add(1)
				_ = unix.Close(conn)
			}
			select {
			case <-done:
				return
			default:
			}
		}
	}()
}

func (o *outside) close() {
	for _, c := range o.closers {
		c()
	}
}

// watch runs the subject with a loopback server that redirects outside and an inherited socket that is connected outside.
// It returns the subject's errors and what arrived.
func (o *outside) watch(role string) (map[string]finding, error) {
	redirect, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: http.RedirectHandler(fmt.Sprintf("http://%s:%d/", outside4, portOf("redirect")), http.StatusFound), ReadHeaderTimeout: time.Second}
	go server.Serve(redirect)
	defer server.Close()
	planted, err := plant()
	if err != nil {
		return nil, err
	}
	defer planted.Close()
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(
		os.Environ(), roleEnv+"="+role, redirectEnv+"="+redirect.Addr().String(),
		fmt.Sprintf("HTTP_PROXY=http://%s:%d", outside4, portOf("proxy variables")),
	)
	cmd.ExtraFiles = []*os.File{planted}
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, complaints.String())
	}
	var findings map[string]finding
	if err := json.Unmarshal(out.Bytes(), &findings); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out.String())
	}
	o.settle(findings)
	return findings, nil
}

// settle reads the counts once everything that the subject knows it sent has arrived. All attempts have ended by then, but
// a counter may lag: settle waits for what is missing; what must not arrive cannot arrive later.
func (o *outside) settle(findings map[string]finding) {
	deadline := time.Now().Add(5 * time.Second)
	for name, f := range findings {
		for f.Err == "" && o.counts[name].Load() == 0 && time.Now().Before(deadline) {
			time.Sleep(time.Millisecond)
		}
	}
	for name, f := range findings {
		f.Count = o.counts[name].Load()
		findings[name] = f
	}
}

// plant returns a UDP socket that is connected to the outside, as a careless program leaves one to its children.
func plant() (*os.File, error) {
	conn, err := net.Dial("udp", net.JoinHostPort(outside4, strconv.Itoa(portOf("planted descriptor"))))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	return conn.(*net.UDPConn).File()
}

func portOf(name string) int {
	for _, w := range waysOut {
		if w.name == name {
			return w.port
		}
	}
	panic("no way out is called " + name)
}

func must(err error) {
	if err != nil && !strings.Contains(err.Error(), "closed") {
		panic(err)
	}
}

func hostToNet(v uint16) uint16 { return v<<8 | v>>8 }
