package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// Tabs are panes that share a rectangle: turn and info always, and the chat where it does not fit below them.

// tab is a pane with its title and the command that focuses it.
type tab struct {
	pane
	name, command string
}

var (
	turnTab = tab{paneTurn, "Turn", "turn"}
	chatTab = tab{paneChat, "Chat", "chat"}
	infoTab = tab{paneInfo, "Info", "info"}
)

func (m *model) tabsHere() []tab {
	if m.layout().tabs {
		return []tab{turnTab, chatTab, infoTab}
	}
	return []tab{turnTab, infoTab}
}

// tabs draws the titles of the panes that share a rectangle. Those behind the front one show their keys.
func (m *model) tabs(front pane) string {
	var title strings.Builder
	for _, t := range m.tabsHere() {
		title.WriteString(m.tabTitle(t, front))
	}
	return title.String()
}

func (m *model) tabTitle(t tab, front pane) string {
	if t.pane == front {
		return m.title(t.name, t.pane)
	}
	name := t.name
	if at := named(m.keys.global, t.command); !m.focus.isTyped() && len(m.keys.global[at].Keys()) > 0 {
		if key := m.keys.global[at].Keys()[0]; m.focus != paneChat || !isDigit(key) {
			name = key + " " + name
		}
	}
	return " " + m.ui.Theme.Dim.Render(name) + " "
}

func isDigit(key string) bool { return len(key) == 1 && key >= "0" && key <= "9" }

// clickTab focuses the pane whose title is at a cell; taken is false when none is.
func (m *model) clickTab(at tea.Mouse, front pane, r rect) (cmd tea.Cmd, taken bool) {
	if at.Y != r.y {
		return nil, false
	}
	x := r.x
	for _, t := range m.tabsHere() {
		x += ansi.StringWidth(m.tabTitle(t, front))
		if at.X < x {
			if t.pane == paneChat && m.chat.Last() == nil {
				return m.openChat(), true
			}
			return focusOn(t.pane)(m), true
		}
	}
	return nil, false
}

// ring returns the panes that tab cycles through.
func (m *model) ring() []pane {
	ring := slices.Clone(panes)
	if m.info {
		ring[slices.Index(ring, paneTurn)] = paneInfo
	}
	if m.chatAt.open {
		ring = append(ring, paneChat)
	}
	return ring
}

// bringForward moves the focused pane in front of those that share its rectangle.
func (m *model) bringForward() {
	switch m.focus {
	case paneChat, paneAsk:
		m.chatAt = chatPlace{true, true}
	case paneTurn, paneInfo:
		m.chatAt.front, m.info = false, m.focus == paneInfo
	}
}
