package dialog

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
	"lens/tui/ui"
)

// Rect is a rectangle of cells on the screen.
type Rect struct{ X, Y, W, H int }

func (r Rect) holds(x, y int) bool { return r.X <= x && x < r.X+r.W && r.Y <= y && y < r.Y+r.H }

// Inside returns the size within Framed.
func (r Rect) Inside() (width, height int) { return max(1, r.W-2), max(1, r.H-1) }

// BelowQuery is the rectangle between the query and the footer of a screen.
func BelowQuery(screenWidth, screenHeight int) Rect { return Rect{0, 1, screenWidth, screenHeight - 2} }

// UpperMiddle is a rectangle of the given size, shrunk to fit, in the upper middle of a screen.
func UpperMiddle(screenWidth, screenHeight, width, height int) Rect {
	width, height = min(width, screenWidth), min(height, screenHeight-2)
	return Rect{(screenWidth - width) / 2, max(1, (screenHeight-height)/3), width, height}
}

// Framed draws a frame round lines, on the ground of dialogs, with a title above and a remark below.
func (r Rect) Framed(title, remark string, lines []string, th theme.Theme) []string {
	width, height := r.Inside()
	g, side := th.Glyphs, th.Dim.Render(th.Glyphs.Vertical)
	framed := make([]string, 0, r.H)
	framed = append(framed, edge(width, g.Corners[0], g.Corners[1], th.Bold.Render(title), "", th))
	for _, line := range th.Block(lines, width, height-1) {
		framed = append(framed, side+line+side)
	}
	framed = append(framed, edge(width, g.Corners[2], g.Corners[3], "", th.Dim.Render(remark), th))
	framed = th.Block(framed, r.W, r.H)
	for i, line := range framed {
		framed[i] = th.Raised(line)
	}
	return framed
}

// edge draws the upper or lower edge of a frame, with a text at the left or the right.
func edge(width int, from, to, left, right string, th theme.Theme) string {
	rule := func(n int) string { return th.Dim.Render(strings.Repeat(th.Glyphs.Horizontal, max(0, n))) }
	if left != "" {
		left = rule(1) + " " + ansi.Truncate(left, max(1, width-4), th.Glyphs.Ellipsis) + " "
	}
	if right != "" {
		right = " " + ansi.Truncate(right, max(1, width-4), th.Glyphs.Ellipsis) + " " + rule(1)
	}
	middle := rule(width - theme.Width(left) - theme.Width(right))
	return th.Dim.Render(from) + left + middle + right + th.Dim.Render(to)
}

// gutter is what is free between a frame and what it holds, which begins below the title.
const gutter = "  "

// rule draws the line below a filter.
func (r Rect) rule(th theme.Theme) string {
	width, _ := r.Inside()
	return gutter + th.Rule.Render(strings.Repeat(th.Glyphs.Horizontal, max(0, width-2*len(gutter))))
}

// field draws the line in which one types, with a hint while it is empty.
func (r Rect) field(text *input, hint string, th theme.Theme) string {
	width, _ := r.Inside()
	return gutter + text.view(max(1, width-len(gutter)), hint, th)
}

// caret returns where the terminal's cursor stands in the line in which one types, the first in the frame.
func (r Rect) caret(text *input) (x, y int) {
	width, _ := r.Inside()
	x, _ = text.column(max(1, width-len(gutter)))
	return 1 + len(gutter) + x, 1
}

// row draws a row of a list: a label, what it means in a column of its own where there is room, and a text at the
// right. The one under the cursor has a sign, and a ground of its own, which does not touch the frame.
func (r Rect) row(label, about, right string, column int, chosen bool, th theme.Theme) string {
	width, _ := r.Inside()
	width = max(1, width-2*len(gutter))
	before := "  "
	if chosen {
		before = th.Accent.Render(th.Glyphs.Pointer) + " "
	}
	if about != "" {
		room := width - column - theme.Width(right) - 7 // beside the sign, and the gaps before it and before the right
		label = th.Fit(label, column)
		if room >= 12 {
			about = "  " + th.Dim.Render(ansi.Truncate(about, room, th.Glyphs.Ellipsis))
		} else {
			about = ""
		}
	}
	if chosen {
		label = th.Cursor.Render(label)
	}
	if right != "" {
		right += " "
	}
	line := th.Spread(before+label+about, right, width)
	if chosen {
		line = th.Row.Under(line)
	}
	return gutter + line + gutter
}

// The keys of dialogs.
var (
	closes     = bound("esc", "close", "esc", "ctrl+g")
	accepts    = bound("enter", "accept", "enter")
	selects    = bound("enter", "select", "enter")
	completes  = bound("tab", "complete", "tab")
	moves      = bound("up/down", "move", "up", "down")   // for the footer
	rolls      = bound("up/down", "scroll", "up", "down") // for the footer
	moveDown   = bound("", "", "down", "ctrl+n")
	moveUp     = bound("", "", "up", "ctrl+p")
	next       = bound("", "", "tab")
	previous   = bound("", "", "shift+tab")
	pageDown   = bound("", "", "pgdown")
	pageUp     = bound("", "", "pgup")
	scrolls    = bound("j/k", "scroll", "j", "k")       // for the footer
	pages      = bound("space/b", "page", "space", "b") // for the footer
	quits      = bound("q", "close", "q")               // for the footer: any key closes
	lineDown   = bound("", "", "j", "down")
	lineUp     = bound("", "", "k", "up")
	screenDown = bound("", "", "space", "pgdown", "ctrl+d")
	screenUp   = bound("", "", "b", "pgup", "ctrl+u")
	toTop      = bound("", "", "g", "home")
	toBottom   = bound("", "", "G", "end")
)

func bound(shown, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
}

// Browse moves the cursor of a list by the keys that every list of a dialog has, by page rows for those of a page, and
// reports whether the key is one of them.
func Browse[T any](rows *ui.List[T], pressed tea.KeyPressMsg, page int) bool {
	switch {
	case key.Matches(pressed, moveDown):
		rows.Move(1)
	case key.Matches(pressed, moveUp):
		rows.Move(-1)
	case key.Matches(pressed, pageDown):
		rows.Move(page)
	case key.Matches(pressed, pageUp):
		rows.Move(-page)
	default:
		return false
	}
	return true
}

// Moves is for the footer of a dialog with a list: the first of the keys of Browse.
func Moves() key.Binding { return moves }

// Closes is the key that closes a dialog.
func Closes() key.Binding { return closes }

// Notch returns 1 for a notch of the wheel down, -1 for one up.
func Notch(wheel tea.MouseWheelMsg) int {
	if wheel.Button == tea.MouseWheelUp || wheel.Button == tea.MouseWheelLeft {
		return -1
	}
	return 1
}
