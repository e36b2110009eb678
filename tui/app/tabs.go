package app

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
)

// Tabs are the panes that share a place: the turn and what may cover it, and the chat where it does not fit below them.
// The line above the one in front names it at the left, and at the right those behind it.

// leastHead is the room that the name of what is read has at least beside a remark.
const leastHead = 16

// tabHead draws that line. What is below goes where the name has no room beside it, and the remark where hardly any of
// the name has.
func (m *model) tabHead(front pane, name, remark, below string, width int) string {
	th := m.ui.Theme
	others, room := m.behind(front), width-4
	right := th.Remarks(remark, below, others)
	if theme.Width(right)+theme.Width(name) > room {
		right = th.Remarks(remark, others)
	}
	if theme.Width(right)+min(theme.Width(name), leastHead) > room {
		right = others
	}
	name = ansi.Truncate(name, max(0, room-theme.Width(right)), th.Glyphs.Ellipsis)
	focused := m.focus == front || front == paneChat && m.isChatting()
	return th.Spread(th.Title(name, focused), th.Dim.Render(right), width)
}

// behind names the panes behind the front one, each with its key.
func (m *model) behind(front pane) string {
	var names []string
	for _, p := range m.tabs() {
		if p != front {
			names = append(names, m.tabName(p))
		}
	}
	return m.ui.Theme.Remarks(names...)
}

func (m *model) tabName(p pane) string {
	name := paneTable[p].name
	if at := named(m.keys.global, name); at >= 0 && !m.focus.isTyped() {
		if keys := m.keys.global[at].Keys(); len(keys) > 0 {
			return keyLabel(keys[0]) + " " + name
		}
	}
	return name
}

// clickTab focuses the pane whose name is at a column of the line above the front one; taken is false when none is.
func (m *model) clickTab(x, width int, front pane) (cmd tea.Cmd, taken bool) {
	from := width - theme.Width(m.behind(front))
	for _, p := range m.tabs() {
		if p == front {
			continue
		}
		to := from + theme.Width(m.tabName(p))
		if from <= x && x < to {
			if p == paneChat && m.chat.Last() == nil {
				return m.openChat(), true
			}
			return m.focusOn(p)(), true
		}
		from = to + theme.Width(m.ui.Theme.Remarks(" ", " ")) - 2
	}
	return nil, false
}
