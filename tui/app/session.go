package app

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/tui/conversations"
	"lens/tui/querybar"
	"lens/tui/results"
	"lens/tui/search"
	"lens/tui/state"
	"lens/tui/theme"
	"lens/tui/timeline"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// The session: what state keeps, collected from the components and given back to them.

// Session is what the explorer restores in the next run.
type Session = state.Session

// Bookmark is a named place of a Session.
type Bookmark = state.Bookmark

// Sessions saves sessions, as privately as the archive.
type Sessions = state.Sessions

// ErrReadOnly is in the chain of an error of Sessions where nothing can be written.
var ErrReadOnly = state.ErrReadOnly

// mostPlaces bounds the saved history.
const mostPlaces = 200

// keepKey changes whenever the session does, and when the archive becomes read-only: whether the session can be kept is
// then known at the start.
type keepKey struct {
	places, at, bookmarks, pinned int
	stars                         int
	place                         place
	look                          state.Look
	limit                         string
}

// keeps reports whether the session is worth saving.
func (w *workspace) keeps() bool { return w.keeper.Keeps() && w.archive.Overview() != nil }

// requestKeeping saves the session some time after a change.
func (w *workspace) requestKeeping(look state.Look) tea.Cmd {
	if !w.keeps() || w.restoring != nil {
		return nil
	}
	key := keepKey{
		places:    len(w.places.places),
		at:        w.places.at,
		bookmarks: w.bookmarks.Changes(),
		pinned:    len(w.finder.Pins().All()),
		stars:     w.chats.Changes(),
		place:     w.place(),
		look:      look,
	}
	if w.keeper.HasBegun() {
		key.limit = w.archive.Limit()
	}
	return w.keeper.Requests(key, !w.finder.IsBusy(), func() Session { return w.session(look) })
}

// look returns how the user wants things shown.
func (m *model) look() state.Look {
	chart, sorting := m.timeline.Look(), m.results.Sorting()
	look := state.Look{
		Chart:    int(chart.Form),
		ByDate:   sorting.ByDate,
		Reversed: sorting.Reversed,
		Oldest:   sorting.Oldest,
		Share:    chart.Share,
		OneScale: chart.OneScale,
		Counted:  int(chart.Counted),
		Wide:     m.keepAll,
		NoMouse:  m.noMouse,
		Local:    m.local,
		Sizes:    m.sizes,
		Recent:   strings.Join(m.recent, " "),
	}
	if m.themed {
		look.Theme = string(m.ui.Theme.Name)
	}
	return look
}

// setLook shows things as the user wants them. Pinned queries are drawn only if there are some.
func (m *model) setLook(look state.Look) {
	m.sizes, m.noMouse, m.keepAll = bounded(look.Sizes), look.NoMouse, look.Wide
	recent := strings.Fields(look.Recent)
	m.recent = recent[:min(len(recent), mostRecent)]
	m.setLocal(look.Local)
	m.results.SetSorting(results.Sorting{ByDate: look.ByDate, Reversed: look.ByDate && look.Reversed, Oldest: look.Oldest})
	if name, ok := theme.Parse(look.Theme); ok && m.opts.Settings.Theme == "" {
		m.themed = true
		m.setTheme(name)
	}
	chart := timeline.Look{Share: look.Share, OneScale: look.OneScale, Counted: timeline.Counted(look.Counted)}
	switch form := timeline.Form(look.Chart); {
	case form == timeline.Line, form >= timeline.Rows && form <= timeline.Lines && len(m.finder.Pins().All()) > 0:
		chart.Form = form
	}
	m.timeline.SetLook(chart)
}

// session returns the state to save.
func (w *workspace) session(look state.Look) Session {
	if w.restoring != nil { // not restored yet: keep the saved state
		return *w.restoring
	}
	w.places.replace(w.place())
	kept, at := w.places.latest(mostPlaces)
	s := Session{At: at, Bookmarks: w.bookmarks.All(), Look: look}
	for _, p := range kept {
		s.Places = append(s.Places, p.kept(w.timeline.Zoom().All))
	}
	for _, p := range w.finder.Pins().All() {
		s.Pinned = append(s.Pinned, keptSearch(p.Search, p.Name))
	}
	for _, star := range w.chats.Stars() {
		s.Starred = append(s.Starred, state.Star{Conversation: star.Conversation.String(), Turn: star.Turn.String()})
	}
	return s
}

