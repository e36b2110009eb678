//go:build system

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"golang.org/x/sys/unix"

	"lens/internal/testenv"
)

// terminal is a pseudo-terminal with a lens on it.
type terminal struct {
	t       *testing.T
	control *os.File
	cmd     *exec.Cmd
	ended   chan error
	shown   testenv.Output // everything that was written to it
	screen  emulated
}

// emulated is what a terminal shows now. A program that redraws only what changes need never write what stands there in
// one piece.
type emulated struct {
	mu       sync.Mutex
	emulator *vt.Emulator
}

// Write implements io.Writer.
func (s *emulated) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.emulator.Write(p)
}

// String returns the text on the screen.
func (s *emulated) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.emulator.String()
}

// onTerminal starts lens on a terminal of 100 by 30 cells, with its data in dir.
func onTerminal(t *testing.T, dir string, args ...string) *terminal {
	t.Helper()
	return onTerminalWith(t, dir, nil, args...)
}

// onTerminalWith is onTerminal with more in the environment.
func onTerminalWith(t *testing.T, dir string, env []string, args ...string) *terminal {
	t.Helper()
	control, line, err := openPTY()
	if err != nil {
		t.Skip("no pseudo-terminal here: ", err)
	}
	lens, err := exec.LookPath("lens")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(lens, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = line, line, line
	cmd.Env = []string{
		endsAtOnce, "PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_DATA_HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "TERM=xterm-256color", "LANG=C.UTF-8",
	}
	cmd.Env = append(cmd.Env, env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = line.Close()
	term := &terminal{t: t, control: control, cmd: cmd, ended: make(chan error, 1)}
	term.screen.emulator = vt.NewEmulator(terminalWidth, terminalHeight)
	go func() { _, _ = io.Copy(io.Discard, term.screen.emulator) }() // its answers to queries
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(io.MultiWriter(&term.shown, &term.screen), control) // until the other end is closed
	}()
	go func() {
		err := cmd.Wait()
		<-read // so that the last output is included
		term.ended <- err
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = control.Close()
		_ = term.screen.emulator.InputPipe().(io.Closer).Close()
	})
	return term
}

// The size of a terminal.
const (
	terminalWidth  = 100
	terminalHeight = 30
)

// openPTY returns the two ends of a new terminal. The controlling end does not block: closing a blocking one would wait
// until a pending read gets something, and an idle explorer writes nothing.
func openPTY() (control, line *os.File, err error) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	control = os.NewFile(uintptr(fd), "/dev/ptmx")
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return nil, nil, err
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return nil, nil, err
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: terminalHeight, Col: terminalWidth}); err != nil {
		return nil, nil, err
	}
	line, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	return control, line, err
}

func (t *terminal) text() string {
	return t.shown.String()
}

// expect waits until the terminal shows want, or has shown it in one piece.
func (t *terminal) expect(want string) {
	t.t.Helper()
	for deadline := time.Now().Add(time.Minute); !t.shows(want); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.t.Fatalf("%q never appeared in\n%s\nafter\n%q", want, &t.screen, t.text())
		}
	}
}

func (t *terminal) shows(want string) bool {
	return strings.Contains(t.text(), want) || strings.Contains(t.screen.String(), want)
}

func (t *terminal) press(keys string) {
	t.t.Helper()
	if _, err := t.control.WriteString(keys); err != nil {
		t.t.Fatal(err)
	}
}

// code waits for the end and returns the exit code.
func (t *terminal) code() int {
	t.t.Helper()
	select {
	case <-t.ended:
		return t.cmd.ProcessState.ExitCode()
	case <-time.After(time.Minute):
		t.t.Fatalf("lens never ended; it showed\n%q", t.text())
		return 0
	}
}

