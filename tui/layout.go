package tui

import "lens/tui/histogram"

// Where everything is. All of it follows from the size of the screen, the focus and whether a pane is maximised; layout.go knows no
// content.

// The least screen that is drawn on, and from what width panes stand side by side.
const (
	leastWidth, leastHeight = 40, 8
	wideFrom                = 100
	stackFrom               = 60
	stackHeight             = 14
)

// rect is a rectangle of cells. It is not shown when it has no area.
type rect struct{ x, y, w, h int }

func (r rect) isEmpty() bool       { return r.w <= 0 || r.h <= 0 }
func (r rect) crosses(y int) bool  { return r.y <= y && y < r.y+r.h }
func (r rect) holds(x, y int) bool { return r.x <= x && x < r.x+r.w && r.crosses(y) }

// layout says where panes are. The first line of matches and turn is their title.
type layout struct {
	tiny                 bool // too small for anything but a sentence
	query, crumb, footer rect
	hint                 rect // a line above the footer, as long as there is something to say
	chart                rect // bars, rail and axis; one line: a sparkline alone
	body                 rect // what is left for panes
	matches, turn, rule  rect
	chat, info           rect
	alone                bool // no other pane is on the screen but a chart
	tabs                 bool // the chat shares the place of the turn
	tall                 bool // two lines a match
}

// columns returns how many columns the plot has.
func (l layout) columns() int { return histogram.Columns(l.query.w) }

// bars returns how many lines of the chart are bars.
func (l layout) bars() int {
	if l.chart.h <= histogram.Rows {
		return l.chart.h
	}
	return l.chart.h - histogram.Rows
}

// layout lays the screen out.
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
	case w < stackFrom || h < stackHeight, m.maximised:
		l.single(m.focus)
	case w >= wideFrom:
		l.beside(m.sizes)
		l.withChat(m.talk.open, m.sizes)
	default:
		l.stacked(m.sizes)
		l.withTabs(m.talk)
	}
	if m.info && !l.turn.isEmpty() {
		l.info, l.turn = l.turn, rect{}
	}
	return l
}

// barRows is how many lines of bars a screen of a height has.
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

// withChart puts the chart above the body; a tall screen has a line of air below it.
func (l *layout) withChart(s Sizes) {
	h := l.footer.y + 1
	rows := max(1, min(barRows(h)+s.Chart, h/2))
	l.chart = rect{0, l.body.y, l.body.w, rows + histogram.Rows}
	above := l.chart.h
	if h >= 30 {
		above++
	}
	l.body.y, l.body.h = l.body.y+above, l.body.h-above
}

// single shows the pane with the focus only, and a sparkline when that is not the chart.
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

// withChat gives the lower third of the turn to the chat, or as much of it as a person has chosen.
func (l *layout) withChat(open bool, s Sizes) {
	if open {
		h := max(min(5, l.turn.h/2), min(l.turn.h/3+2*s.Chat, l.turn.h-5))
		l.turn.h -= h
		l.chat = rect{l.turn.x, l.turn.y + l.turn.h, l.turn.w, h}
	}
}

// withTabs gives the place of the turn to the chat when that was looked at last.
func (l *layout) withTabs(t talk) {
	if t.open && t.front {
		l.chat, l.turn = l.turn, rect{}
	}
}

// beside puts the list at the left, the turn at the right and a rule between them.
func (l *layout) beside(s Sizes) {
	l.withChart(s)
	b := l.body
	left := b.w * (45 + sizeStep*s.List) / 100
	l.matches = rect{b.x, b.y, left, b.h}
	l.rule = rect{b.x + left + 1, b.y, 1, b.h}
	l.turn = rect{b.x + left + 3, b.y, b.w - left - 3, b.h}
	l.tall = b.h >= 9
}

// stacked puts the list above the turn.
func (l *layout) stacked(s Sizes) {
	l.withChart(s)
	b := l.body
	top := max(3, b.h*(45+sizeStep*s.List)/100)
	l.matches = rect{b.x, b.y, b.w, top}
	l.turn = rect{b.x, b.y + top, b.w, b.h - top}
}