// applySession restores what does not need the archive: the appearance, bookmarks and, with asked, the query and the
// history. Queries are pinned to compare what one asks now, so that only those that a lock dropped return.
func (m *model) applySession(s Session, asked bool) {
	m.bookmarks.Set(s.Bookmarks)
	var pins []search.Pin
	if m.hadPins {
		for _, p := range s.Pinned {
			pins = append(pins, search.Pin{Search: searchOf(p), Name: ui.Line(p.Title)})
		}
	}
	m.finder.Pins().Set(pins)
	var stars []conversations.Star
	for _, star := range s.Starred {
		stars = append(stars, conversations.Star{Conversation: state.IDOf(star.Conversation), Turn: state.IDOf(star.Turn)})
	}
	m.chats.SetStars(stars)
	m.setLook(s.Look)
	if asked && s.At >= 0 && s.At < len(s.Places) {
		m.restoring = &s
		here := s.Places[s.At].Search
		m.bar.Want(searchOf(here).Query(), savedSimilar(here))
	}
}

// restore restores the history once the archive is open.
func (w *workspace) restore() {
	s := w.restoring
	if s == nil {
		return
	}
	w.restoring = nil
	var places []place
	for _, p := range s.Places {
		places = append(places, placeOf(p, w.timeline.Zoom()))
	}
	if w.bar.Search() != places[s.At].Search { // the query was edited meanwhile
		return
	}
	w.places.restore(places, s.At)
	w.arrive(places[s.At])
}

// reloaded restores a session that was loaded after unlocking. A query that is being typed stays.
func (m *model) reloaded(s Session) {
	if m.locked.IsShown() { // locked again
		return
	}
	m.applySession(s, !m.isSearching() && !m.bar.IsEdited())
	if m.archive.Overview() != nil {
		m.restore()
	}
}

func keptSearch(s search.Search, title string) state.Search {
	return state.Search{Text: s.Text, Like: state.ID(s.Like), Title: title, Mode: s.Mode, PlainDates: s.PlainDates}
}

// kept returns a place as it is saved, of an archive of a span.
func (p place) kept(all zoom.Span) state.Place {
	out := state.Place{
		Search: keptSearch(p.Search, p.like.Title),
		Turn:   state.ID(p.chosen),
		Read:   state.ID(p.read),
		Home:   p.home,
	}
	out.SetView(p.view, all)
	return out
}

// placeOf converts a saved place for an archive that may have changed.
func placeOf(p state.Place, z zoom.Zoom) place {
	return place{searchOf(p.Search), savedSimilar(p.Search), p.View(z), state.IDOf(p.Turn), state.IDOf(p.Read), p.Home}
}

// searchOf reads a saved query. Filters that are unknown by now or wrong are dropped, and so is the mode; the words
// stay.
func searchOf(s state.Search) search.Search {
	text := querybar.New(s.Text) // cleans it
	q := search.Readable(text.Text())
	like := state.IDOf(s.Like)
	if like != uuid.Nil {
		q = query.Query{Filter: q.Filter}
	}
	q.Filter.Since, q.Filter.Until = time.Time{}, time.Time{} // the window is the view's
	if s.Mode == query.Keyword {
		q.Mode = query.Keyword
	}
	if s.PlainDates {
		q.Dates = query.DatesOff
	}
	if search.Refusal(q, like) != nil {
		q.Filter, q.Mode = query.Filter{}, ""
	}
	return search.Of(q, like)
}

func savedSimilar(s state.Search) search.Similar {
	if id := state.IDOf(s.Like); id != uuid.Nil {
		return search.Similar{Turn: id, Title: ui.Line(s.Title)}
	}
	return search.Similar{}
}
