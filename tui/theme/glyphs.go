package theme

// Glyphs are the characters that Lens draws with, one cell each but for the ellipsis. Charts have their own.
type Glyphs struct {
	Vertical     string // between panes
	Horizontal   string
	Corners      [4]string // of a dialog: above left and right, below left and right
	Crossing     string    // of both
	Ellipsis     string
	Separator    string // between remarks
	Quotes       [2]string
	Dash         string    // from – to
	Path         string    // between crumbs
	Mark         string    // before what is pinned, and in place of a secret character
	Picked       string    // before a marked row
	Row          string    // before the lines of the row under the cursor
	Worded, Near string    // before a match that has words of the query, or is near in meaning only
	Score        [3]string // of a bar: a full cell, half of one, none
	Pointer      string    // before the chosen item of a menu
	Continued    string    // before the rest of a line of code
	Done, Undone string    // before a step that succeeded, or failed
	Doing        string    // before a step that goes on
	Drop         string    // after a filter that can be dropped
	Chosen       string    // before a label that is chosen
	Here, Beyond string    // on the rail of a conversation: the open turn, and that there are more
	Found        string    // the same: a turn that matches
	Star         string    // before what is starred
	Around       [2]string // around the number of a version
	Above, Under string    // before what is out of view above, and below
	Onward       string    // after a label that goes on
	Heat         [5]string // levels of a heat map without color
	Cell         [2]string // of a heat map in color: with space behind it, and without
	Halves       [2]string // of a cell: the upper and the lower one
}

var unicode = Glyphs{
	Vertical:   "│",
	Horizontal: "─",
	Corners:    [4]string{"╭", "╮", "╰", "╯"},
	Crossing:   "┼",
	Ellipsis:   "…",
	Separator:  "·",
	Dash:       "–",
	Path:       "›",
	Mark:       "•",
	Picked:     "✓",
	Row:        "▌",
	Worded:     "●",
	Near:       "○",
	Score:      [3]string{"━", "╸", "─"},
	Quotes:     [2]string{"“", "”"},
	Pointer:    "▌",
	Continued:  "↳",
	Done:       "✓",
	Undone:     "✗",
	Doing:      "…",
	Drop:       "✕",
	Chosen:     "▸",
	Here:       "█",
	Beyond:     "┆",
	Found:      "●",
	Star:       "★",
	Around:     [2]string{"‹", "›"},
	Above:      "↑",
	Under:      "↓",
	Onward:     "─",
	Heat:       [5]string{"·", "░", "▒", "▓", "█"},
	Cell:       [2]string{"■", "▆"},
	Halves:     [2]string{"▀", "▄"},
}

var ascii = Glyphs{
	Vertical:   "|",
	Horizontal: "-",
	Corners:    [4]string{"+", "+", "+", "+"},
	Crossing:   "+",
	Ellipsis:   "..",
	Separator:  "-",
	Dash:       "-",
	Path:       ">",
	Mark:       "*",
	Picked:     "*",
	Row:        ">",
	Worded:     "=",
	Near:       "~",
	Score:      [3]string{"=", "-", " "},
	Quotes:     [2]string{`"`, `"`},
	Pointer:    ">",
	Continued:  "\\",
	Done:       "+",
	Undone:     "x",
	Doing:      ".",
	Drop:       "x",
	Chosen:     ">",
	Here:       "#",
	Beyond:     ":",
	Found:      "o",
	Star:       "*",
	Around:     [2]string{"<", ">"},
	Above:      "^",
	Under:      "v",
	Onward:     " ",
	Heat:       [5]string{".", ":", "+", "*", "#"},
}
