package app

import (
	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
)

// Tabs are the panes that share a place: the turn and what may cover it, and the chat where it does not fit below them.
// The line above the one in front names it at the left. That of the info names what it covers, too, at the right, with
// its key; no other does: just below a list, keys would be read as one more match.

// leastHead is the room that the name of what is read has at least beside a remark.
const leastHead = 16

// tabHead draws that line. Where the name does not fit beside both, what is below goes first, and the remark where
// hardly any of the name has room.
func (m *model) tabHead(front pane, name, remark, below string, width int) string {
	th := m.ui.Theme
	covered, room := m.covered(front), width-theme.Margin-3
	with := func(remarks ...string) string {
		said := th.Dim.Render(th.Remarks(remarks...))
		if covered != "" && theme.Width(said) > 0 {
			said += tabGap
		}
		return said + covered
	}
	right := with(remark, below)
	if remark != "" && theme.Width(right)+theme.Width(name) > room { // the title says more than how much is below
		right = with(remark)
	}
	if theme.Width(right)+min(theme.Width(name), leastHead) > room {
		right = covered
	}
	name = ansi.Truncate(name, max(0, room-theme.Width(right)), th.Glyphs.Ellipsis)
	focused := m.focus == front || front == paneChat && m.isChatting()
	title := th.Title(name, focused)
	if l := m.layout(); l.tabs && !l.at[paneResults].isEmpty() { // else it reads as one more match
		return th.Ruled(title, right, width)
	}
	return th.Spread(title, right, width)
}

// tabGap is before the name of what is covered.
const tabGap = "   "

// covered names the pane that the front one covers, with its key, "" for none.
func (m *model) covered(front pane) string {
	if front == paneReader || front == paneChat {
		return ""
	}
	th, name := m.ui.Theme, paneTable[paneReader].name
	if at := named(m.keys.global, name); at >= 0 {
		if keys := m.keys.global[at].Keys(); len(keys) > 0 {
			return th.Key.Render(keyLabel(keys[0])) + th.Dim.Render(" go to "+name)
		}
	}
	return th.Dim.Render(name)
}

// isCovered reports whether the name of what the front pane covers is at a column of the line above it.
func (m *model) isCovered(x, width int, front pane) bool {
	name := theme.Width(m.covered(front))
	return width-name <= x && x < width
}
