package tui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/timeline"
	"lens/tui/zoom"
)

// Moving through time: what the timeline shows, and the history of places. A zoom adds a place; chase.go then requests
// its data.

// toggleScope switches between searching the window and all time.
func (m *model) toggleScope() tea.Cmd {
	m.wide = !m.wide
	m.footer.Say("Matches in this window")
	if m.wide {
		m.footer.Say("Matches of all time (" + m.ui.Key("histogram.keep-scope") + ": this window)")
	}
	return nil
}

// timelineInputs returns what the timeline shows of the search, and of the way here.
func (m *model) timelineInputs() timeline.Inputs {
	failed, pins, past := m.archive.Failure(), m.finder.Pins(), m.places.past()
	in := timeline.Inputs{
		Focused: m.focus == paneHistogram,
		Failure: failed.Message,
		Hint:    failed.Hint,
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

// windowChanged adds a place, for several steps in quick succession one.
func (m *model) windowChanged(msg timeline.WindowChanged) {
	if msg.Step {
		m.places.step(m.place(), m.ui.Now())
		return
	}
	m.places.push(m.place())
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
	m.timeline.SetView(p.view)
}
