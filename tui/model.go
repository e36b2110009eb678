package tui

import (
	"cmp"
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/histogram"
	"lens/tui/info"
	"lens/tui/matches"
	"lens/tui/querybar"
	"lens/tui/theme"
	"lens/tui/turn"
)

// pane is what can have the focus.
type pane int

const (
	paneQuery pane = iota
	paneHistogram
	paneMatches
	paneTurn
	paneInfo
	paneChat // what was answered
	paneAsk  // the question that is typed
)

// panes go round with tab; the query has its own key.
var panes = []pane{paneHistogram, paneMatches, paneTurn}

// model is the explorer's state. Only the loop of Bubble Tea touches it.
type model struct {
	ctx  context.Context
	opts Options
	env  tea.EnvMsg
	crew crew
	now  func() time.Time
	pace pace
	beat beat

	width, height int
	profile       colorprofile.Profile
	theme         theme.Theme
	themed        bool // by choice: the terminal's background does not decide
	keys          keymap
	focus         pane
	maximised     bool
	over          overlay // nil: the panes have the keys
	noMouse       bool    // the terminal has it
	local         bool    // times are told by the clock of this machine
	pressed       mousePress
	chord         string // the keys of a command that were pressed so far
	notice        string // said in the footer until the next key
	heeded        int    // keys since there was a hint about meaning
	ticking       bool

	engine   Engine
	limit    string // what limits what can be done with the archive: "read only"
	overview *retrieval.Overview
	turns    profile // when there were how many

	restoring    *Session // what was kept, until the archive is there
	bookmarks    []Bookmark
	bookmarkings int // how often they have changed
	kept         keepKey
	unkept       bool  // it was said that nothing can be kept
	sizes        Sizes // of panes, as a person made them

	bar    querybar.Bar
	like   exemplar  // whose like is sought, instead of the query
	narrow narrowing // of what is sought
	typing bool      // since the query bar got the focus something was typed: its changes are one place
	zoom   zoom
	share  bool
	form   form
	pinned []pin // to compare; at most histogram.MaxSeries
	wide   bool  // matches are those of all time, wherever one zooms
	places history[place]
	choose uuid.UUID // the match to put the cursor on when the matches of a place are there

	found    find // what is shown; its query may be an older one
	finds    shelf[findKey, find]
	listing  listing
	standing standing
	order    order
	oldest   bool // turns are browsed from the oldest on, not from the newest
	marked   map[uuid.UUID]bool
	markings int
	list     matches.List

	meant shelf[string, string] // by queries that nothing matches

	followed uuid.UUID // the match under the cursor
	shown    uuid.UUID // the turn that is wanted in the turn pane
	landing  uuid.UUID // the turn to read when the matches of a place are there
	raw      bool
	opened   *retrieval.Turn
	read     shelf[uuid.UUID, *retrieval.Turn]
	page     turn.Page
	drawn    pageKey // what the page shows
	drawing  shelf[pageKey, turn.Text]
	remains  remains // of the turn, when it cannot be read

	guard guard
	talk  talk

	info  bool // facts stand where the turn does
	facts info.Page

	jobs    []*job
	lastJob int

	lanes  lanes
	failed map[pane]failure
	faults []fault // oldest first
}

// lanes are the kinds of requests, each with its key.
type lanes struct {
	open    lane[bool]
	survey  lane[bool]
	hours   lane[span]
	peek    lane[findKey]
	beyond  lane[findKey] // of the window without a match
	turn    lane[uuid.UUID]
	render  lane[pageKey]
	keep    lane[keepKey]
	suggest lane[string]
	answers lane[int]
	proof   lane[proofKey]
	pinned  [histogram.MaxSeries]lane[findKey]
}

// place is what back and forward restore.
type place struct {
	sought
	like   exemplar
	view   view
	chosen uuid.UUID // the match under the cursor
	read   uuid.UUID // the turn that is read, when it is another one
}

// findKey is a search: what is sought in a window. The zero window is all time, undated turns included.
type findKey struct {
	sought
	window span
	order  order // by which turns are listed where nothing is sought; else byScore
}

// find is what a search found, or what lies in a window where nothing is sought.
type find struct {
	findKey
	peek    *retrieval.Peek // nil: nothing has been searched
	fullest []retrieval.ConversationCount
}

// pageKey is everything that a rendered turn depends on.
type pageKey struct {
	turn  uuid.UUID
	width int
	theme theme.Name
	raw   bool
	local bool
	query string
}

func newModel(ctx context.Context, opts Options) *model {
	m := &model{
		ctx: ctx, opts: opts, env: tea.EnvMsg(opts.Environ), now: time.Now, pace: defaultPace, beat: newBeat(opts.FPS), profile: colorprofile.TrueColor, keys: defaultKeys(), focus: paneHistogram,
		finds: newShelf[findKey, find](32), meant: newShelf[string, string](32), read: newShelf[uuid.UUID, *retrieval.Turn](64), drawing: newShelf[pageKey, turn.Text](64),
		failed: map[pane]failure{}, marked: map[uuid.UUID]bool{},
	}
	m.opts.TopK = cmp.Or(opts.TopK, defaultTopK)
	m.bar = querybar.New(opts.Query)
	name, chosen := themeFor(opts.Theme, m.env)
	m.themed = chosen
	m.setTheme(name)
	m.dress(opts.Session)
	return m
}

// themeFor returns the theme to begin with, and whether it stands whatever the terminal's background is.
func themeFor(wanted string, env tea.EnvMsg) (name theme.Name, chosen bool) {
	if name, ok := theme.Parse(wanted); ok {
		return name, true
	}
	locale := cmp.Or(env.Getenv("LC_ALL"), env.Getenv("LC_CTYPE"), env.Getenv("LANG"))
	switch {
	case env.Getenv("TERM") == "linux", locale == "C", locale == "POSIX":
		return theme.ASCII, true
	case env.Getenv("NO_COLOR") != "":
		return theme.Mono, true
	}
	return theme.Dark, false
}

func (m *model) setTheme(name theme.Name) { m.theme = theme.New(name, m.profile) }

// Init asks for the terminal's background and opens the archive: both after the first frame.
func (m *model) Init() tea.Cmd {
	return tea.Batch(m.beat.keep(m.ctx), tea.RequestBackgroundColor, m.chase())
}

// query returns what is to be searched, "" for nothing.
func (m *model) query() string { return strings.TrimSpace(m.bar.Text()) }

// isStale reports whether what is shown answers another query than the one in the bar.
func (m *model) isStale() bool { return m.found.peek != nil && m.found.sought != m.sought() }

// isSearching reports whether matches are shown, or will be.
func (m *model) isSearching() bool { return m.sought().isSomething() }

// noArchive is the code of an error that says that there is no archive yet.
const noArchive = "not_found"

// isEmpty reports whether the archive is known to hold nothing, or not to be there.
func (m *model) isEmpty() bool {
	if m.engine == nil {
		return m.failed[paneHistogram].code == noArchive
	}
	return m.overview != nil && m.overview.Turns == 0
}
