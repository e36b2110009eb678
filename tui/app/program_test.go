package app

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/vt"
	"go.uber.org/goleak"

	"lens/internal/errs"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// Chroma's clock ends by itself.
		goleak.IgnoreAnyFunction("github.com/dlclark/regexp2.runClock"),
		// Bubble Tea leaves its reader behind after a kill.
		goleak.IgnoreAnyFunction("github.com/charmbracelet/ultraviolet.(*TerminalReader).StreamEvents"),
	)
}

// terminal is a terminal emulator with Run on it. It records the output.
type terminal struct {
	keys *typist
	done chan error

	mu      sync.Mutex
	screen  *vt.Emulator
	written bytes.Buffer
}

// typist is a pipe whose writers never block: the emulator must not hang when it answers a program that has ended.
type typist struct {
	mu     sync.Mutex
	typed  chan []byte
	closed bool
}

func (k *typist) Read(p []byte) (int, error) {
	keys, ok := <-k.typed
	if !ok {
		return 0, io.EOF
	}
	return copy(p, keys), nil
}

func (k *typist) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.closed {
		k.typed <- bytes.Clone(p)
	}
	return len(p), nil
}

func (k *typist) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.closed {
		close(k.typed)
	}
	k.closed = true
	return nil
}

// Write passes the output to the emulator. Without a tty, line ends lack the carriage return.
func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.written.Write(p)
	_, err := t.screen.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n")))
	return len(p), err
}

// start runs the explorer on a terminal emulator, which answers its queries.
func start(ctx context.Context, t testing.TB, opts Options, width, height int) *terminal {
	t.Helper()
	keys := &typist{typed: make(chan []byte, 1000)}
	term := &terminal{screen: vt.NewEmulator(width, height), keys: keys, done: make(chan error, 1)}
	opts.Terminal = Terminal{
		Input: keys, Output: term, Environ: []string{"TERM=xterm-256color", "COLORTERM=truecolor"},
	}
	opts.tests.program = []tea.ProgramOption{
		tea.WithWindowSize(width, height), tea.WithColorProfile(colorprofile.TrueColor), tea.WithoutSignals(),
	}
	var answers sync.WaitGroup
	answers.Go(func() { _, _ = io.Copy(keys, term.screen) })
	go func() {
		err := Run(ctx, opts)
		_ = keys.Close()
		term.done <- err
	}()
	t.Cleanup(func() {
		_ = term.screen.InputPipe().(io.Closer).Close()
		answers.Wait()
	})
	return term
}

func (t *terminal) press(tb testing.TB, keys string) {
	tb.Helper()
	if _, err := io.WriteString(t.keys, keys); err != nil {
		tb.Fatal(err)
	}
}

// waitFor waits until the screen shows text.
func (t *terminal) waitFor(tb testing.TB, text string) {
	tb.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if strings.Contains(t.shows(), text) {
			return
		}
	}
	tb.Fatalf("%q never shows:\n%s", text, t.shows())
}

// shows returns the text on the screen.
func (t *terminal) shows() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.screen.String()
}

// ended waits until Run has returned.
func (t *terminal) ended(tb testing.TB) error {
	tb.Helper()
	select {
	case err := <-t.done:
		return err
	case <-time.After(time.Minute):
		tb.Fatal("it does not end")
		return nil
	}
}

// mustBeRestored fails if a terminal mode was set but not reset.
func (t *terminal) mustBeRestored(tb testing.TB) {
	tb.Helper()
	t.mu.Lock()
	defer t.mu.Unlock()
	out := t.written.String()
	if !strings.Contains(out, "\x1b[?1049h") || t.screen.IsAltScreen() {
		tb.Error("it never was on the alternate screen, or still is")
	}
	for _, mode := range []string{"?1049", "?2004", "?1000", "?1002", "?1003", "?1006", "?1004", "?2027"} {
		if set, reset := strings.LastIndex(out, "\x1b["+mode+"h"), strings.LastIndex(out, "\x1b["+mode+"l"); set > reset {
			tb.Errorf("mode %s is left on", mode)
		}
	}
	if strings.LastIndex(out, "\x1b[?25l") > strings.LastIndex(out, "\x1b[?25h") {
		tb.Error("the cursor is left hidden")
	}
}

