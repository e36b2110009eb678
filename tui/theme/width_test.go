package theme_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"lens/tui/theme"
)

// Width equals ansi.StringWidth for any line.
func TestWidth(t *testing.T) {
	pieces := []string{
		"a", "Wort ", "é", "e\u0301", "…", "·", "›", "│┤━", "█▁", "世", "🦀", "👩\u200d🚀", "👍🏽", "🇩🇪", "✍\ufe0f", "©\ufe0f", "1\ufe0f\u20e3", "\u0301", "\u200d", "\u00ad", "\u200b",
		"\x1b[1m", "\x1b[m", "\x1b[38;2;1;2;3m", "\x1b[4:3m", "\x1b[2K", "\x1b]8;;x\x07", "\x1b", "\x1b[", "\x1b[3", "\t", "\x00", "\u0085", "\xff", "กำ", "क्षि", "한", "ﾊﾟ", "\u202e", "–", "“q”",
	}
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(pieces), rapid.StringN(0, 3, -1)), 0, 12).Draw(t, "pieces"), "")
		if got, want := theme.Width(line), ansi.StringWidth(line); got != want {
			t.Fatalf("%q takes %d cells, not %d", line, want, got)
		}
	})
}

func BenchmarkWidth(b *testing.B) {
	line := strings.Repeat("\x1b[2m1 0.910\x1b[m  2021-12-10  Rust service notes… │ ", 3)
	for b.Loop() {
		theme.Width(line)
	}
}
