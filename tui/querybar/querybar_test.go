package querybar_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"lens/tui/querybar"
	"lens/tui/theme"
)

type bar = querybar.Bar

// where returns the text of a bar with a | at the cursor.
func where(b bar, text string) string {
	column := b.Column() - 2
	return ansi.Cut(text, 0, column) + "|" + ansi.Cut(text, column, 1<<20)
}

func TestBar_Editing(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		do   []func(*bar)
		want string
	}{
		"typing goes to the cursor":         {"ac", []func(*bar){(*bar).Left, func(b *bar) { b.Insert("b") }}, "ab|c"},
		"a space is typed":                  {"a", []func(*bar){func(b *bar) { b.Insert(" ") }}, "a |"},
		"backspace deletes a whole cluster": {"x👍🇩🇪", []func(*bar){(*bar).Backspace}, "x👍|"},
		"backspace deletes marks, too":      {"xe\u0301", []func(*bar){(*bar).Backspace}, "x|"},
		"backspace at the start":            {"a", []func(*bar){(*bar).Home, (*bar).Backspace}, "|a"},
		"delete":                            {"世界", []func(*bar){(*bar).Home, (*bar).Delete}, "|界"},
		"delete at the end":                 {"a", []func(*bar){(*bar).Delete}, "a|"},
		"wide characters are one step":      {"世界", []func(*bar){(*bar).Left}, "世|界"},
		"a word back":                       {"one two  ", []func(*bar){(*bar).WordLeft}, "one |two  "},
		"a word forward":                    {"one  two x", []func(*bar){(*bar).Home, (*bar).WordRight, (*bar).WordRight}, "one  two| x"},
		"deleting a word":                   {"one two", []func(*bar){(*bar).DeleteWord}, "one |"},
		"clearing to the left":              {"one two", []func(*bar){(*bar).WordLeft, (*bar).Clear}, "|two"},
		"clearing to the right":             {"one two", []func(*bar){(*bar).WordLeft, (*bar).ClearRight}, "one |"},
		"pasted text becomes a clean line":  {"", []func(*bar){func(b *bar) { b.Insert("a\n\x1b[31mb\t") }}, "a ␛[31mb  |"},
		"text beyond the limit is ignored":  {"a", []func(*bar){func(b *bar) { b.Insert(strings.Repeat("x", querybar.MaxBytes)) }}, "a|"},
	} {
		t.Run(name, func(t *testing.T) {
			b := querybar.New(c.text)
			for _, do := range c.do {
				do(&b)
			}
			if got := where(b, b.Text()); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestBar_StatusNeedsRoom(t *testing.T) {
	th := theme.New(theme.Mono, colorprofile.ASCII)
	for name, c := range map[string]struct {
		text    string
		focused bool
		width   int
		want    string
	}{
		"text and status":                {"rust", true, 24, "/ rust            4 ms"},
		"a placeholder without focus":    {"", false, 24, "/ ask            4 ms"},
		"a placeholder while empty":      {"", true, 24, "/ ask                4 ms"},
		"a long text takes all the room": {"a long text, too long", true, 24, "/ long text, too long"},
		"a longer text shows its end":    {"a long text that is far too long", true, 24, "/ that is far too long"},
		"unfocused, it shows its start":  {"short", false, 12, "/ short"},
		"a tiny screen":                  {"x", true, 3, "/"},
	} {
		t.Run(name, func(t *testing.T) {
			b := querybar.New(c.text)
			line := ansi.Strip(b.View(c.width, c.focused, "ask", "4 ms", th))
			if got := strings.Join(strings.Fields(line), " "); got != strings.Join(strings.Fields(c.want), " ") || ansi.StringWidth(line) != c.width {
				t.Errorf("got %q", line)
			}
		})
	}
}

// After any edits the bar fills its width, the cursor is in it, and the text is clean.
func TestBar_CursorStaysVisible(t *testing.T) {
	th := theme.New(theme.Mono, colorprofile.ASCII)
	rapid.Check(t, func(t *rapid.T) {
		var b bar
		width := rapid.IntRange(3, 60).Draw(t, "width")
		edits := map[string]func(*rapid.T){
			"insert": func(t *rapid.T) { b.Insert(rapid.StringN(0, 12, -1).Draw(t, "text")) },
			"": func(t *rapid.T) {
				b.Scroll(width, "status")
				line := b.View(width, true, "ask", "status", th)
				if ansi.StringWidth(line) != width || b.Column() < 2 || b.Column() >= width {
					t.Fatalf("width %d, cursor at %d, of %d: %q", ansi.StringWidth(line), b.Column(), width, line)
				}
			},
		}
		for name, edit := range map[string]func(*bar){
			"left": (*bar).Left, "right": (*bar).Right, "back": (*bar).Backspace, "delete": (*bar).Delete, "word": (*bar).DeleteWord,
			"wleft": (*bar).WordLeft, "wright": (*bar).WordRight, "home": (*bar).Home, "end": (*bar).End, "clear": (*bar).Clear, "kill": (*bar).ClearRight,
		} {
			edits[name] = func(*rapid.T) { edit(&b) }
		}
		t.Repeat(edits)
	})
}

func TestBar_UnfocusedLongQueryLeavesRoomForStatus(t *testing.T) {
	b, th := querybar.New(strings.Repeat("long ", 40)), theme.New(theme.Dark, colorprofile.TrueColor)
	if line := ansi.Strip(b.View(60, false, "", "offline · 12 ms", th)); !strings.HasPrefix(line, "/ long long") || !strings.HasSuffix(line, "…  offline · 12 ms") || ansi.StringWidth(line) != 60 {
		t.Errorf("the bar is %q", line)
	}
	if line := ansi.Strip(b.View(60, true, "", "offline · 12 ms", th)); strings.Contains(line, "offline") {
		t.Errorf("while one types the bar is %q", line)
	}
}
