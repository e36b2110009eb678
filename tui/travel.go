package tui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval/timebin"
	"lens/tui/dialog"
	"lens/tui/search"
	"lens/tui/timeline"
	"lens/tui/zoom"
)

// Moving through time: the commands of the histogram, and the history of places. A zoom changes the view and adds a
// place; chase.go then requests its data.

func moveBins(n int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		m.timeline.SetZoom(m.timeline.Zoom().Move(n))
		return nil
	}
}

func jumpBins(to func(counts []int, from, step int) int, step int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		m.timeline.SetZoom(m.timeline.Zoom().MoveTo(to(m.counts(), m.timeline.Chart().Cursor, step)))
		return nil
	}
}

// counts returns the counts of all bins.
func (m *model) counts() []int {
	bins := m.timeline.Chart().Bins
	counts := make([]int, len(bins))
	for i, b := range bins {
		counts[i] = b.Count
	}
	return counts
}

func toBin(which func(n int) int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		m.timeline.SetZoom(m.timeline.Zoom().MoveTo(which(len(m.timeline.Zoom().Edges()) - 1)))
		return nil
	}
}

func (m *model) brush() tea.Cmd {
	m.timeline.SetZoom(m.timeline.Zoom().Brush())
	return nil
}

// brushBins extends the brush, and begins one if there is none.
func brushBins(n int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		if !m.timeline.Zoom().Brushes {
			m.timeline.SetZoom(m.timeline.Zoom().Brush())
		}
		m.timeline.SetZoom(m.timeline.Zoom().Move(n))
		return nil
	}
}

func (m *model) dropBrush() tea.Cmd {
	m.timeline.SetZoom(m.timeline.Zoom().Idle())
	return nil
}

// zoomBy applies an operation and adds a place, or shows the refusal.
func zoomBy(operation func(zoom.Zoom) (zoom.Zoom, string)) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		if m.travel(operation) {
			m.places.push(m.place())
		}
		return nil
	}
}

// stepBy is zoomBy for repeatable operations: steps in quick succession are one place.
func stepBy(operation func(zoom.Zoom) (zoom.Zoom, string)) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		if m.travel(operation) {
			m.places.step(m.place(), m.ui.Now())
		}
		return nil
	}
}

// travel applies an operation to the view and reports whether it changed.
func (m *model) travel(operation func(zoom.Zoom) (zoom.Zoom, string)) bool {
	next, refusal := operation(m.timeline.Zoom())
	m.footer.Say(refusal)
	if next.Span == m.timeline.Zoom().Span && next.Bin == m.timeline.Zoom().Bin {
		m.timeline.SetZoom(next)
		return false
	}
	m.timeline.SetZoom(next)
	return true
}

func autoBins(z zoom.Zoom) (zoom.Zoom, string)     { return z.Auto(), "" }
func wholeArchive(z zoom.Zoom) (zoom.Zoom, string) { return z.Whole(), "" }

// resetZoom shows the whole archive. Back undoes it.
func (m *model) resetZoom() tea.Cmd { return zoomBy(wholeArchive)(m) }

func (m *model) toggleShare() tea.Cmd {
	if !m.isSearching() {
		m.footer.Say("No shares without a query. Search first")
		return nil
	}
	look := m.timeline.Look()
	look.Share = !look.Share
	m.timeline.SetLook(look)
	return nil
}

// toggleScope switches between searching the window and all time.
func (m *model) toggleScope() tea.Cmd {
	m.wide = !m.wide
	m.footer.Say("Matches in this window")
	if m.wide {
		m.footer.Say("Matches of all time (F: this window)")
	}
	return nil
}

// askRange asks for a date range and shows it.
func (m *model) askRange() tea.Cmd {
	if m.timeline.Zoom().IsEmpty() {
		m.footer.Say("No dates")
		return nil
	}
	answer := func(text string) (tea.Cmd, string) {
		typed, err := timebin.ParseSpan(text, m.ui.Now())
		if err != nil {
			return nil, "Not a date. Try 2024-05, 2024-05..2024-06, last 90d"
		}
		wanted := m.timeline.Zoom().All.Bounded(typed.Since, typed.Until)
		if wanted.Clip(m.timeline.Zoom().All).Width() <= 0 {
			return nil, "No turns in that range"
		}
		return zoomBy(func(z zoom.Zoom) (zoom.Zoom, string) { return z.Look(z.Snap(wanted)), "" })(m), ""
	}
	const hint = "2024-05, 2024-05..2024-06, last 90d, yesterday"
	return m.ask(dialog.PromptOptions{Label: "Go to", Hint: hint, Answer: answer})
}

// aim shows a window that was typed or, when it is deleted, the view from before.
func (m *model) aim(at search.Aimed) {
	z := m.timeline.Zoom()
	if at.Was == (zoom.Span{}) {
		m.unaimed = z.View
	}
	z.View = m.unaimed
	if at.Span != (zoom.Span{}) {
		z = z.Look(z.Snap(at.Span))
	}
	m.timeline.SetZoom(z.Idle())
}

// timelineInputs returns what the timeline shows of the search, and of the way here.
func (m *model) timelineInputs() timeline.Inputs {
	failed, pins, past := m.failed[paneHistogram], m.finder.Pins(), m.places.past()
	in := timeline.Inputs{
		Focused: m.focus == paneHistogram,
		Failure: failed.message,
		Hint:    failed.hint,
		Past:    make([]zoom.Span, len(past)),
		Pinned:  make([]timeline.Pin, len(pins.All())),
		Found: timeline.Found{
			Peek:      m.found.Peek,
			Window:    m.found.Window,
			Searching: m.isSearching(),
			Narrowed:  m.bar.Sought().Narrows(),
			Stale:     m.finder.IsStale(),
		},
	}
	for i, p := range past {
		in.Past[i] = p.view.Span
	}
	for i, found := range pins.Results() {
		in.Pinned[i] = timeline.Pin{Name: pins.All()[i].Name, Peek: found.Peek}
	}
	return in
}

// place returns the current place.
func (m *model) place() place {
	selected := m.results.Selected()
	match, read := m.results.Sought()
	p := place{m.bar.Sought(), m.bar.Exemplar(), m.timeline.Zoom().View, cmp.Or(match, selected), read}
	if shown := m.reader.Wanted(); read == uuid.Nil && shown != selected && match == uuid.Nil {
		p.read = shown
	}
	return p
}

func (m *model) goBack() tea.Cmd { return m.goTo(m.places.back, "Nothing to go back to") }

func (m *model) goForward() tea.Cmd {
	return m.goTo(m.places.forward, "Nothing to go forward to")
}

func (m *model) goTo(next func() (place, bool), refusal string) tea.Cmd {
	p, ok := next()
	if !ok {
		m.footer.Say(refusal)
		return nil
	}
	m.arrive(p)
	return nil
}

// arrive restores a place.
func (m *model) arrive(p place) {
	m.bar.Want(p.Query(), p.like)
	m.results.Seek(p.chosen, p.read)
	z := m.timeline.Zoom()
	z.View = p.view
	m.timeline.SetZoom(z.Idle())
}
