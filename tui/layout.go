package tui

import (
	"lens/tui/histogram"
	"lens/tui/state"
)

// The layout follows from the size of the screen, the focus, and whether a pane is maximized; it does not depend on
// content.

// The smallest usable screen, and the sizes at which the layout changes.
const (
	leastWidth, leastHeight = 40, 8
	wideFrom                = 100
	stackFrom               = 60
	stackHeight             = 14
)

// rect is a rectangle of cells. An empty one is not drawn.
type rect struct{ x, y, w, h int }

func (r rect) isEmpty() bool       { return r.w <= 0 || r.h <= 0 }
func (r rect) crosses(y int) bool  { return r.y <= y && y < r.y+r.h }
func (r rect) holds(x, y int) bool { return r.x <= x && x < r.x+r.w && r.crosses(y) }

// layout has the rectangles of all panes. The first line of matches and turn is their title.
type layout struct {
	tiny                 bool // too small: shows one sentence
	query, crumb, footer rect
	hint                 rect // a line above the footer, while there is a hint
	chart                rect // bars, rail and axis; just a sparkline if one line high
	body                 rect // the rest, for the panes
	matches, turn, rule  rect
	chat, info           rect
	alone                bool // only one pane and the chart are shown
	tabs                 bool // the chat shares the place of the turn
	tall                 bool // two lines a match
}

// layout computes the layout of the screen.
func (m *model) layout() layout {
	w, h := m.width, m.height
	if w < leastWidth || h < leastHeight {
		return layout{tiny: true, footer: rect{0, 0, w, min(h, 1)}}
	}
	l := layout{query: rect{0, 0, w, 1}, crumb: rect{0, 1, w, 1}, footer: rect{0, h - 1, w, 1}}
	l.body = rect{0, 2, w, h - 3}
	if h >= stackHeight && m.aside() != "" {
		l.hint = rect{0, h - 2, w, 1}
		l.body.h--
	}
	l.tabs = w < wideFrom
	switch {
	case w < stackFrom || h < stackHeight, m.maximized:
		l.single(m.focus)
	case w >= wideFrom:
		l.beside(m.sizes)
		l.withChat(m.chatAt.open, m.sizes)
	default:
		l.stacked(m.sizes)
		l.withTabs(m.chatAt)
	}
	if m.info && !l.turn.isEmpty() {
		l.info, l.turn = l.turn, rect{}
	}
	return l
}

// home is where the page of an empty archive is.
func (l layout) home() rect { return rect{0, 2, l.query.w, l.footer.y - 2} }

// barRows returns the lines of bars for a screen height.
func barRows(height int) int {
	switch {
	case height >= 36:
		return 9
	case height >= 22:
		return 4
	case height >= 15:
		return 2
	}
	return 1
}

// withChart puts the chart above the body, with an empty line between on a tall screen.
func (l *layout) withChart(s state.Sizes) {
	h := l.footer.y + 1
	rows := max(1, min(barRows(h)+s.Chart, h/2))
	l.chart = rect{0, l.body.y, l.body.w, rows + histogram.Rows}
	above := l.chart.h
	if h >= 30 {
		above++
	}
	l.body.y, l.body.h = l.body.y+above, l.body.h-above
}

// single shows only the focused pane, plus a sparkline if that is not the chart.
func (l *layout) single(focus pane) {
	l.alone = true
	if focus == paneHistogram || focus == paneQuery {
		l.chart, l.body = l.body, rect{}
		return
	}
	l.chart = rect{0, l.body.y, l.body.w, 1}
	l.body.y, l.body.h = l.body.y+1, l.body.h-1
	switch focus {
	case paneMatches:
		l.matches = l.body
	case paneChat, paneAsk:
		l.chat = l.body
	default:
		l.turn = l.body
	}
}

// withChat gives the lower third of the turn to the chat, adjusted by the size that the user has chosen.
func (l *layout) withChat(open bool, s state.Sizes) {
	if open {
		h := max(min(5, l.turn.h/2), min(l.turn.h/3+2*s.Chat, l.turn.h-5))
		l.turn.h -= h
		l.chat = rect{l.turn.x, l.turn.y + l.turn.h, l.turn.w, h}
	}
}

// withTabs shows the chat in place of the turn if it had the focus last.
func (l *layout) withTabs(at chatPlace) {
	if at.open && at.front {
		l.chat, l.turn = l.turn, rect{}
	}
}

// beside puts the list at the left, the turn at the right and a rule between them.
func (l *layout) beside(s state.Sizes) {
	l.withChart(s)
	b := l.body
	left := b.w * (45 + sizeStep*s.List) / 100
	l.matches = rect{b.x, b.y, left, b.h}
	l.rule = rect{b.x + left + 1, b.y, 1, b.h}
	l.turn = rect{b.x + left + 3, b.y, b.w - left - 3, b.h}
	l.tall = b.h >= 9
}

// stacked puts the list above the turn.
func (l *layout) stacked(s state.Sizes) {
	l.withChart(s)
	b := l.body
	top := max(3, b.h*(45+sizeStep*s.List)/100)
	l.matches = rect{b.x, b.y, b.w, top}
	l.turn = rect{b.x, b.y + top, b.w, b.h - top}
}
