package app

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"lens/tui/archive"
	"lens/tui/conversations"
	"lens/tui/details"
	"lens/tui/dialog"
	"lens/tui/errlog"
	"lens/tui/external"
	"lens/tui/footer"
	"lens/tui/home"
	"lens/tui/reader"
	"lens/tui/results"
	"lens/tui/search"
	"lens/tui/state"
	"lens/tui/timeline"
	"lens/tui/ui"
	"lens/tui/welcome"
)

// workspace is what an unlocked archive has: all that the model knows of its texts, and of the questions about them.
// Locking drops it.
type workspace struct {
	ui    *ui.Context
	opts  *Options
	shown time.Duration // before the status shows that a request takes long

	archive *archive.Archive[Engine]

	restoring *Session // the saved session, until the archive is open
	keeper    *state.Keeper[keepKey]
	bookmarks *state.Bookmarks
	chats     *conversations.Conversations

	bar      *search.Bar
	keepAll  bool // all matches are listed, whatever the window and the brush
	hintKeys int  // key presses since the hint about meaning appeared
	places   history[place]
	linked   linked

	finder   *search.Finder
	found    search.Result // the result shown; may answer an older query
	asked    search.Search // when it was last looked at
	results  *results.List
	reader   *reader.Reader
	timeline *timeline.Timeline
	details  *details.Pane
	exporter *external.Exporter
	welcome  *welcome.Page
	home     *home.Page
	atHome   bool // it is shown instead of the panes
	footer   *footer.Line

	dialogs dialog.Stack

	errors *errlog.Log
}

// newWorkspace returns an empty workspace.
func (m *model) newWorkspace() *workspace {
	w := &workspace{
		ui:    m.ui,
		opts:  &m.opts,
		shown: m.pace.shown,
		archive: archive.New(m.ui, archive.Options[Engine]{
			Opener: m.opts.Archive, First: m.pace.update, Again: m.pace.limit,
		}),
		finder: search.NewFinder(m.ui, search.Options{
			TopK: topK, Typing: m.pace.typing, Aside: m.pace.aside, Shown: m.pace.shown,
		}),
		keeper:    state.NewKeeper[keepKey](m.ui, m.opts.Sessions, m.pace.keeping),
		bookmarks: state.NewBookmarks(m.ui),
		chats:     conversations.New(m.ui),
		results:   results.New(m.ui),
		reader:    reader.New(m.ui, reader.Options{Storage: m.opts.Storage, Pause: m.pace.glance}),
		details:   details.New(m.ui),
		timeline:  timeline.New(m.ui),
		exporter: external.New(m.ui, external.Options{
			Writer: m.opts.Export, Env: m.opts.Terminal.Environ, Closed: m.opts.closed(),
		}),
		welcome: welcome.New(m.ui, welcome.Options{
			Archive: m.opts.Paths.Archive, Imports: m.opts.Jobs != nil, Look: m.opts.Look, Servers: m.opts.Servers,
		}),
		home:   home.New(m.ui, home.Options{MakeTopics: m.opts.Topics}),
		footer: footer.New(m.ui),
		errors: errlog.New(m.ui, m.opts.Paths.Log),
	}
	w.bar = search.NewBar(m.ui, search.BarOptions{Results: onScreen{w}, Pause: m.pace.typing})
	return w
}

// onScreen tells the query bar of the results on the screen.
type onScreen struct{ *workspace }

// Titles returns the titles of the latest results.
func (s onScreen) Titles() []string { return s.finder.Titles() }

// Title returns the title of a conversation, also that of the open turn.
func (s onScreen) Title(conversation uuid.UUID) string {
	if t := s.reader.Opened(); t != nil && t.Conversation == conversation {
		return t.Title
	}
	return s.finder.Title(conversation)
}

// Dates returns the dates that the query of the latest results names.
func (s onScreen) Dates() string { return s.finder.Dates() }

// Past returns the queries of the history, latest first, each once and without the one in the bar.
func (s onScreen) Past() []string {
	known := map[string]bool{"": true, s.bar.Search().Text: true}
	var all []string
	for _, p := range slices.Backward(s.places.past()) {
		if !known[p.Text] {
			known[p.Text] = true
			all = append(all, p.Text)
		}
	}
	return all
}

// Conversation returns the conversation of the match under the cursor.
func (s onScreen) Conversation() uuid.UUID { return s.finder.Conversation(s.results.Selected()) }

// setEngine gives the components the engine of the opened archive.
func (w *workspace) setEngine(engine Engine) {
	w.finder.SetEngine(engine)
	w.reader.SetSource(engine)
	w.timeline.SetSource(engine)
	w.bar.SetValues(engine)
	w.home.SetSource(engine)
	w.chats.SetSource(engine)
}

// surveyed shows the archive as it is now. At first it restores the session.
func (w *workspace) surveyed(msg archive.Surveyed) {
	w.home.SetDays(msg.Days)
	w.home.SetConversations(msg.Overview.Conversations)
	if msg.Again {
		w.timeline.Grow(msg.Overview, msg.Days)
		return
	}
	w.timeline.Open(msg.Overview, msg.Days)
	w.places = history[place]{} // drop places from before the archive was open
	w.places.push(w.place())
	w.restore()
}

// isSearching reports whether there is a query.
func (w *workspace) isSearching() bool { return w.bar.Search().IsSomething() }

// parts returns the components. What the app does with all of them, it does with those that can.
func (w *workspace) parts() []any {
	return []any{
		w.archive, w.keeper, w.finder, w.bar, w.timeline, w.results, w.reader, w.details, w.exporter, w.welcome, w.home,
		w.chats, &w.dialogs,
	}
}

// openMenu opens a menu.
func (w *workspace) openMenu(opts dialog.MenuOptions) {
	w.ui.Post(dialog.Open{Dialog: dialog.NewMenu(w.ui, opts)})
}
