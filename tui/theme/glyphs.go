package theme

import "strings"

// Glyphs are the characters that Lens draws with, one cell each.
type Glyphs struct {
	Levels        []string // of a bar of one line, from 1/8 to 8/8
	Eighths       []string // of the top of a taller bar; nil if cells are only full or empty
	Block         string   // a full cell of a bar, without eighths
	SelectedBlock string   // the same, under the cursor
	BaselineMark  string
	RailFrom      string
	Rail          string
	RailTo        string
	CursorMark    string // under the bin
	PeakMark      string // under a peak
	Tick          string // between the numbers and the plot
	Vertical      string // between panes
	Horizontal    string
	Ellipsis      string
	Separator     string // between remarks
	Quotes        [2]string
	Dash          string // from – to
	Path          string // between crumbs
	Mark          string // after the number of a marked row
	Pointer       string // before the row under the cursor
	Continued     string // before the rest of a line of code
	Done, Undone  string // before a step that succeeded, or failed
}

var unicode = Glyphs{
	Levels:       strings.Split("▁▂▃▄▅▆▇█", ""),
	Eighths:      strings.Split("▁▂▃▄▅▆▇█", ""),
	BaselineMark: "·",
	RailFrom:     "╶",
	Rail:         "━",
	RailTo:       "╴",
	CursorMark:   "▲",
	PeakMark:     "•",
	Tick:         "┤",
	Vertical:     "│",
	Horizontal:   "─",
	Ellipsis:     "…",
	Separator:    "·",
	Dash:         "–",
	Path:         "›",
	Mark:         "•",
	Quotes:       [2]string{"“", "”"},
	Pointer:      ">",
	Continued:    "↳",
	Done:         "✓",
	Undone:       "✗",
}

var ascii = Glyphs{
	Levels:        strings.Split("12345678", ""),
	Block:         ":",
	SelectedBlock: "#",
	BaselineMark:  ".",
	RailFrom:      "[",
	Rail:          "=",
	RailTo:        "]",
	CursorMark:    "^",
	PeakMark:      "*",
	Tick:          "|",
	Vertical:      "|",
	Horizontal:    "-",
	Ellipsis:      "~",
	Separator:     "-",
	Dash:          "-",
	Path:          ">",
	Mark:          "*",
	Quotes:        [2]string{`"`, `"`},
	Pointer:       ">",
	Continued:     "~",
	Done:          "+",
	Undone:        "x",
}
