package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"
)

// assaults are further hostile texts, which query or reconfigure the terminal.
var assaults = []string{
	"mark\x1b[?1049l\x1b[?1000h\x1b[?2004l", "mark\x1bP+q544e\x1b\\\x1bP$qm\x1b\\", "mark\x1b_Ga=T,f=100;AAAA\x1b\\", "mark\x1b^private\x1b\\\x1bXsos\x1b\\",
	"mark\u009d52;c;YQ==\u009c", "mark\x1b#8\x1bc\x1b(0", "mark\x1b[>q\x1b[?u\x1b[14t", "mark\x1b[31", "mark\x0e\x0f\u0085\u0084\u2028\u2029",
}

// nasty returns all hostile texts.
func nasty() []string {
	texts := slices.Concat(hostile, assaults)
	for i, text := range texts {
		texts[i] = abridged(text)
	}
	return texts
}

// abridged shortens a long text in short mode.
func abridged(text string) string {
	const enough = 1 << 16
	if testing.Short() && len(text) > enough {
		return text[:enough]
	}
	return text
}

// Visits archives in which every title, turn, model and source is hostile. The output may contain only control
// sequences that an archive of plain words produces, too.
func TestSanitize_Everywhere(t *testing.T) {
	texts := nasty()
	plain := controls(tour(t, slices.Repeat([]string{"mark " + strings.Repeat("word ", 30)}, len(texts)), ""))
	for _, raw := range []string{"", "m"} {
		for _, seq := range controls(tour(t, texts, raw)) {
			if !draws(seq) && !slices.Contains(plain, seq) {
				t.Errorf("%q reaches the terminal", seq)
			}
		}
	}
}

// tour opens a turn for each text, last one first, and returns the output.
func tour(t *testing.T, texts []string, before string) string {
	t.Helper()
	e := newFake(len(texts))
	for i := range e.turns {
		text := strings.Replace(texts[i], "mark", marked(i), 1)
		turn := &e.turns[i]
		turn.Title, turn.User, turn.Assistant, turn.Model, turn.Source, turn.Position = text, text, text, text, text, i
	}
	term := start(context.Background(), t, Options{Archive: over(e)}, 120, 40)
	term.waitFor(t, fmt.Sprintf("%d turns", len(texts)))
	term.press(t, "/mark")
	term.waitFor(t, "/ mark")
	term.press(t, "\r")
	term.waitFor(t, "? keys") // the bar is left: the results may have been there before
	term.waitFor(t, fmt.Sprintf("%d matches", len(texts)))
	term.press(t, "2s\r"+before)
	for i := len(texts) - 1; i >= 0; i-- {
		term.waitUntil(t, "the turn with "+marked(i), func(screen string) bool { return strings.Contains(rightOf(screen), marked(i)) })
		term.mustKeepItsShape(t)
		term.press(t, "Gg[")
	}
	term.press(t, "q")
	if err := term.ended(t); err != nil {
		t.Error(err)
	}
	term.mustBeRestored(t)
	return term.written.String()
}

func marked(i int) string { return fmt.Sprintf("mark%03d", i) }

// rightOf returns the text right of the rule, below the title.
func rightOf(screen string) string {
	var right []string
	for line := range strings.Lines(screen) {
		if _, rest, ok := strings.Cut(line, "│"); ok {
			right = append(right, rest)
		}
	}
	return strings.Join(right[min(1, len(right)):], "")
}

// waitUntil waits until the screen satisfies a condition.
func (t *terminal) waitUntil(tb testing.TB, what string, is func(screen string) bool) {
	tb.Helper()
	for deadline := time.Now().Add(time.Minute); !is(t.shows()); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			tb.Fatalf("%s never shows:\n%s", what, t.shows())
		}
	}
}

