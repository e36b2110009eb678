package theme

// Glyphs are the characters that Lens draws with, one cell each. Charts have their own.
type Glyphs struct {
	Vertical     string // between panes
	Horizontal   string
	Ellipsis     string
	Separator    string // between remarks
	Quotes       [2]string
	Dash         string // from – to
	Path         string // between crumbs
	Mark         string // after the number of a marked row
	Pointer      string // before the row under the cursor
	Continued    string // before the rest of a line of code
	Done, Undone string // before a step that succeeded, or failed
	Drop         string // after a filter that can be dropped
}

var unicode = Glyphs{
	Vertical:   "│",
	Horizontal: "─",
	Ellipsis:   "…",
	Separator:  "·",
	Dash:       "–",
	Path:       "›",
	Mark:       "•",
	Quotes:     [2]string{"“", "”"},
	Pointer:    ">",
	Continued:  "↳",
	Done:       "✓",
	Undone:     "✗",
	Drop:       "✕",
}

var ascii = Glyphs{
	Vertical:   "|",
	Horizontal: "-",
	Ellipsis:   "~",
	Separator:  "-",
	Dash:       "-",
	Path:       ">",
	Mark:       "*",
	Quotes:     [2]string{`"`, `"`},
	Pointer:    ">",
	Continued:  "~",
	Done:       "+",
	Undone:     "x",
	Drop:       "x",
}
