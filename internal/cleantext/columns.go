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
// that ansi.StringWidth and ansi.StringWidthWc of each line are equal, whatever is written after it: joined emoji fall apart, skin tones and variation selectors
// go, clusters that are narrower than the sum of their parts are kept apart by a zero width space. It is for display only: what is copied
// or paged is the text itself.
func Columns(s string) string {
	at := firstUneven(s)
	if at == len(s) {
		return s
	}
	at = strings.LastIndexByte(s[:at], '\n') + 1 // a tab counts from its line's beginning
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:at])
	column := 0
	for at < len(s) {
		switch cluster, width := ansi.FirstGraphemeCluster(s[at:], ansi.GraphemeWidth); {
		case s[at] == '\n':
			b.WriteByte('\n')
			column = 0
			at++
		case s[at] == '\t':
			n := tabStop - column%tabStop
			b.WriteString("    "[:n])
			column += n
			at++
		case prepends(s[at:]):
			_, size := utf8.DecodeRuneInString(s[at:])
			b.WriteRune(utf8.RuneError)
			column++
			at += size
		default:
			even := evened(cluster, width)
			b.WriteString(even)
			column += ansi.StringWidthWc(even)
			at += len(cluster)
		}
	}
	return b.String()
}

// firstUneven returns the index of the first byte that is a tab or not ASCII, less one (a mark may belong to the character before
// it); len(s) for none.
func firstUneven(s string) int {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] == '\t' {
			return max(0, i-1)
		}
	}
	return len(s)
}

// prepends reports whether the first rune of s swallows whatever comes next, be it the padding of a pane: U+0600 and its like, so rare that
// U+FFFD may stand for them.
func prepends(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	if r < 0x600 || r >= 0x2000 && r < 0x10000 { // there are none: nearly all text is done with here
		return false
	}
	cluster, _ := ansi.FirstGraphemeCluster(s[:size]+"x", ansi.GraphemeWidth)
	return len(cluster) > size
}

// evened returns a cluster, or what stands for it, with the same width for those who count clusters and those who count runes.
func evened(cluster string, width int) string {
	if utf8.RuneCountInString(cluster) > longestCluster {
		cluster = string([]rune(cluster)[:longestCluster])
		width = ansi.StringWidth(cluster)
	}
	if width == ansi.StringWidthWc(cluster) && apart(cluster) {
		return cluster
	}
	simple := strings.Map(func(r rune) rune {
		if r == 0x200d || r == 0xfe0e || r == 0xfe0f || 0x1f3fb <= r && r <= 0x1f3ff {
			return -1
		}
		return r
	}, cluster)
	if simple != "" && ansi.StringWidth(simple) == ansi.StringWidthWc(simple) {
		return simple
	}
	return separated(simple)
}

// apart reports whether a cluster's width does not depend on what comes next: a lone regional indicator or a joiner at its end
// would swallow it.
func apart(cluster string) bool { return !strings.HasSuffix(cluster, "\u200d") }

// separated puts a zero width space between the runes of a cluster that have a width; a rune whose own width is in dispute becomes
// U+FFFD.
func separated(cluster string) string {
	var b strings.Builder
	for _, r := range cluster {
		one := string(r)
		wide := ansi.StringWidthWc(one)
		switch {
		case ansi.StringWidth(one) != wide:
			b.WriteRune(utf8.RuneError)
		case wide > 0 && b.Len() > 0:
			b.WriteString("\u200b" + one)
		default:
			b.WriteString(one)
		}
	}
	return b.String()
}
