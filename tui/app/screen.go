package app

import (
	"cmp"
	"slices"

	"lens/tui/histogram"
	"lens/tui/state"
)

// The layout follows from the size of the screen, the focus, and whether a pane is maximized. Of the content only the
// lines of the chart, and of the turn and the answer that share a column, matter.

// The smallest usable screen, and the sizes at which the layout changes.
const (
	leastWidth, leastHeight = 40, 8
	wideFrom                = 100
	outlineFrom             = 180
	roomy                   = 30 // there is room for empty lines
	sourcesFrom             = 36 // and for a line for each source of an answer
	stackFrom               = 60
	stackHeight             = 14
)

// rect is a rectangle of cells. An empty one is not drawn.
type rect struct{ x, y, w, h int }

func (r rect) isEmpty() bool       { return r.w <= 0 || r.h <= 0 }
func (r rect) crosses(y int) bool  { return r.y <= y && y < r.y+r.h }
func (r rect) holds(x, y int) bool { return r.x <= x && x < r.x+r.w && r.crosses(y) }

// layout has the rectangles of the panes, and of what is around them.
type layout struct {
	tiny        bool // too small: shows one sentence
	at          [paneCount]rect
	crumb, rule rect // above the histogram, and beside the list
	hint        rect // a line above the footer, while there is a hint
	footer      rect
	body        rect // the rest, for the panes
	alone       bool // only one pane and the chart are shown
	tabs        bool // the chat shares the place of the turn
	split       bool // the chat is below the turn, with a rule between them
	tall        bool // two lines a match
}

// screen is how large the terminal is, where the panes are, and which has the focus.
type screen struct {
	width, height int
	focus         pane
	showsHome     bool // home is shown instead of all other panes but the query
	front         pane // of those in the place of the turn, the one that had the focus last
	chatAt        chatPlace
	maximized     bool
	sizes         state.Sizes // as changed by the user
	hint          string      // above the footer, "" for none
	chartLines    int         // that the chart asks for; 0: as many as the screen has for it
	chatLines     int         // that the last answer needs, with the title and the input
	turnLines     int         // that the turn needs above the chat, 0: not known
}

// chatPlace is where the chat is.
type chatPlace struct {
	open  bool // on the screen
	front bool // it covers the turn where both do not fit
}

// layout computes the layout of the screen.
func (s *screen) layout() layout {
	w, h := s.width, s.height
	if w < leastWidth || h < leastHeight {
		return layout{tiny: true, footer: rect{0, 0, w, min(h, 1)}}
	}
	l := layout{crumb: rect{0, 1, w, 1}, body: rect{0, 2, w, h - 3}, footer: rect{0, h - 1, w, 1}}
	l.at[paneQuery] = rect{0, 0, w, 1}
	if h >= stackHeight && s.hint != "" {
		l.hint = rect{0, h - 2, w, 1}
		l.body.h--
	}
	l.tabs = w < wideFrom
	switch {
	case s.showsHome:
		l.at[paneHome] = l.body
		return l
	case w < stackFrom || h < stackHeight:
		l.single(s.focus)
	case s.maximized:
		l.whole(s.focus)
	case w >= wideFrom:
		l.beside(s.sizes, s.chartLines)
		if s.chatAt.open {
			l.withChat(s)
		}
	default:
		l.stacked(s.sizes, s.chartLines)
		l.withTabs(s.chatAt, s.isChatting())
	}
	if s.front != paneReader {
		l.at[s.front], l.at[paneReader] = l.at[paneReader], rect{}
	}
	return l
}

// bringForward moves the focused pane in front of those that share its place.
func (s *screen) bringForward() {
	switch {
	case s.focus == paneChat, s.focus == paneQuestion:
		s.chatAt = chatPlace{true, true}
	case s.focus.isTab():
		s.chatAt.front, s.front = false, s.focus
	}
}

// ring returns the panes that tab cycles through; the query has its own key.
func (s *screen) ring() []pane {
	ring := []pane{paneTimeline, paneResults, s.front}
	if s.chatAt.open {
		ring = append(ring, paneChat)
	}
	return ring
}

// step moves the focus to the next pane, for -1 to the previous one.
func (s *screen) step(by int) {
	ring := s.ring()
	at := slices.Index(ring, s.focus)
	if at < 0 { // at home, the next one is the first
		at, by = 0, min(by, 0)
	}
	s.focus = ring[(at+by+len(ring))%len(ring)]
}

// isChatting reports whether the chat has the focus.
func (s *screen) isChatting() bool { return s.focus == paneChat || s.focus == paneQuestion }

// welcome is where the page of an empty archive is.
func (l layout) welcome() rect { return rect{0, 2, l.footer.w, l.footer.y - 2} }

// barRows returns the lines of bars for a screen height. High bars have an even number: one is free above them, and one
// in the middle of the others stands for half of their scale.
func barRows(height int) int {
	switch {
	case height >= 22:
		return min(2*((12*height+40)/100), 16)
	case height >= 15:
		return 2
	}
	return 1
}