func TestProgram_WholeRun(t *testing.T) {
	e := newFake(800)
	term := start(context.Background(), t, Options{Archive: over(e)}, 120, 40)
	term.waitFor(t, "800 turns")
	term.press(t, "/canc")
	term.press(t, "el")
	term.waitFor(t, "best 400")
	term.press(t, "\r")
	term.press(t, "g;\r")
	term.waitFor(t, "All time › ")
	term.press(t, "2j\r")
	term.waitFor(t, " UTC ")
	term.waitFor(t, " UTC ")
	term.press(t, "q")
	if err := term.ended(t); err != nil {
		t.Errorf("Run returned %v", err)
	}
	term.mustBeRestored(t)
}

func TestProgram_CanceledContextWaitsForCommands(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	started, left := make(chan struct{}), make(chan struct{})
	term := start(ctx, t, Options{Archive: &fakeArchive{open: func(ctx context.Context) (Engine, error) {
		close(started)
		<-ctx.Done()
		time.Sleep(20 * time.Millisecond)
		close(left)
		return nil, ctx.Err()
	}}}, 80, 24)
	<-started
	term.waitFor(t, "/ search ")
	cancel()
	if err := term.ended(t); !errors.Is(err, context.Canceled) {
		t.Errorf("Run returned %v", err)
	}
	select {
	case <-left:
	default:
		t.Error("Run returned before its commands ended")
	}
	term.mustBeRestored(t)
}

func TestProgram_PanicLeavesACleanTerminal(t *testing.T) {
	e := newFake(5)
	e.before = func(_ context.Context, call string) error {
		if strings.HasPrefix(call, "peek") {
			panic("a bug")
		}
		return nil
	}
	term := start(context.Background(), t, Options{Archive: over(e)}, 80, 24)
	term.waitFor(t, "5 turns")
	term.press(t, "/a")
	if err := term.ended(t); !errors.Is(err, tea.ErrProgramPanic) {
		t.Errorf("Run returned %v", err)
	}
	term.mustBeRestored(t)
}

func TestProgram_DumbTerminalIsRefused(t *testing.T) {
	err := Run(context.Background(), Options{Terminal: Terminal{Environ: []string{"TERM=dumb"}}})
	if f := errs.Describe(err)[0]; f.Code != errs.Unavailable || f.Hint != "use lens --plain" {
		t.Errorf("Run returned %v", err)
	}
}

func TestTheme_FromTheEnvironment(t *testing.T) {
	for name, c := range map[string]struct {
		wanted string
		env    tea.EnvMsg
		want   string
		chosen bool
	}{
		"default: dark until the terminal answers": {"", tea.EnvMsg{"TERM=xterm", "LANG=de_DE.UTF-8"}, "dark", false},
		"NO_COLOR with any value":                  {"", tea.EnvMsg{"TERM=xterm", "NO_COLOR=yes"}, "mono", true},
		"the Linux console":                        {"", tea.EnvMsg{"TERM=linux", "LANG=de_DE.UTF-8"}, "ascii", true},
		"the C locale":                             {"", tea.EnvMsg{"TERM=xterm", "LANG=C"}, "ascii", true},
		"LC_ALL overrides LANG":                    {"", tea.EnvMsg{"TERM=xterm", "LANG=C", "LC_ALL=C.UTF-8"}, "dark", false},
		"an option overrides all":                  {"light", tea.EnvMsg{"TERM=linux", "NO_COLOR=1"}, "light", true},
		"an unknown option is ignored":             {"neon", tea.EnvMsg{"TERM=xterm"}, "dark", false},
	} {
		t.Run(name, func(t *testing.T) {
			if got, chosen := themeFor(c.wanted, c.env); string(got) != c.want || chosen != c.chosen {
				t.Errorf("got %s, chosen %v", got, chosen)
			}
		})
	}
}
