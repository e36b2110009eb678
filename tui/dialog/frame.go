package dialog

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lens/tui/theme"
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

// Framed draws lines with a rule at both sides and below. The first line is a title and needs none above.
func (r Rect) Framed(lines []string, th theme.Theme) []string {
	width, height := r.Inside()
	side := th.Dim.Render(th.Glyphs.Vertical)
	framed := make([]string, 0, r.H)
	for _, line := range th.Block(lines, width, height) {
		framed = append(framed, side+line+side)
	}
	framed = append(framed, th.Dim.Render(strings.Repeat(th.Glyphs.Horizontal, max(0, r.W))))
	return th.Block(framed, r.W, r.H)
}

// title draws the first line: what the dialog is, and a remark.
func (r Rect) title(name, remark string, th theme.Theme) string {
	width, _ := r.Inside()
	return th.Focus.Render(th.Spread(" "+name, remark+" ", width))
}

// row draws a row of a list. A sign marks the one under the cursor, not color alone.
func (r Rect) row(label, right string, chosen bool, th theme.Theme) string {
	width, _ := r.Inside()
	if chosen {
		label = th.Cursor.Render(th.Glyphs.Pointer + " " + label)
	} else {
		label = "  " + label
	}
	if right != "" {
		right = th.Dim.Render(right + " ")
	}
	return th.Spread(label, right, width)
}

// The keys of dialogs.
var (
	closes     = bound("esc", "close", "esc", "ctrl+g")
	accepts    = bound("enter", "accept", "enter")
	selects    = bound("enter", "select", "enter")
	completes  = bound("tab", "complete", "tab")
	moves      = bound("up down", "move", "up", "down") // for the footer
	moveDown   = bound("", "", "down", "ctrl+n")
	moveUp     = bound("", "", "up", "ctrl+p")
	next       = bound("", "", "tab")
	previous   = bound("", "", "shift+tab")
	pageDown   = bound("", "", "pgdown")
	pageUp     = bound("", "", "pgup")
	scrolls    = bound("j k", "scroll", "j", "k")       // for the footer
	pages      = bound("space b", "page", "space", "b") // for the footer
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

// Notch returns 1 for a notch of the wheel down, -1 for one up.
func Notch(wheel tea.MouseWheelMsg) int {
	if wheel.Button == tea.MouseWheelUp || wheel.Button == tea.MouseWheelLeft {
		return -1
	}
	return 1
}
