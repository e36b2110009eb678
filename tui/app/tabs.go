package app

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// Tabs are the titles of the panes that share a place: the turn and what may cover it, and the chat where it does not
// fit below them.

// tabTitles draws these titles. Those behind the front one show their keys.
func (m *model) tabTitles(front pane) string {
	var titles strings.Builder
	for _, p := range m.tabs() {
		titles.WriteString(m.tabTitle(p, front))
	}
	return titles.String()
}

func (m *model) tabTitle(p, front pane) string {
	title := paneTable[p].title
	if p == front {
		return m.ui.Theme.Title(title, m.focus == p || p == paneChat && m.isChatting())
	}
	if at := named(m.keys.global, paneTable[p].name); at >= 0 && !m.focus.isTyped() {
		if keys := m.keys.global[at].Keys(); len(keys) > 0 {
			title = keys[0] + " " + title
		}
	}
	return " " + m.ui.Theme.Dim.Render(title) + " "
}

// clickTab focuses the pane whose title is at a column; taken is false when none is.
func (m *model) clickTab(x int, front pane) (cmd tea.Cmd, taken bool) {
	right := 0
	for _, p := range m.tabs() {
		if right += ansi.StringWidth(m.tabTitle(p, front)); x >= right {
			continue
		}
		if p == paneChat && m.chat.Last() == nil {
			return m.openChat(), true
		}
		return m.focusOn(p)(), true
	}
	return nil, false
}
