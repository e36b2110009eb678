package tui

import (
	"time"

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
	"lens/tui/ui"
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
	typing     bool  // the query was edited since it got the focus; its edits are one history entry
	pinned     []pin // to compare; at most chart.MaxLines
	places     history[place]
	choose     uuid.UUID // the match to move the cursor to once the results arrive

	found    search.Result // the result shown; may answer an older query
	finds    lru.Cache[search.Key, search.Result]
	listing  listing
	noticed  bool // the last whole result had a notice
	standing standing
	marked   map[uuid.UUID]bool
	markings int
	list     matches.List

	meant lru.Cache[string, string] // spelling suggestions by query

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

func newWorkspace(c *ui.Context, opts *Options, pause time.Duration) *workspace {
	return &workspace{
		reader:   reader.New(c, reader.Options{Stored: opts.Stored, Pause: pause}),
		details:  details.New(c),
		timeline: timeline.New(c),
		exporter: external.New(c, external.Options{Writer: opts.Export, Env: opts.Environ}),
		home:     home.New(c, home.Options{Archive: opts.Archive, Imports: opts.Import != nil}),
		footer:   footer.New(c),
		finds:    lru.Cache[search.Key, search.Result]{Limit: 32},
		values:   lru.Cache[valueKey, []string]{Limit: 32},
		meant:    lru.Cache[string, string]{Limit: 32},
		failed:   map[pane]failure{},
		errors:   errlog.New(c, opts.Log),
		marked:   map[uuid.UUID]bool{},
	}
}
