package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/retrieval/timebin"
	"lens/tui/async"
	"lens/tui/querybar"
	"lens/tui/results"
	"lens/tui/search"
	"lens/tui/theme"
	"lens/tui/timeline"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// Session is the state that the explorer restores in the next run: the history, bookmarks, and the appearance. It
// contains queries and titles, so it must be stored as privately as the archive.
type Session struct {
	Places    []Place    `json:"places,omitempty"` // the history, oldest first
	At        int        `json:"at,omitempty"`     // index of the current place
	Bookmarks []Bookmark `json:"bookmarks,omitempty"`
	Pinned    []Sought   `json:"pinned,omitempty"`
	Chart     int        `json:"chart,omitempty"` // 0 bars, 1 a line, 2 pinned queries
	ByDate    bool       `json:"by_date,omitempty"`
	Oldest    bool       `json:"oldest_first,omitempty"` // without a query
	Share     bool       `json:"share,omitempty"`        // of all turns, instead of counts
	Wide      bool       `json:"all_time,omitempty"`
	Theme     string     `json:"theme,omitempty"` // only if chosen by the user
	NoMouse   bool       `json:"no_mouse,omitempty"`
	Local     bool       `json:"local_time,omitempty"`
	Sizes     Sizes      `json:"sizes,omitzero"`
}

// Sessions saves sessions, as privately as the archive.
type Sessions interface {
	// Load returns the session that was saved last; false for none.
	Load() (Session, bool)
	// Save replaces it. It is called after changes, and at exit.
	Save(Session) error
}

// Place is a query and a window.
type Place struct {
	Sought
	From   int64  `json:"from"` // UTC seconds, half-open; both 0: all time
	To     int64  `json:"to"`
	Bin    string `json:"bin,omitempty"` // "" or as timebin.Parse reads it
	Cursor int64  `json:"cursor,omitempty"`
	Turn   string `json:"turn,omitempty"` // the ID of the match under the cursor
	Read   string `json:"read,omitempty"` // the ID of the open turn, if it is another one
}

// Sought is a query with its filters.
type Sought struct {
	Text  string     `json:"text,omitempty"`  // as it is typed: query.Query.String
	Like  string     `json:"like,omitempty"`  // the ID of the turn to find similar ones to
	Title string     `json:"title,omitempty"` // of that turn
	Mode  query.Mode `json:"mode,omitempty"`
	formerly
}

// formerly is how versions before the grammar saved a query, whose words were literal.
type formerly struct {
	Query        string `json:"query,omitempty"`
	Conversation string `json:"conversation,omitempty"`
	Keyword      bool   `json:"keyword,omitempty"`
	Branches     bool   `json:"branches,omitempty"`
	Source       string `json:"source,omitempty"`
}

// migrate turns a query of an earlier version into text. It checks nothing: reading drops what is wrong.
func (s *Sought) migrate() {
	old := s.formerly
	s.formerly = formerly{}
	if s.Text != "" || old == (formerly{}) {
		return
	}
	items := []string{query.Literal(old.Query).String()}
	if old.Source != "" {
		items = append(items, "source:"+query.QuoteValue(old.Source))
	}
	if old.Conversation != "" {
		items = append(items, "conversation:"+query.QuoteValue(old.Conversation))
	}
	if old.Branches {
		items = append(items, "branches:yes")
	}
	if old.Keyword {
		s.Mode = query.Keyword
	}
	s.Text = strings.TrimSpace(strings.Join(items, " "))
}

// migrate brings what an earlier version saved up to date.
func (s *Session) migrate() {
	for i := range s.Places {
		s.Places[i].migrate()
	}
	for i := range s.Bookmarks {
		s.Bookmarks[i].migrate()
	}
	for i := range s.Pinned {
		s.Pinned[i].migrate()
	}
}

// Bookmark is a named place.
type Bookmark struct {
	Name string    `json:"name"`
	Made time.Time `json:"made"`
	Place
}

// mostPlaces bounds the saved history.
const mostPlaces = 200

// session returns the state to save.
func (m *model) session() Session {
	if m.restoring != nil { // not restored yet: keep the saved state
		return *m.restoring
	}
	m.places.replace(m.place())
	kept, at := m.places.places, m.places.at
	if cut := len(kept) - mostPlaces; cut > 0 {
		kept, at = kept[cut:], max(0, at-cut)
	}
	s := Session{
		At:        at,
		Bookmarks: m.bookmarks,
		Chart:     int(m.timeline.Look().Form),
		ByDate:    m.results.Sorting().ByDate,
		Oldest:    m.results.Sorting().Oldest,
		Share:     m.timeline.Look().Share,
		Wide:      m.wide,
		NoMouse:   m.noMouse,
		Local:     m.local,
		Sizes:     m.sizes,
	}
	for _, p := range kept {
		s.Places = append(s.Places, keptPlace(p, m.timeline.Zoom().All))
	}
	for _, p := range m.finder.Pins().All() {
		s.Pinned = append(s.Pinned, keptSought(p.Sought, p.Name))
	}
	if m.themed {
		s.Theme = string(m.ui.Theme.Name)
	}
	return s
}

func keptSought(s search.Sought, title string) Sought {
	return Sought{Text: s.Text, Like: idText(s.Like), Title: title, Mode: s.Mode}
}

func keptPlace(p place, all zoom.Span) Place {
	out := Place{
		Sought: keptSought(p.Sought, p.like.Title),
		Cursor: p.view.Cursor,
		Turn:   idText(p.chosen),
		Read:   idText(p.read),
	}
	if p.view.Span != all {
		out.From, out.To = p.view.From, p.view.To
	}
	if !p.view.Bin.IsAuto() {
		out.Bin = p.view.Bin.String()
	}
	return out
}

