// Package state is what the explorer restores in its next run.
package state

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/retrieval/timebin"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// Session is the state that the explorer restores in the next run: the history, bookmarks, and the appearance. It
// contains queries and titles, so it must be stored as privately as the archive.
type Session struct {
	Places    []Place    `json:"places,omitempty"` // the history, oldest first
	At        int        `json:"at,omitempty"`     // index of the current place
	Bookmarks []Bookmark `json:"bookmarks,omitempty"`
	Pinned    []Search   `json:"pinned,omitempty"` // restored after a lock; another run begins without a comparison
	Starred   []Star     `json:"starred,omitempty"`
	Look
}

// Without returns what may stay of a session after turns are forgotten: how things look, and the bookmarks and stars
// that lead to no such turn and quote no title that the archive forgot with it. The history goes, and so do pinned
// queries: their words do not show whether they are about these turns.
func (s Session) Without(isGone func(turn uuid.UUID) bool, titles []string) Session {
	kept := Session{Look: s.Look}
	for _, mark := range s.Bookmarks {
		if !mark.leadsTo(isGone) && !mark.quotes(titles) {
			kept.Bookmarks = append(kept.Bookmarks, mark)
		}
	}
	for _, star := range s.Starred {
		if !isGone(IDOf(star.Turn)) {
			kept.Starred = append(kept.Starred, star)
		}
	}
	return kept
}

// Star is a conversation that the user has starred, with its first turn.
type Star struct {
	Conversation string `json:"conversation"`
	Turn         string `json:"turn"`
}

// IsEmpty reports whether nothing is saved.
func (s Session) IsEmpty() bool {
	return len(s.Places) == 0 && len(s.Bookmarks) == 0 && len(s.Pinned) == 0 && len(s.Starred) == 0 && s.Look == Look{}
}

// Look is how the user wants things shown. It says nothing of the archive.
type Look struct {
	Chart    int    `json:"chart,omitempty"` // 0 bars, 1 a line; with the pinned queries 2 rows, 3 lines
	ByDate   bool   `json:"by_date,omitempty"`
	Reversed bool   `json:"by_date_oldest,omitempty"` // with ByDate
	Oldest   bool   `json:"oldest_first,omitempty"`   // without a query
	Share    bool   `json:"share,omitempty"`          // of all turns, instead of counts
	OneScale bool   `json:"one_scale,omitempty"`      // of rows
	Counted  int    `json:"counted,omitempty"`        // 0 as usual, 1 matches, 2 turns with all the words
	Wide     bool   `json:"all_time,omitempty"`
	Theme    string `json:"theme,omitempty"` // only if chosen by the user
	NoMouse  bool   `json:"no_mouse,omitempty"`
	Local    bool   `json:"local_time,omitempty"`
	Sizes    Sizes  `json:"sizes,omitzero"`
	Recent   string `json:"recent_commands,omitempty"` // chosen in the palette, latest first, with blanks between
}

// Sizes has the user's changes to pane sizes, in steps; zeros are the default.
type Sizes struct {
	List  int `json:"list,omitempty"`  // steps wider than usual beside the turn, or higher above it
	Chart int `json:"chart,omitempty"` // lines higher than usual
	Chat  int `json:"chat,omitempty"`  // steps higher than usual below the turn
}

// Sessions saves sessions, as privately as the archive.
type Sessions interface {
	// Load returns the session that was saved last; false for none.
	Load() (Session, bool)
	// Save replaces it. It is called after changes, and at exit. Errors: ErrReadOnly.
	Save(Session) error
}

// ErrReadOnly is in the chain of an error about a place where nothing can be written. One may want that, unlike a full
// disk.
var ErrReadOnly = errors.New("read-only")

// Place is a query and a window.
type Place struct {
	Search
	From   int64  `json:"from"` // UTC seconds, half-open; both 0: all time
	To     int64  `json:"to"`
	Bin    string `json:"bin,omitempty"` // "" or as timebin.Parse reads it
	Cursor int64  `json:"cursor,omitempty"`
	Turn   string `json:"turn,omitempty"` // the ID of the match under the cursor
	Read   string `json:"read,omitempty"` // the ID of the open turn, if it is another one
	Home   bool   `json:"home,omitempty"` // it is the page that says what the archive is about
}

// Search is a query with its filters.
type Search struct {
	Text  string     `json:"text,omitempty"`  // as it is typed: query.Query.String
	Like  string     `json:"like,omitempty"`  // the ID of the turn to find similar ones to
	Title string     `json:"title,omitempty"` // of that turn
	Mode  query.Mode `json:"mode,omitempty"`

	PlainDates bool `json:"plain_dates,omitempty"` // dates in Text are words and nothing more
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
func (s *Search) migrate() {
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
}

// Bookmark is a named place.
type Bookmark struct {
	Name string    `json:"name"`
	Made time.Time `json:"made"`
	Place
}

// leadsTo reports whether one of the turns of a place is gone.
func (p Place) leadsTo(isGone func(turn uuid.UUID) bool) bool {
	return slices.ContainsFunc([]string{p.Turn, p.Read, p.Like}, func(text string) bool {
		id := IDOf(text)
		return id != uuid.Nil && isGone(id)
	})
}

// quotes reports whether a bookmark has one of the titles. Its name is suggested from a title.
func (b Bookmark) quotes(titles []string) bool {
	text := strings.ToLower(strings.Join([]string{b.Name, b.Text, b.Title}, "\n"))
	return slices.ContainsFunc(titles, func(title string) bool {
		title = strings.ToLower(ui.Line(title))
		return title != "" && strings.Contains(text, title)
	})
}

// View returns the window of a place, in an archive that may have changed.
func (p Place) View(z zoom.Zoom) zoom.View {
	if p.To > p.From {
		z = z.Look(zoom.Span{From: p.From, To: p.To})
	}
	if bin, err := timebin.Parse(p.Bin); err == nil {
		z.Bin = bin
	}
	if z.Holds(p.Cursor) {
		z.Cursor = p.Cursor
	}
	return z.View
}

// SetView sets the window of a place, of an archive of a span.
func (p *Place) SetView(v zoom.View, all zoom.Span) {
	p.From, p.To, p.Bin, p.Cursor = 0, 0, "", v.Cursor
	if v.Span != all {
		p.From, p.To = v.From, v.To
	}
	if !v.Bin.IsAuto() {
		p.Bin = v.Bin.String()
	}
}

// ID returns an ID as it is saved: "" for none.
func ID(id uuid.UUID) string {
	if id == uuid.Nil {
		return ""
	}
	return id.String()
}

// IDOf parses a saved ID, uuid.Nil if it is invalid, so that a damaged session does no harm.
func IDOf(text string) uuid.UUID {
	id, err := uuid.Parse(text)
	if err != nil {
		return uuid.Nil
	}
	return id
}
