package cleantext

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// tabStop is the distance of tab stops, in cells: code in a pane has no room for eight.
const tabStop = 4

// longestCluster is the most runes that one character on the screen may consist of: beyond every script, short of a flood of marks.
const longestCluster = 16

// Columns prepares clean text for columns of cells. Tabs are expanded. Characters on whose width terminals disagree are simplified, so
// that ansi.StringWidth and ansi.StringWidthWc of each line are equal, whatever is written after it: joined emoji fall apart, skin tones
// and variation selectors go, what has a width and would still share a character with what precedes it is kept apart by a zero width space,
// and U+FFFD stands for what cannot be placed. Doing it again changes nothing. It is for display only: what is copied or paged is the text
// itself.
func Columns(s string) string {
	at := firstUneven(s)
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

// columns is text that is being prepared, rune by rune, each by looking at nothing but what has been written before it.
//
// Every cluster that it writes is one rune on whose width both ways of counting agree, or a flag, followed by runes that have no width to
// those who count runes. Those who count clusters take the width of the first rune for that of the cluster, which only variation selectors
// change, so that the widths are equal. And it writes each rune as it comes wherever that keeps this true. As it is true of all that is
// written, it writes that again as it is: a zero width space lets nothing join, U+FFFD joins nothing, and what was left out had left
// no trace.
type columns struct {
	out     []byte
	cluster int // where the last cluster of out begins
	runes   int // how many runes it has
	width   int // of the last line of out, in cells
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
	case first == 0x200d, first == 0xfe0e, first == 0xfe0f: // the joiner, the selectors of text and emoji
	case c.joins(unit):
		c.join(unit, 0x1f3fb <= first && first <= 0x1f3ff)
	default:
		c.place(unit)
	}
}

// joins reports whether a unit would be part of the last cluster.
func (c *columns) joins(unit string) bool {
	if len(c.out) == 0 {
		return false
	}
	longer, _ := ansi.FirstGraphemeCluster(append(c.out, unit...)[c.cluster:], ansi.GraphemeWidth)
	return len(longer) > len(c.out)-c.cluster
}

// join writes a unit that joins the last cluster: beside it if it has a width.
func (c *columns) join(unit string, tone bool) {
	switch wide := ansi.StringWidthWc(unit) > 0; {
	case tone:
	case wide:
		c.begin("\u200b", 0)
		c.place(unit)
	case c.runes < longestCluster:
		c.out = append(c.out, unit...)
		c.runes++
	}
}

// place writes a unit that joins nothing. U+FFFD stands for one whose width is in dispute, or which would swallow whatever came next, be
// it the padding of a pane: half a flag, marks newer than some tables, U+0600 and its like.
func (c *columns) place(unit string) {
	width := ansi.StringWidthWc(unit)
	c.begin(unit, width)
	if ansi.StringWidth(unit) != width || c.joins("x") {
		c.out, c.width = c.out[:c.cluster], c.width-width
		c.begin("\uFFFD", ansi.StringWidthWc("\uFFFD"))
	}
}

// begin writes the beginning of a cluster.
func (c *columns) begin(unit string, width int) {
	c.cluster, c.runes = len(c.out), 1
	c.out = append(c.out, unit...)
	c.width += width
}

// firstUneven returns the index of the first byte that is a tab or not ASCII, len(s) for none.
func firstUneven(s string) int {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] == '\t' {
			return i
		}
	}
	return len(s)
}

// firstUnit returns the first rune of a text or, of a flag, the first two.
func firstUnit(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if isRegional(r) {
		if second, more := utf8.DecodeRuneInString(s[size:]); isRegional(second) {
			size += more
		}
	}
	return s[:size]
}

// isRegional reports whether a rune is half a flag.
func isRegional(r rune) bool { return 0x1f1e6 <= r && r <= 0x1f1ff }
