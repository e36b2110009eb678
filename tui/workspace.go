package tui

import (
	"github.com/google/uuid"

	"lens/internal/lru"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/details"
	"lens/tui/dialog"
	"lens/tui/errlog"
	"lens/tui/external"
	"lens/tui/footer"
	"lens/tui/home"
	"lens/tui/matches"
	"lens/tui/querybar"
	"lens/tui/reader"
	"lens/tui/search"
	"lens/tui/timeline"
)

// workspace is what an unlocked archive has: all that the model knows of its texts, and of the questions about them.
// Locking drops it.
type workspace struct {
	engine   Engine
	limit    string // a limit of the archive: "read-only"
	overview *retrieval.Overview

	restoring    *Session // the saved session, until the archive is open
	reloading    bool     // the saved session is being loaded after unlocking
	bookmarks    []Bookmark
	bookmarkings int // counts changes of bookmarks
	kept         keepKey

	bar        querybar.Bar
	asked      query.Query     // what the bar says, with the filters and the mode
	identity   search.Sought   // of asked
	like       search.Exemplar // finds similar turns, instead of the query's words
	draft      draft
	values     lru.Cache[valueKey, []string] // of the archive, for completion
	completing completing
	typing     bool // the query was edited since it got the focus; its edits are one history entry
	places     history[place]
	choose     uuid.UUID // the match to move the cursor to once the results arrive

	finder   *search.Finder
	found    search.Result // the result shown; may answer an older query
	listing  listing
	standing standing
	marked   map[uuid.UUID]bool
	markings int
	list     matches.List

	followed uuid.UUID // the match under the cursor
	landing  uuid.UUID // the turn to open once the results arrive
	reader   *reader.Reader
	timeline *timeline.Timeline
	details  *details.Pane
	exporter *external.Exporter
	home     *home.Page
	footer   *footer.Line

	lanes lanes

	dialogs dialog.Stack

	failed map[pane]failure
	errors *errlog.Log
}

// newWorkspace returns an empty workspace.
func (m *model) newWorkspace() *workspace {
	return &workspace{
		finder: search.NewFinder(m.ui, search.Options{
			TopK: m.opts.TopK, Typing: m.pace.typing, Aside: m.pace.aside, Shown: m.pace.shown,
		}),
		reader:   reader.New(m.ui, reader.Options{Stored: m.opts.Stored, Pause: m.pace.glance}),
		details:  details.New(m.ui),
		timeline: timeline.New(m.ui),
		exporter: external.New(m.ui, external.Options{Writer: m.opts.Export, Env: m.opts.Environ}),
		home:     home.New(m.ui, home.Options{Archive: m.opts.Archive, Imports: m.opts.Import != nil}),
		footer:   footer.New(m.ui),
		values:   lru.Cache[valueKey, []string]{Limit: 32},
		failed:   map[pane]failure{},
		errors:   errlog.New(m.ui, m.opts.Log),
		marked:   map[uuid.UUID]bool{},
	}
}
