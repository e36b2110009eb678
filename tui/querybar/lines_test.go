package querybar_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"lens/tui/querybar"
)

func TestBarLines_Cursor(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		width int
		want  string
		x, y  int
	}{
		"empty":                         {"", 10, "", 0, 0},
		"one line":                      {"bread", 10, "bread", 5, 0},
		"a break":                       {"bread\nand butter", 12, "bread|and butter", 10, 1},
		"a break at the end":            {"bread\n", 12, "bread|", 0, 1},
		"wrapped at the width":          {"abcdefgh", 3, "abc|def|gh", 2, 2},
		"wide characters":               {"東京の天気", 6, "東京の|天気", 4, 1},
		"wide ones are not cut in half": {"a東京", 4, "a東|京", 2, 1},
		"no width":                      {"東", 0, "東", 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var b querybar.Bar
			b.InsertLines(c.text)
			lines, x, y := b.Lines(c.width)
			if got := strings.Join(lines, "|"); got != c.want || x != c.x || y != c.y {
				t.Errorf("got %q with the cursor at %d,%d", got, x, y)
			}
		})
	}
}

func TestBarRise_MovesTheCursorByLines(t *testing.T) {
	var b querybar.Bar
	b.InsertLines("one two\n東京\nend")
	if b.Rise(20, -1) {
		t.Error("there is a line below the last")
	}
	b.Rise(20, 1)
	if _, x, y := b.Lines(20); x != 2 || y != 1 { // column 3 is in the middle of a character
		t.Errorf("up leads to %d,%d", x, y)
	}
	b.Rise(20, 1)
	b.InsertLines("X")
	if got := b.Text(); got != "onX e two\n東京\nend" && got != "onXe two\n東京\nend" {
		t.Errorf("typed at the wrong place: %q", got)
	}
	if b.Rise(20, 1) {
		t.Error("there is a line above the first")
	}
}

func TestBarInsertLines_CleanAndBounded(t *testing.T) {
	var b querybar.Bar
	b.InsertLines("a\x1b[31m\tb\r\n\u202ec")
	if got := b.Text(); strings.ContainsAny(got, "\x1b\t\r\u202e") || !strings.Contains(got, "\n") {
		t.Errorf("got %q", got)
	}
	b.InsertLines(strings.Repeat("x", querybar.MaxBytes))
	if len(b.Text()) > querybar.MaxBytes {
		t.Error("too long a text is taken")
	}
}

// For any text, lines keep the width, no text is lost, and the cursor is on one of the lines.
func TestBarLines_HoldTheWholeText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b querybar.Bar
		b.InsertLines(rapid.StringN(0, 60, 200).Draw(t, "text"))
		for range rapid.IntRange(0, 9).Draw(t, "moves") {
			b.Left()
		}
		width := rapid.IntRange(2, 30).Draw(t, "width")
		if n := rapid.IntRange(-2, 2).Draw(t, "rows"); n != 0 {
			b.Rise(width, n)
		}
		lines, x, y := b.Lines(width)
		if y < 0 || y >= len(lines) || x < 0 || x > ansi.StringWidth(lines[y]) {
			t.Fatalf("the cursor is at %d,%d of %q", x, y, lines)
		}
		for _, line := range lines {
			if ansi.StringWidth(line) > width {
				t.Fatalf("%q is wider than %d", line, width)
			}
		}
		if got := strings.ReplaceAll(strings.Join(lines, ""), "\n", ""); got != strings.ReplaceAll(b.Text(), "\n", "") {
			t.Fatalf("%q is shown as %q", b.Text(), lines)
		}
	})
}