func idText(id uuid.UUID) string {
	if id == uuid.Nil {
		return ""
	}
	return id.String()
}

// idOf parses an ID, uuid.Nil if it is invalid, so that a damaged session does no harm.
func idOf(text string) uuid.UUID {
	id, err := uuid.Parse(text)
	if err != nil {
		return uuid.Nil
	}
	return id
}

// dress restores what does not need the archive: the appearance, bookmarks, and with asked the query and the history.
func (m *model) dress(s Session, asked bool) {
	s.migrate()
	m.bookmarks, m.sizes, m.noMouse, m.wide = s.Bookmarks, s.Sizes.within(), s.NoMouse, s.Wide
	m.setLocal(s.Local)
	m.results.SetSorting(results.Sorting{ByDate: s.ByDate, Oldest: s.Oldest})
	if name, ok := theme.Parse(s.Theme); ok && m.opts.Settings.Theme == "" {
		m.themed = true
		m.setTheme(name)
	}
	var pins []search.Pin
	for _, p := range s.Pinned {
		pins = append(pins, search.Pin{Sought: p.sought(), Name: ui.Line(p.Title)})
	}
	m.finder.Pins().Set(pins)
	look := m.timeline.Look()
	look.Share = s.Share
	form := timeline.Form(s.Chart)
	if form > timeline.Bars && form <= timeline.Comparison && (form != timeline.Comparison || len(pins) > 0) {
		look.Form = form
	}
	m.timeline.SetLook(look)
	if asked && s.At >= 0 && s.At < len(s.Places) {
		m.restoring = &s
		here := s.Places[s.At].Sought
		m.bar.Want(here.sought().Query(), here.exemplar())
	}
}

// sought reads a saved query. A filter that is unknown by now or wrong is dropped, and so is the mode; the words stay.
func (s Sought) sought() search.Sought {
	q := search.Readable(querybarText(s.Text))
	like := idOf(s.Like)
	if like != uuid.Nil {
		q = query.Query{Filter: q.Filter}
	}
	q.Filter.Since, q.Filter.Until = time.Time{}, time.Time{} // the window is the view's
	if s.Mode == query.Keyword {
		q.Mode = query.Keyword
	}
	if search.Refusal(q, like) != nil {
		q.Filter, q.Mode = query.Filter{}, ""
	}
	return search.Of(q, like)
}

func (s Sought) exemplar() search.Exemplar {
	if id := idOf(s.Like); id != uuid.Nil {
		return search.Exemplar{Turn: id, Title: ui.Line(s.Title)}
	}
	return search.Exemplar{}
}

// querybarText returns text as the query bar would clean it.
func querybarText(text string) string {
	b := querybar.New(text)
	return b.Text()
}

// restore restores the history once the archive is open.
func (m *model) restore() {
	s := m.restoring
	if s == nil {
		return
	}
	m.restoring = nil
	var places []place
	for _, p := range s.Places {
		places = append(places, p.place(m.timeline.Zoom()))
	}
	if m.bar.Sought() != places[s.At].Sought { // the query was edited meanwhile
		return
	}
	m.places.places, m.places.at = places, s.At
	m.arrive(places[s.At])
}

// place converts a saved place for an archive that may have changed.
func (p Place) place(z zoom.Zoom) place {
	if p.To > p.From {
		z = z.Look(zoom.Span{From: p.From, To: p.To})
	}
	if bin, err := timebin.Parse(p.Bin); err == nil {
		z.Bin = bin
	}
	if z.Holds(p.Cursor) {
		z.Cursor = p.Cursor
	}
	return place{p.sought(), p.exemplar(), z.View, idOf(p.Turn), idOf(p.Read)}
}

// keepKey changes whenever the state to save does.
type keepKey struct {
	places, at, bookmarks, pinned int
	place                         place
	look                          timeline.Look
	sorting                       results.Sorting
	wide, noMouse, local          bool
	theme                         theme.Name
	sizes                         Sizes
}

// keepsSession reports whether the session is worth saving: one that is about to be loaded must not be overwritten.
func (m *model) keepsSession() bool {
	return m.opts.Sessions != nil && m.archive.Overview() != nil && !m.reloading
}

// chaseKeeping saves the session some time after a change, so that even a kill loses little.
func (m *model) chaseKeeping() tea.Cmd {
	if !m.keepsSession() || m.restoring != nil {
		return nil
	}
	key := keepKey{
		places:    len(m.places.places),
		at:        m.places.at,
		bookmarks: m.bookmarkings,
		pinned:    len(m.finder.Pins().All()),
		place:     m.place(),
		look:      m.timeline.Look(),
		sorting:   m.results.Sorting(),
		wide:      m.wide,
		noMouse:   m.noMouse,
		local:     m.local,
		theme:     m.ui.Theme.Name,
		sizes:     m.sizes,
	}
	if m.kept == (keepKey{}) {
		if m.finder.IsBusy() {
			return nil
		}
		m.kept = key // the restored state
	}
	if key == m.kept {
		return nil
	}
	m.kept = key
	ctx, gen, _ := m.lanes.keep.Ask(m.ui.Ctx, key, m.ui.Now())
	session := m.session()
	save, pause := m.opts.Sessions.Save, m.pace.keeping
	return m.ui.Tasks.Command(func() tea.Msg {
		if !async.Wait(ctx, pause) {
			return nil
		}
		return keptMsg{gen, save(session)}
	})
}

// takeKept reports the first failure to save the session.
func (m *model) takeKept(msg keptMsg) {
	if m.lanes.keep.Accept(msg.gen) && msg.err != nil && !m.unkept {
		m.unkept = true
		m.complain("saving the session", "Couldn't save the session", msg.err)
	}
}
