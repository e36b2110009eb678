package chart

import (
	"slices"
	"strings"

	"github.com/guptarohit/asciigraph"
)

// Glyphs are the characters of a chart, one cell each.
type Glyphs struct {
	Levels      []string             // of a bar of one line, from 1/8 to 8/8
	Eighths     []string             // of the top of a taller bar; nil if cells are only full or empty
	Halves      [2]string            // the left and the right half of a cell of such a bar; "" if it has none
	LowHalves   [2]string            // the lower half of each
	Block       string               // a full cell of a bar, without eighths
	ChosenBlock string               // the same, of a chosen bar
	PartBlock   string               // the same, of a bin that is partly in view; "" tells it by the style alone
	Area        string               // a cell of the baseline's area; "" draws it with Eighths, in a color of its own
	Grid        string               // of the lines behind bars
	Lines       []asciigraph.CharSet // of each series, which differ without color
	RailFrom    string
	Rail        string
	RailTo      string
	CursorMark  string // under the bin
	MatchMark   string // under the bin of the match that is read
	Before      string // beside it where that is before the first bin
	After       string // beside it where that is after the last bin
	WindowFrom  string // before what is in view of an overview
	WindowTo    string // after it
	Axis        string // left of the plot
	Tick        string // the same, right of a number
	Begin       string // the same, where a line begins
	Corner      string // of the value axis and the time axis
	Base        string // of the time axis
	TimeTick    string // on the time axis, above a label
	Ellipsis    string
}

// Unicode has eighths of cells, and light, heavy, double and dashed lines.
var Unicode = Glyphs{
	Levels:     strings.Split("▁▂▃▄▅▆▇█", ""),
	Eighths:    strings.Split("▁▂▃▄▅▆▇█", ""),
	Halves:     [2]string{"▌", "▐"},
	LowHalves:  [2]string{"▖", "▗"},
	Grid:       "╌",
	Lines:      []asciigraph.CharSet{face("─│╭╮╰╯"), face("━┃┏┓┗┛"), face("═║╔╗╚╝"), face("╌╎┌┐└┘")},
	RailFrom:   "┗",
	Rail:       "━",
	RailTo:     "┛",
	CursorMark: "▲",
	MatchMark:  "◆",
	Before:     "‹",
	After:      "›",
	WindowFrom: "▕",
	WindowTo:   "▏",
	Tick:       "┤",
	Axis:       "│",
	Begin:      "┼",
	Corner:     "└",
	Base:       "─",
	TimeTick:   "┬",
	Ellipsis:   "…",
}

// Shaded is Unicode without a color for the area.
var Shaded = shaded()

func shaded() Glyphs {
	g := Unicode
	g.Area, g.PartBlock = "░", "▓"
	return g
}

// ASCII has digits as levels.
var ASCII = Glyphs{
	Levels:      strings.Split("12345678", ""),
	Block:       "|",
	ChosenBlock: "#",
	PartBlock:   ":",
	Area:        ".",
	Grid:        "-",
	Lines:       []asciigraph.CharSet{face("******"), face("oooooo"), face("++++++"), face("xxxxxx")},
	RailFrom:    "[",
	Rail:        "=",
	RailTo:      "]",
	CursorMark:  "^",
	MatchMark:   "*",
	Before:      "<",
	After:       ">",
	WindowFrom:  "[",
	WindowTo:    "]",
	Axis:        "|",
	Tick:        "+",
	Begin:       "+",
	Corner:      "+",
	Base:        "-",
	TimeTick:    "+",
	Ellipsis:    "..",
}

// LineOf returns which series a character of a plot of lines belongs to, -1 for none.
func (g *Glyphs) LineOf(char rune) int {
	if char == ' ' {
		return -1
	}
	return slices.IndexFunc(g.Lines, func(c asciigraph.CharSet) bool {
		all := [...]string{c.Horizontal, c.VerticalLine, c.ArcDownRight, c.ArcDownLeft, c.ArcUpRight, c.ArcUpLeft}
		return slices.Contains(all[:], string(char))
	})
}

// face makes the characters of a line: horizontal, vertical, and the corners row by row.
func face(chars string) asciigraph.CharSet {
	c := strings.Split(chars, "")
	return asciigraph.CharSet{
		Horizontal: c[0], VerticalLine: c[1],
		ArcDownRight: c[2], ArcDownLeft: c[3],
		ArcUpRight: c[4], ArcUpLeft: c[5],
	}
}

// Style is what is written before and after a text, such as escape sequences. The zero Style leaves text as it is.
type Style struct{ Before, After string }

// Render styles a piece of a line.
func (s Style) Render(text string) string {
	if text == "" {
		return ""
	}
	return s.Before + text + s.After
}

// Ramp has the levels of ASCII beside numbers, where digits would be read as one.
var Ramp = strings.Split(".:-=+*#@", "")
