package cleantext

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// tabStop is the distance between tab stops, in cells. Panes are too narrow for eight.
const tabStop = 4

// longestCluster is the greatest number of runes in a character: more than any script needs, fewer than a flood of
// marks.
const longestCluster = 16

// Columns prepares clean text for columns of cells. It expands tabs and simplifies characters on whose width terminals
// disagree, so that ansi.StringWidth and ansi.StringWidthWc agree on each line, whatever follows it: joined emoji are
// split; skin tones and variation selectors are dropped; a zero width space separates a rune that has a width from a
// cluster that it would join; U+FFFD replaces what has no certain width. Columns is idempotent. Use it for display
// only; copy or page the original text.
func Columns(s string) string {
	at := firstSpecial(s)
	if at == len(s) {
		return s
	}
	line := strings.LastIndexByte(s[:at], '\n') + 1
	c := columns{out: make([]byte, at, len(s)+16), cluster: max(0, at-1), runes: 1, width: at - line}
	copy(c.out, s)
	for at < len(s) {
		unit := firstUnit(s[at:])
		c.add(unit)
		at += len(unit)
	}
	return string(c.out)
}

// columns builds the result rune by rune, looking only at the text already written.
//
// Each cluster written is one rune on whose width both ways of counting agree, or a flag, followed by runes of zero
// width. Counting by clusters takes the width of the first rune for the cluster unless there are variation selectors,
// and those are dropped. So both widths are equal. A rune is written unchanged if that keeps this true. That makes
// Columns idempotent: nothing joins across a zero width space, U+FFFD joins nothing, and dropped runes leave no trace.
type columns struct {
	out     []byte
	cluster int // offset of the last cluster in out
	runes   int // number of runes in it
	width   int // width of the last line of out, in cells
}

func (c *columns) add(unit string) {
	switch first, _ := utf8.DecodeRuneInString(unit); {
	case first == '\n':
		c.begin(unit, 0)
		c.width = 0
	case first == '\t':
		for range tabStop - c.width%tabStop {
			c.begin(" ", 1)
		}
	case first < utf8.RuneSelf:
		c.begin(unit, 1)
	case first == 0x200d, first == 0xfe0e, first == 0xfe0f: // zero width joiner, text and emoji selectors
	case c.joins(unit):
		c.join(unit)
	default:
		c.place(unit)
	}
}

// joins reports whether unit would extend the last cluster.
func (c *columns) joins(unit string) bool {
	if len(c.out) == 0 {
		return false
	}
	longer, _ := ansi.FirstGraphemeCluster(append(c.out, unit...)[c.cluster:], ansi.GraphemeWidth)
	return len(longer) > len(c.out)-c.cluster
}

// join writes a unit that joins the last cluster, or separates it if it has a width.
func (c *columns) join(unit string) {
	switch wide := ansi.StringWidthWc(unit) > 0; {
	case isTone(unit):
	case wide:
		c.begin("\u200b", 0)
		c.place(unit)
	case c.runes < longestCluster:
		c.out = append(c.out, unit...)
		c.runes++
	}
}

// place writes a unit that starts a cluster. It writes U+FFFD instead if the width is disputed or the unit would
// swallow the next character, even a pane's padding: half a flag, a lone skin tone, marks newer than some tables,
// U+0600 and the like.
func (c *columns) place(unit string) {
	width := ansi.StringWidthWc(unit)
	c.begin(unit, width)
	if ansi.StringWidth(unit) != width || isTone(unit) || c.joins("x") {
		c.out, c.width = c.out[:c.cluster], c.width-width
		c.begin("\uFFFD", ansi.StringWidthWc("\uFFFD"))
	}
}

// begin starts a cluster.
func (c *columns) begin(unit string, width int) {
	c.cluster, c.runes = len(c.out), 1
	c.out = append(c.out, unit...)
	c.width += width
}

// firstSpecial returns the index of the first byte that is a tab or not ASCII, or len(s).
func firstSpecial(s string) int {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] == '\t' {
			return i
		}
	}
	return len(s)
}

// firstUnit returns the first rune of s, or the first two if they form a flag.
func firstUnit(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if isRegional(r) {
		if second, more := utf8.DecodeRuneInString(s[size:]); isRegional(second) {
			size += more
		}
	}
	return s[:size]
}

// isTone reports whether a unit is a skin tone.
func isTone(unit string) bool { return "\U0001f3fb" <= unit && unit <= "\U0001f3ff" }

// isRegional reports whether a rune is half a flag.
func isRegional(r rune) bool { return 0x1f1e6 <= r && r <= 0x1f1ff }