// mustKeepItsShape fails if the rule between list and turn is broken or the footer is gone.
func (t *terminal) mustKeepItsShape(tb testing.TB) {
	tb.Helper()
	m := newModel(context.Background(), Options{})
	t.mu.Lock()
	defer t.mu.Unlock()
	m.width, m.height = t.screen.Width(), t.screen.Height()
	rule := m.layout().rule
	for y := rule.y; y < rule.y+rule.h; y++ {
		if cell := t.screen.CellAt(rule.x, y); cell == nil || cell.Content != "│" {
			tb.Fatalf("the rule is broken at row %d:\n%s", y, t.screen.String())
		}
	}
	if lines := strings.Split(t.screen.String(), "\n"); !strings.Contains(lines[m.height-1], "? keys") {
		tb.Fatalf("the footer is gone:\n%s", t.screen.String())
	}
}

// controls returns the distinct control sequences in the output, and characters that must not be on a screen.
func controls(written string) []string {
	var found []string
	for written != "" {
		seq, _, n, _ := ansi.DecodeSequence(written, ansi.NormalState, nil)
		written = written[n:]
		isControl := strings.HasPrefix(seq, "\x1b")
		for _, r := range seq {
			isControl = isControl || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r >= 0xe0000 && r <= 0xe007f || r == '\u2028' || r == '\u2029'
		}
		if isControl && !slices.Contains(found, seq) {
			found = append(found, seq)
		}
	}
	return found
}

// drawing matches the sequences that the renderer uses. None makes a terminal answer or outlives the program.
var drawing = regexp.MustCompile(`^(\x1b\[[0-9;:]*[mHABCDEFGJKLMPSTXbdr@]|\x1bM|[\r\n\t\x08])$`)

func draws(seq string) bool { return drawing.MatchString(seq) }

func TestSanitize_TestFindsControls(t *testing.T) {
	for _, text := range slices.Concat(hostile[:9], assaults) {
		if !slices.ContainsFunc(controls(text), func(seq string) bool { return !draws(seq) }) {
			t.Errorf("%q is harmless, but refused", text)
		}
	}
	if got := controls("plain \x1b[1;38;2;1;2;3mwords\x1b[m\r\n世界 👩‍🚀"); slices.ContainsFunc(got, func(seq string) bool { return !draws(seq) }) {
		t.Errorf("harmless, and found: %q", got)
	}
}

// Pastes, file names and errors are untrusted, too.
func TestSanitize_PastesFileNamesAndErrors(t *testing.T) {
	const nasty = "mark\u202e\u009b2J\x07\x1b]52;c;YQ==\x07\x1b]0;owned\x07\x1b[6n end"
	write := func(_ context.Context, w io.Writer, _ string, _ []uuid.UUID) error {
		_, err := io.WriteString(w, "a turn")
		return err
	}
	run := func(text, name string) string {
		e := newFake(30)
		e.before = func(_ context.Context, call string) error {
			if call == "peek faulty" {
				return errors.New("fault: " + text)
			}
			return nil
		}
		term := start(context.Background(), t, Options{Archive: over(e), Export: writing(write)}, 120, 40)
		term.waitFor(t, "30 turns")
		term.press(t, "/faulty")
		term.waitFor(t, "fault: mark")
		term.press(t, "\x15lentils\r")
		term.waitFor(t, "best first")
		term.press(t, "2\r")
		term.waitFor(t, " UTC ")
		term.press(t, "w")
		term.waitFor(t, "Save 1 turn")
		term.press(t, "\x15\x1b[200~"+filepath.Join(t.TempDir(), name)+"\x1b[201~\r")
		term.waitFor(t, "Saved")
		term.press(t, "/\x15\x1b[200~"+text+"\x1b[201~")
		term.waitFor(t, "/ mark")
		term.press(t, "\rq")
		if err := term.ended(t); err != nil {
			t.Error(err)
		}
		term.mustBeRestored(t)
		return term.written.String()
	}
	plain := controls(run("mark words end", "words.md"))
	for _, seq := range controls(run(nasty, nasty)) {
		if !draws(seq) && !slices.Contains(plain, seq) {
			t.Errorf("%q reaches the terminal", seq)
		}
	}
}
