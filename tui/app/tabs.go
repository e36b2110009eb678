package app

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
)

// Tabs are the panes that share a place: the turn and what may cover it, and the chat where it does not fit below them.
// The line above the one in front names it at the left, and at the right those behind it. On a wide screen that of the
// turn does not: nothing that one reads with it is hidden there.

// leastHead is the room that the name of what is read has at least beside a remark.
const leastHead = 16

// tabHead draws that line. What is below goes where the name has no room beside it, and the remark where hardly any of
// the name has.
func (m *model) tabHead(front pane, name, remark, below string, width int) string {
	th := m.ui.Theme
	others, room := m.behind(front), width-theme.Margin-2
	with := func(remarks ...string) string {
		said := th.Dim.Render(th.Remarks(remarks...))
		if others != "" && theme.Width(said) > 0 {
			said += tabGap
		}
		return said + others
	}
	right := with(remark, below)
	if theme.Width(right)+theme.Width(name) > room {
		right = with(remark)
	}
	if theme.Width(right)+min(theme.Width(name), leastHead) > room {
		right = others
	}
	name = ansi.Truncate(name, max(0, room-theme.Width(right)), th.Glyphs.Ellipsis)
	focused := m.focus == front || front == paneChat && m.isChatting()
	return th.Spread(th.Title(name, focused), right, width)
}

// tabGap is between the names of tabs, and before them.
const tabGap = "   "

// hidden returns the panes behind the front one that are named.
func (m *model) hidden(front pane) (hidden []pane) {
	if (front == paneReader || front == paneChat) && !m.layout().tabs {
		return nil
	}
	for _, p := range m.tabs() {
		if p != front {
			hidden = append(hidden, p)
		}
	}
	return hidden
}

// behind names the panes behind the front one, each with its key.
func (m *model) behind(front pane) string {
	var names []string
	for _, p := range m.hidden(front) {
		names = append(names, m.tabName(p))
	}
	return strings.Join(names, tabGap)
}

func (m *model) tabName(p pane) string {
	th, name := m.ui.Theme, paneTable[p].name
	if at := named(m.keys.global, name); at >= 0 && !m.focus.isTyped() {
		if keys := m.keys.global[at].Keys(); len(keys) > 0 {
			return th.Key.Render(keyLabel(keys[0])) + th.Dim.Render(" "+name)
		}
	}
	return th.Dim.Render(name)
}

// clickTab focuses the pane whose name is at a column of the line above the front one; taken is false when none is.
func (m *model) clickTab(x, width int, front pane) (cmd tea.Cmd, taken bool) {
	from := width - theme.Width(m.behind(front))
	for _, p := range m.hidden(front) {
		to := from + theme.Width(m.tabName(p))
		if from <= x && x < to {
			if p == paneChat && m.chat.Last() == nil {
				return m.openChat(), true
			}
			return m.focusOn(p)(), true
		}
		from = to + len(tabGap)
	}
	return nil, false
}
