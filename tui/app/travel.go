package app

import (
	"cmp"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/search"
	"lens/tui/timeline"
	"lens/tui/zoom"
)

// Moving through time: what the timeline shows, and the history of places. A zoom adds a place; settle.go then requests
// its data.

// timelineInputs returns what the timeline shows of the search, and of the way here.
func (w *workspace) timelineInputs(focus pane) timeline.Inputs {
	failed, pins, past := w.archive.Failure(), w.finder.Pins(), w.places.past()
	in := timeline.Inputs{
		Focused: focus == paneTimeline,
		Failure: failed.Message,
		Hint:    failed.Hint,
		Past:    make([]zoom.Span, len(past)),
		Pinned:  make([]timeline.Pin, len(pins.All())),
		Name:    w.compared(),
		Found: timeline.Found{
			Peek:      w.found.Peek,
			Window:    w.found.Window,
			Searching: w.isSearching(),
			Narrowed:  w.bar.Search().Narrows(),
			Stale:     w.finder.IsStale(),
		},
	}
	if n, of, known := w.finder.Best(); known {
		in.Best, in.BestOf = n, of
	}
	if at, ok := w.timeOf(w.reader.Wanted()); ok {
		in.Read = &at
	}
	for i, p := range past {
		in.Past[i] = p.view.Span
	}
	for i, found := range pins.Results() {
		in.Pinned[i] = timeline.Pin{
			Name: pins.All()[i].Name, Live: pins.All()[i].Search == w.found.Search, Peek: found.Peek,
		}
	}
	return in
}

// windowChanged adds a place, for several steps in quick succession one. In a window that one has looked into, what is
// in it is listed.
func (w *workspace) windowChanged(msg timeline.WindowChanged) {
	w.bar.ForgetNoTurns()
	if msg.Step {
		w.places.step(w.place(), w.ui.Now())
		return
	}
	if past := w.places.past(); len(past) > 0 && past[len(past)-1].view.Span != w.timeline.Zoom().Span {
		w.keepAll = false
	}
	w.places.push(w.place())
}

// place returns the current place.
func (w *workspace) place() place {
	selected := w.results.Selected()
	match, read := w.results.Pending()
	p := place{w.bar.Search(), w.bar.Similar(), w.timeline.Zoom().View, cmp.Or(match, selected), read, w.atHome}
	if shown := w.reader.Wanted(); read == uuid.Nil && shown != selected && match == uuid.Nil {
		p.read = shown
	}
	return p
}

func (w *workspace) goBack() tea.Cmd { return w.goTo(w.places.back, "Nothing to go back to") }

func (w *workspace) goForward() tea.Cmd {
	return w.goTo(w.places.forward, "Nothing to go forward to")
}

// wayBack and wayForward say in the footer where one can go.
func (w *workspace) wayBack() string {
	switch {
	case !w.places.leads(-1):
		return ""
	case w.places.leads(1):
		return "back/forward"
	}
	return "back"
}

func (w *workspace) wayForward() string {
	switch {
	case !w.places.leads(1):
		return ""
	case w.places.leads(-1):
		return "back/forward"
	}
	return "forward"
}

func (w *workspace) goTo(next func() (place, bool), refusal string) tea.Cmd {
	p, ok := next()
	if !ok {
		w.footer.Say(refusal)
		return nil
	}
	w.arrive(p)
	return nil
}

// arrive restores a place.
func (w *workspace) arrive(p place) {
	w.bar.Want(p.Query(), p.like)
	w.results.Seek(p.chosen, p.read)
	w.timeline.SetView(p.view)
	w.atHome = p.home
	w.linked = linked{}
}

// seek changes the query and adds a place to the history.
func (w *workspace) seek(change func()) {
	change()
	w.places.push(w.place())
}

// acceptSuggestion searches for the suggested spelling.
func (w *workspace) acceptSuggestion() tea.Cmd {
	meant := w.finder.Suggestion()
	if meant == "" {
		w.footer.Say("No suggestion")
		return nil
	}
	w.seek(func() {
		q := w.bar.Query()
		q.Text = meant
		w.bar.Want(q, w.bar.Similar())
	})
	return nil
}

// similarTo returns a turn to find similar ones to, with its title where that is known.
func (w *workspace) similarTo(turn uuid.UUID) search.Similar {
	if known, ok := w.reader.Known(turn); ok {
		return search.Similar{Turn: turn, Title: known.Title}
	}
	return search.Similar{Turn: turn, Title: onScreen{w}.Title(w.finder.Conversation(turn))}
}

// showTurn shows a turn in the turn pane.
func (w *workspace) showTurn(id uuid.UUID) { w.reader.Show(id, w.finder.Conversation(id)) }

// openTurn opens a turn, listed or not. push adds it to the history: turns that the agent reads in quick succession
// become one entry.
func (w *workspace) openTurn(id uuid.UUID, push func(place)) {
	if id == uuid.Nil || id == w.reader.Wanted() {
		return
	}
	w.results.Seek(id, id)
	w.showTurn(id)
	w.linked.pursue(id)
	push(w.place())
}

// openConversations lists the conversations of the archive, with the cursor on that of the turn that is read.
func (w *workspace) openConversations() tea.Cmd {
	at := w.finder.Conversation(w.results.Selected())
	if t := w.reader.Opened(); t != nil {
		at = t.Conversation
	}
	var titles []retrieval.TitleMatch
	count := 0
	if p := w.found.Peek; p != nil && w.isSearching() && !w.finder.IsStale() {
		titles, count = p.Titles, p.TitleCount
	}
	w.chats.Open(at, titles, count)
	return nil
}

// move applies a change and adds it to the history, unless it changes nothing.
func (w *workspace) move(change func()) {
	before := w.place()
	change()
	if w.place() != before {
		w.places.push(w.place())
	}
}