// withChart puts the chart above the body, with an empty line between on a tall screen. It has as many lines as it asks
// for.
func (l *layout) withChart(s state.Sizes, lines int) {
	h := l.footer.y + 1
	rows := max(1, min(barRows(h)+s.Chart, h/2))
	l.at[paneTimeline] = rect{0, l.body.y, l.body.w, min(cmp.Or(lines, rows+histogram.Rows), h/2+histogram.Rows)}
	above := l.at[paneTimeline].h
	if h >= roomy {
		above++
	}
	l.body.y, l.body.h = l.body.y+above, l.body.h-above
}

// single shows only the focused pane, plus a sparkline if that is not the chart.
func (l *layout) single(focus pane) {
	l.alone = true
	if focus == paneTimeline || focus == paneQuery {
		l.at[paneTimeline], l.body = l.body, rect{}
		return
	}
	l.at[paneTimeline] = rect{0, l.body.y, l.body.w, 1}
	l.body.y, l.body.h = l.body.y+1, l.body.h-1
	switch focus {
	case paneResults:
		l.at[paneResults] = l.body
	case paneChat, paneQuestion:
		l.at[paneChat] = l.body
	default:
		l.at[paneReader] = l.body
	}
}

// whole shows only the focused pane, without the chart. The list keeps the path of windows, which says what is listed.
func (l *layout) whole(focus pane) {
	at := focus
	switch focus {
	case paneTimeline, paneQuery:
		at = paneTimeline
	case paneQuestion:
		at = paneChat
	case paneResults, paneChat:
	default:
		at = paneReader
	}
	if at == paneReader || at == paneChat {
		l.crumb, l.body.y, l.body.h = rect{}, l.crumb.y, l.body.h+l.crumb.h
	}
	l.tall = at == paneResults
	l.at[at] = l.body
}

// withChat gives the lower part of the turn to the chat. While that has the focus it gets more than half, or what its
// answer needs, else also what a shorter turn leaves free, adjusted by the size that the user has chosen. The turn
// keeps at least its title.
func (l *layout) withChat(s *screen) {
	turn := &l.at[paneReader]
	h, left, least := max(7, turn.h*3/8), 5, leastText
	switch {
	case s.isChatting():
		h = max(turn.h*3/5, s.chatLines)
		if s.chatLines > turn.h-left {
			left = 2
		}
		if s.chatLines > 0 { // an answer is read: two lines of a turn above it are of no use
			least = leastBesideAnswer
		}
	case s.turnLines > 0:
		h = max(h, min(s.chatLines, turn.h-s.turnLines))
	}
	h = max(min(5, turn.h/2), min(h+2*s.sizes.Chat, turn.h-left))
	if turn.h-h < least { // there is room for its title alone
		h = max(h, turn.h-2)
	}
	turn.h -= h
	l.split = true
	l.at[paneChat] = rect{turn.x, turn.y + turn.h, turn.w, h}
}

// withTabs shows the chat in place of the turn if it had the focus last. While it has the focus, it takes the place of
// the list, too.
func (l *layout) withTabs(at chatPlace, focused bool) {
	if !at.open || !at.front {
		return
	}
	l.at[paneChat], l.at[paneReader] = l.at[paneReader], rect{}
	if focused {
		l.at[paneChat], l.at[paneResults] = l.body, rect{}
	}
}

// beside puts the list at the left, the turn at the right and a rule between them.
func (l *layout) beside(s state.Sizes, chartLines int) {
	l.withChart(s, chartLines)
	b := l.body
	share := 45
	if b.w >= outlineFrom { // the turn has room for an outline, too
		share = 40
	}
	left := b.w * (share + sizeStep*s.List) / 100
	l.at[paneResults] = rect{b.x, b.y, left, b.h}
	l.rule = rect{b.x + left, b.y, 1, b.h}
	l.at[paneReader] = rect{b.x + left + 2, b.y, b.w - left - 2, b.h}
	l.tall = b.h >= 9
}

// stacked puts the list above the turn.
func (l *layout) stacked(s state.Sizes, chartLines int) {
	l.withChart(s, chartLines)
	b := l.body
	top := max(3, b.h*(45+sizeStep*s.List)/100)
	l.at[paneResults] = rect{b.x, b.y, b.w, top}
	l.at[paneReader] = rect{b.x, b.y + top, b.w, b.h - top}
}

// sizeStep is a step of the list in percent of the room; mostSteps bounds the steps.
const (
	sizeStep  = 5
	mostSteps = 6
)

// bounded bounds the sizes, so that every pane keeps some room.
func bounded(s state.Sizes) state.Sizes {
	bound := func(steps int) int { return max(-mostSteps, min(steps, mostSteps)) }
	return state.Sizes{List: bound(s.List), Chart: bound(s.Chart), Chat: bound(s.Chat)}
}

// resize widens the list by steps, and heightens the focused chat, else the chart. It reports whether there is room.
func (s *screen) resize(wider, higher int) bool {
	next := s.sizes
	next.List += wider
	switch {
	case s.focus != paneChat:
		next.Chart += higher
	case !s.layout().tabs: // there the chat has all the room
		next.Chat += higher
	}
	changed := bounded(next) != s.sizes
	s.sizes = bounded(next)
	return changed
}
