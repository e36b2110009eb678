package tui

import (
	"cmp"
	"slices"
	"sort"

	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/marks"
	"lens/tui/matches"
	"lens/tui/search"
	"lens/tui/zoom"
)

// listing is what the rows of the list depend on.
type listing struct {
	peek  *retrieval.Peek
	view  zoom.Span
	order search.Order
	marks int // how often marks have changed
	local bool
}

// show lists the matches in view.
func (m *model) show(f search.Result) {
	if f.Text != m.found.Text || f.Like != m.found.Like { // a new query starts at its best match
		m.list = matches.List{}
	}
	m.found = f
	if now := (listing{f.Peek, m.timeline.Zoom().Span, m.orderOf(f), m.markings, m.local}); now != m.listing {
		m.listing = now
		m.list.Set(m.items())
	}
	if m.choose != uuid.Nil && (m.list.Choose(m.choose.String()) || m.isComplete()) {
		m.choose = uuid.Nil
	}
	if m.isComplete() {
		m.noticed = m.searchNotice() != ""
	}
	m.follow()
	m.land()
}

// showNearest bridges the time until key is answered: it shows the cached result of the same query in the smallest
// window around the view, else leaves what is shown.
func (m *model) showNearest(key search.Key) {
	best := m.found
	for _, known := range slices.Backward(m.finds.Values()) {
		if known.Sought != key.Sought || !covers(known.Window, m.timeline.Zoom().Span) {
			continue
		}
		if best.Sought != key.Sought || !covers(best.Window, m.timeline.Zoom().Span) || covers(best.Window, known.Window) {
			best = known
		}
	}
	m.show(best)
}

// keep caches a result and drops those from when fewer turns were embedded, which would be different now.
func (m *model) keep(key search.Key, f search.Result) {
	if f.Peek != nil {
		m.finds.Drop(func(known search.Result) bool {
			if known.Peek == nil {
				return false
			}
			embedded := known.Peek.Coverage.Embedded
			return 0 < embedded && embedded < f.Peek.Coverage.Embedded
		})
	}
	m.finds.Put(key, f)
}

// covers is span.covers for windows: the zero window is all time.
func covers(window, inner zoom.Span) bool {
	return window == zoom.Span{} || inner != zoom.Span{} && window.Covers(inner)
}

// follow opens the match under the cursor when it has changed.
func (m *model) follow() {
	var id uuid.UUID
	if chosen, ok := m.list.Chosen(); ok {
		id = uuid.MustParse(chosen.ID)
	}
	if id != m.followed {
		m.followed = id
		m.showTurn(id)
	}
}

// inView returns the times of the matches in view.
func (m *model) inView() []int64 {
	if m.found.Peek == nil {
		return nil
	}
	return m.timesInView(m.found.Peek)
}

// timesInView returns the times of a peek that are in view.
func (m *model) timesInView(p *retrieval.Peek) []int64 {
	times := p.Times
	from := sort.Search(len(times), func(i int) bool { return times[i] >= m.timeline.Zoom().From })
	to := sort.Search(len(times), func(i int) bool { return times[i] >= m.timeline.Zoom().To })
	return times[from:to]
}

// tally returns the number of matches in view and in total. Undated matches are in view only when the whole archive is.
func (m *model) tally() (shown, total int) {
	if m.found.Peek == nil {
		return 0, 0
	}
	shown, total = len(m.inView()), m.found.Peek.Histogram.Total
	if m.timeline.Zoom().IsAll() {
		shown = total
	}
	return shown, total
}

// items returns the rows for the matches in view.
func (m *model) items() []matches.Item {
	if m.found.Peek == nil {
		return nil
	}
	find := marks.Of(m.found.Words()).Find
	var items []matches.Item
	for i := range m.found.Peek.Matches {
		match := &m.found.Peek.Matches[i]
		if !m.timeline.Zoom().IsAll() && (match.Time == nil || !m.timeline.Zoom().Holds(match.Time.Unix())) {
			continue
		}
		item := matches.Item{
			ID: match.TurnID.String(), Date: "undated", Title: cmp.Or(match.Title, "untitled"),
			Snippet: cmp.Or(match.UserSnippet, match.AssistantSnippet), Marked: m.marked[match.TurnID],
		}
		if match.Chunk != nil { // its user text is just a heading
			item.Snippet = cmp.Or(match.AssistantSnippet, match.UserSnippet)
		}
		if m.found.IsSomething() && match.Score != nil {
			item.Rank, item.Score = i+1, *match.Score
		}
		if match.Time != nil {
			item.At = match.Time.Unix()
			item.Date, item.Clock = m.ui.Day(*match.Time), m.ui.Clock(*match.Time)
		}
		item.Hits = find(item.Snippet)
		items = append(items, item)
	}
	arrangeBy(m.orderOf(m.found), items)
	return slices.Clip(items)
}
