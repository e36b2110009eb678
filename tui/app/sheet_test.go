package app

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestPart_HasItsCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := "\x1b[2m" + strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a", "違", "🍅", "é", "\x1b[1m", "\x1b[m", " "})).Draw(t, "line"), "")
		width := ansi.StringWidth(line)
		from := rapid.IntRange(0, width).Draw(t, "from")
		to := rapid.IntRange(from, width).Draw(t, "to")
		if n := ansi.StringWidth(part(line, from, to)); n != to-from {
			t.Fatalf("%d cells of %d: %q", n, to-from, part(line, from, to))
		}
	})
}