func TestImport_ProgressOnTerminal(t *testing.T) {
	dir := t.TempDir()
	term := onTerminal(t, dir, "demo", "--no-tui")
	if code := term.code(); code != done {
		t.Errorf("exit code %d", code)
	}
	term.expect("The demo is in " + filepath.Join(dir, "lens", "demo"))
	shown := term.text()
	if !strings.Contains(shown, "importing   0% ░") {
		t.Errorf("no progress in %q", shown)
	}
	receipt := shown[strings.Index(shown, "conversations.json"):]
	if strings.Contains(receipt, "importing") {
		t.Errorf("the progress line is not erased before the receipt: %q", receipt)
	}
}

func TestForget_AsksOnTerminal(t *testing.T) {
	dir := t.TempDir()
	if code := onTerminal(t, dir, "import", "testdata/fixtures/chats.json").code(); code != done {
		t.Fatalf("import ends with %d", code)
	}
	term := onTerminal(t, dir, "forget", "--everything")
	term.expect("[y/N]")
	term.press("n\r")
	if code := term.code(); code != failed {
		t.Errorf("after a no, exit code %d", code)
	}
	term = onTerminal(t, dir, "forget", "--everything")
	term.expect("[y/N]")
	term.press("\x03")
	if code := term.code(); code != interrupted {
		t.Errorf("after Ctrl+C, exit code %d", code)
	}
	if code := onTerminal(t, dir, "peek", "sourdough").code(); code != done {
		t.Errorf("nothing should be deleted, but peek exits with %d", code)
	}
}

func TestPlainExplorer_CtrlC(t *testing.T) {
	dir := t.TempDir()
	if code := onTerminal(t, dir, "import", "--no-embed", "testdata/fixtures/chats.json").code(); code != done {
		t.Fatalf("import ends with %d", code)
	}
	term := onTerminal(t, dir, "--plain")
	term.expect("query or command:")
	term.press("\x03")
	if code := term.code(); code != interrupted {
		t.Errorf("it ends with %d", code)
	}
	term.expect("stopped")
}

func TestPeek_HintOnTerminal(t *testing.T) {
	dir := t.TempDir()
	chats, err := filepath.Abs(filepath.Join("testdata", "fixtures", "chats.json"))
	if err != nil {
		t.Fatal(err)
	}
	if code := onTerminal(t, dir, "import", "--no-embed", chats).code(); code != done {
		t.Fatal("the import ends with", code)
	}
	const hint = "To search by meaning"
	term := onTerminal(t, dir, "peek", "sourdough")
	term.expect(hint)
	term = onTerminal(t, dir, "peek", "sourdough", "--mode", "keyword")
	if code := term.code(); code != done || strings.Contains(term.text(), hint) {
		t.Errorf("keywords were asked for; code %d, %q", code, term.text())
	}
}

func TestErrors_DoNotQueryTerminal(t *testing.T) {
	for _, args := range [][]string{{"peek", "x"}, {"peek", "--nope"}, {"nope"}, {"turn"}} {
		term := onTerminal(t, t.TempDir(), args...)
		if code := term.code(); code == done {
			t.Errorf("%v: no error", args)
		}
		term.expect("error:")
		if strings.Contains(term.text(), "\x1b]") || strings.Contains(term.text(), "\x1b[c") {
			t.Errorf("%v: %q", args, term.text())
		}
	}
}

func TestExplore_RestoresScreen(t *testing.T) {
	for _, c := range []struct {
		args  []string
		shown string
	}{
		{nil, "quit"},
		{[]string{"demo"}, "2,959 turns in 730 conversation"}, // its last letter may be on the screen already
	} {
		term := onTerminal(t, t.TempDir(), c.args...)
		term.expect("\x1b[?1049h")
		term.expect(c.shown)
		term.press("q")
		if code := term.code(); code != done {
			t.Errorf("%v: exit code %d\n%q", c.args, code, term.text())
		}
		if shown := term.text(); strings.LastIndex(shown, "\x1b[?1049l") < strings.LastIndex(shown, "\x1b[?1049h") {
			t.Errorf("%v: the screen is not restored: %q", c.args, shown)
		}
	}
}
