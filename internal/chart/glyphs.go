package chart

import (
	"strings"

	"github.com/guptarohit/asciigraph"
)

// charsets returns the characters of each series, which differ without color: light, heavy and double lines.
func charsets(opts Options) []asciigraph.CharSet {
	if opts.ASCII {
		return []asciigraph.CharSet{
			asciigraph.DefaultCharSet,
			asciigraph.CreateCharSet("*"),
			asciigraph.CreateCharSet("o"),
		}
	}
	return []asciigraph.CharSet{asciigraph.DefaultCharSet, charset("━┃┏┓┗┛"), charset("═║╔╗╚╝")}
}

// charset makes a character set of six characters: horizontal, vertical, and the corners row by row.
func charset(chars string) asciigraph.CharSet {
	c := strings.Split(chars, "")
	return asciigraph.CharSet{
		Horizontal: c[0], VerticalLine: c[1], ArcDownRight: c[2], ArcDownLeft: c[3], ArcUpRight: c[4], ArcUpLeft: c[5],
	}
}

// ascii replaces the characters that asciigraph and the axis draw.
var ascii = strings.NewReplacer(
	"┤", "|", "┼", "+", "─", "-", "│", "|", "╭", ".", "╮", ".", "╰", "'", "╯", "'", "└", "+", "┬", "+", "╴", "-", "╶", "-",
)

// inASCII converts a drawing to ASCII if the options say so.
func inASCII(drawing string, opts Options) string {
	if opts.ASCII {
		return ascii.Replace(drawing)
	}
	return drawing
}

// sparkline draws values as one row of blocks of eight heights. Every value above 0 is visible.
func sparkline(values []int, highest int, opts Options) string {
	blocks := []rune(" ▁▂▃▄▅▆▇█")
	if opts.ASCII {
		blocks = []rune(" .:-=+*#@")
	}
	top := len(blocks) - 1
	var out strings.Builder
	for _, v := range values {
		height := 0
		if v > 0 {
			height = max(1, (v*top+highest/2)/highest)
		}
		out.WriteRune(blocks[height])
	}
	return out.String()
}

// row writes a name into the gutter left of a drawing.
func row(name, drawing string, gutter int) string {
	return strings.Repeat(" ", max(gutter-len(name)-1, 0)) + name + " " + strings.TrimRight(drawing, " ") + "\n"
}
