package app

import (
	"cmp"
	"strings"

	"lens/tui/theme"
	"lens/tui/ui"
)

// pane is a part of the screen that can have the focus.
type pane int

// The panes, in the order of the help.
const (
	paneTimeline pane = iota
	paneResults
	paneReader
	paneDetails
	paneQuery
	paneChat     // the answers
	paneQuestion // the question, which is drawn with them
	paneHome     // instead of all others but the query
	paneCount
)

// paneTable has what the app knows of each pane. A new one also needs its component, its commands in keys.go and,
// unless it is a tab, a place in the layout.
var paneTable = [paneCount]struct {
	name  string // in keys.yaml, of what a click hits, and of the command that focuses it
	title string // in the help and on its tab
	typed bool   // letters are text there, so that global commands do not work
	tab   bool   // it shares the place of the turn
}{
	paneTimeline: {name: "histogram", title: "Chart"},
	paneResults:  {name: "matches", title: "Matches"},
	paneReader:   {name: "turn", title: "Turn", tab: true},
	paneDetails:  {name: "info", title: "Info", tab: true},
	paneQuery:    {name: "query", title: "Query", typed: true},
	paneChat:     {name: "chat", title: "Chat"},
	paneQuestion: {name: "ask", title: "Question", typed: true},
	paneHome:     {name: "home", title: "Home"},
}

func (p pane) isTyped() bool { return paneTable[p].typed }
func (p pane) isTab() bool   { return paneTable[p].tab }

// component returns the component of a pane, nil for the question, which is part of the chat.
func (m *model) component(p pane) ui.Component {
	switch p {
	case paneTimeline:
		return m.timeline
	case paneResults:
		return m.results
	case paneReader:
		return m.reader
	case paneDetails:
		return m.details
	case paneQuery:
		return m.bar
	case paneChat:
		return m.chat
	case paneHome:
		return m.home
	}
	return nil
}

// hasHead reports whether a title line is above the component. Others draw their own.
func (p pane) hasHead() bool { return p.isTab() || p == paneChat }

// head draws that line. It says how much is below unless the rule of the chat does.
func (m *model) head(p pane, width int) string {
	th, below := m.ui.Theme, ""
	if !m.layout().split {
		below = m.below(p)
	}
	switch p {
	case paneReader:
		title, remark := m.reader.Head()
		return m.tabHead(p, cmp.Or(title, paneTable[p].title), th.Remarks(m.unlisted(), remark), below, width)
	case paneChat:
		return m.tabHead(p, paneTable[p].title, m.chat.Remark(), "", width)
	}
	return m.tabHead(p, paneTable[p].title, "", below, width)
}

// below says how much of a pane is out of view at its end, "" for nothing.
func (m *model) below(p pane) string {
	switch p {
	case paneReader:
		return m.reader.Below()
	case paneDetails:
		return m.details.Below()
	}
	return ""
}

// headAt returns the line of a pane with its title: the rule between turn and chat is above that of the chat.
func (l *layout) headAt(p pane) int {
	if p == paneChat && l.split {
		return 1
	}
	return 0
}

// The heights at which a pane has an empty line below its title, and the turn one before the chat, and below which it
// has no text: who speaks says nothing without it.
const spacedHeight, partedHeight, leastText, leastBesideAnswer = 8, 12, 4, 7

// inside returns the part of a pane that its component draws: what is below the title, between the margins. The rail of
// the turn is at the very edge.
func (l *layout) inside(p pane) rect {
	r := l.at[p]
	if !p.hasHead() || r.isEmpty() {
		return r
	}
	head := l.headAt(p) + 1
	if r.h-2*l.headAt(p) >= spacedHeight {
		head++
	}
	in := rect{r.x + theme.Margin, r.y + head, r.w - theme.Margin, r.h - head}
	switch {
	case p != paneReader:
		in.w--
	case r.h < leastText:
		in.h = 0
	case l.split && r.h >= partedHeight: // the rule of the chat is below
		in.h--
	}
	return in
}

// chatRule draws the rule above the chat, which says how much is below of the pane above it, if that has any text.
func (m *model) chatRule(width int) string {
	th, l, says := m.ui.Theme, m.layout(), m.below(m.front)
	if says == "" || l.inside(m.front).h == 0 {
		return th.Ruled("", "", width)
	}
	return th.Ruled("", th.Faint.Render(says), width-1) + " " // it ends where the text does
}

// draw draws a pane, with its head and its margins.
func (m *model) draw(p pane, r rect) []string {
	l, lines := m.layout(), m.component(p).View()
	in, blank := l.inside(p), strings.Repeat(" ", r.w)
	if in == r {
		return lines
	}
	var drawn []string
	if l.headAt(p) > 0 {
		drawn = append(drawn, m.chatRule(r.w))
	}
	if p.hasHead() {
		drawn = append(drawn, m.head(p, r.w-1)+" ")
	}
	for len(drawn) < in.y-r.y {
		drawn = append(drawn, blank)
	}
	before, behind := strings.Repeat(" ", in.x-r.x), strings.Repeat(" ", r.x+r.w-in.x-in.w)
	for _, line := range lines {
		drawn = append(drawn, before+line+behind)
	}
	for len(drawn) < r.h {
		drawn = append(drawn, blank)
	}
	return drawn
}
