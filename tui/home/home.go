// Package home is the page that tells something before anything is asked: the weeks or days of all years as a heat map
// with what each quarter was about, the topics of the archive, what this week was about in earlier years, and when one
// asks.
//
// It reads what is kept with the archive. Topics that are missing or old are made in the background, and shown then.
package home

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/async"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// Source is what the page shows an archive with. See retrieval.Engine for the contracts.
type Source interface {
	AboutEach(ctx context.Context, windows ...retrieval.Window) ([]retrieval.About, error)
	Topics(ctx context.Context, q query.Query) (*retrieval.Topics, error)
	Habits(ctx context.Context, zone *time.Location) (*retrieval.Habits, error)
	Browse(ctx context.Context, q query.Query, opts retrieval.BrowseOptions) (*retrieval.BrowseResult, error)
}

// Options configures a page.
type Options struct {
	// MakeTopics makes the topics of the present archive, unless they are known; nil: those that are kept are shown.
	MakeTopics func(context.Context) error
}

// Messages that a page posts.
type (
	// LookInto is posted to look into a window, and with Lists to go to its turns at once.
	LookInto struct {
		Window zoom.Span
		Lists  bool
	}
	// Topic is posted to look into a topic, by a name that filters know it by.
	Topic struct{ Name string }
)

// Page shows an archive.
type Page struct {
	ui            *ui.Context
	opts          Options
	source        Source
	width, height int
	left, right   int // what is free beside it
	focused       bool

	heat    heatMap
	busiest []day // those with most turns, the fullest first
	talks   int   // conversations
	read    contents
	cursor  cursor

	reading  async.Latest[readKey] // what windows were about
	counting async.Latest[readKey] // topics and habits
	making   async.Latest[bool]
	made     bool  // the topics of the archive as it is were made
	failed   error // why nothing could be read, as reported; nil: something was
}

// contents are what the page has read. Counts come first: windows take several times as long in a large archive.
type contents struct {
	windows
	counts
}

// windows are what times were about.
type windows struct {
	parts      map[part]retrieval.About
	moments    []moment
	momentsAre string // what they have in common
}

// counts are what one asks about, and when.
type counts struct {
	topics retrieval.Topics
	habits retrieval.Habits
}

// moment is a week or a day worth going back to.
type moment struct {
	retrieval.About
	name     string
	title    retrieval.AboutTitle // of a conversation of it, if possible one that no moment above it has
	question string               // the first one of that conversation then, "" for none
}

// isAsked reports whether it has a question.
func (m moment) isAsked() bool { return m.question != "" }

// readKey is what the contents depend on, apart from the archive.
type readKey struct {
	zone string
	week time.Time // this week
	made bool
}

// windowsMsg delivers windows.
type windowsMsg struct {
	number int
	windows
	err error
}

// countsMsg delivers counts.
type countsMsg struct {
	number int
	counts
	err error
}

// New returns an empty page.
func New(c *ui.Context, opts Options) *Page { return &Page{ui: c, opts: opts} }

// SetSize sets the size of the page, in cells.
func (p *Page) SetSize(width, height int) {
	p.width, p.height = min(width, widest), height
	p.left = max(0, width-widest) / 2
	p.right = max(0, width-widest-p.left)
	p.keepCursor()
}

// widest is the width from which on it stays in the middle, where the map and the rows below it are about as wide.
const widest = 168

// SetFocused says whether the page has the focus.
func (p *Page) SetFocused(focused bool) { p.focused = focused }

// SetSource sets what the page reads, once the archive is open.
func (p *Page) SetSource(s Source) { p.source = s }

// SetConversations sets how many conversations the archive has.
func (p *Page) SetConversations(n int) { p.talks = n }

// SetDays sets the turns of the archive by day, and puts the cursor on the latest part unless it was moved.
func (p *Page) SetDays(days retrieval.Histogram) {
	p.heat, p.busiest = countTurns(days.Bins), fullest(days.Bins)
	if !p.cursor.moved {
		p.toEnd(-1)
		p.cursor.moved = false
	}
	p.keepCursor()
}

// day is a day with turns.
type day struct {
	retrieval.Window
	turns int
}

// fullest returns the days with most turns, the fullest first.
func fullest(days []retrieval.HistogramBin) (all []day) {
	days = slices.DeleteFunc(slices.Clone(days), func(d retrieval.HistogramBin) bool { return d.Count == 0 })
	slices.SortStableFunc(days, func(a, b retrieval.HistogramBin) int { return b.Count - a.Count })
	for _, d := range days[:min(len(days), mostDays)] {
		all = append(all, day{retrieval.Window{Since: d.Start, Until: d.End}, d.Count})
	}
	return all
}

// mostDays is how many of the busiest days are listed.
const mostDays = 7

// HasDays reports whether any turn has a date. Without, there is nothing to show.
func (p *Page) HasDays() bool { return len(p.heat.rows) > 0 }

// Reload reads the archive again, because it may have changed.
func (p *Page) Reload() {
	p.made = false
	p.Retry()
}

// Retry repeats what failed or was canceled.
func (p *Page) Retry() {
	p.failed = nil
	p.reading.Forget()
	p.counting.Forget()
	p.making.Forget()
}

// Stop cancels its requests and reports whether there was one.
func (p *Page) Stop() bool {
	reading, counting, making := p.reading.Stop(), p.counting.Stop(), p.making.Stop()
	return reading || counting || making
}

// Requests reads the archive, once for each state of it, zone and week. Topics that are missing or old are made.
func (p *Page) Requests() tea.Cmd {
	if p.source == nil || !p.HasDays() {
		return nil
	}
	now := p.ui.In(p.ui.Now())
	key := readKey{now.Location().String(), monday(now), p.made}
	return tea.Batch(p.requestCounts(now, key), p.requestWindows(now, key), p.requestTopics())
}

// reader returns what reads the page, now.
func (p *Page) reader(now time.Time) reader {
	days := make([]retrieval.Window, len(p.busiest))
	for i, d := range p.busiest {
		days[i] = d.Window
	}
	return reader{p.source, p.heat, p.heat.earlierWeeks(now), days, now.Location()}
}

func (p *Page) requestWindows(now time.Time, key readKey) tea.Cmd {
	ctx, number, ok := p.reading.Ask(p.ui.Ctx, key, p.ui.Now())
	if !ok {
		return nil
	}
	r := p.reader(now)
	return p.ui.Tasks.Command(func() tea.Msg {
		read, err := r.windows(ctx)
		if ctx.Err() != nil {
			return nil
		}
		return windowsMsg{number, read, err}
	})
}

func (p *Page) requestCounts(now time.Time, key readKey) tea.Cmd {
	ctx, number, ok := p.counting.Ask(p.ui.Ctx, key, p.ui.Now())
	if !ok {
		return nil
	}
	r := p.reader(now)
	return p.ui.Tasks.Command(func() tea.Msg {
		read, err := r.counts(ctx)
		if ctx.Err() != nil {
			return nil
		}
		return countsMsg{number, read, err}
	})
}

func (p *Page) requestTopics() tea.Cmd {
	if p.made || p.read.topics.Notice == "" || p.opts.MakeTopics == nil {
		return nil
	}
	ctx, number, ok := p.making.Ask(p.ui.Ctx, true, p.ui.Now())
	if !ok {
		return nil
	}
	makeTopics := p.opts.MakeTopics
	return p.ui.Tasks.Command(func() tea.Msg {
		err := makeTopics(ctx)
		if ctx.Err() != nil {
			return nil
		}
		return madeMsg{number, err}
	})
}

// reader reads what a page shows.
type reader struct {
	source Source
	heat   heatMap
	weeks  []retrieval.Window // this week in earlier years
	days   []retrieval.Window // the busiest
	zone   *time.Location     // of habits
}

func (r reader) windows(ctx context.Context) (read windows, err error) {
	parts := r.heat.parts()
	all := make([]retrieval.Window, 0, len(parts)+len(r.weeks)+len(r.days))
	for _, p := range parts {
		all = append(all, r.heat.window(p))
	}
	all = append(append(all, r.weeks...), r.days...)
	about, err := r.source.AboutEach(ctx, all...)
	if err != nil {
		return read, err
	}
	read.parts = make(map[part]retrieval.About, len(parts))
	for i, p := range parts {
		read.parts[p] = about[i]
	}
	r.chooseMoments(&read, about[len(parts):])
	for i := range read.moments {
		if err := r.ask(ctx, &read.moments[i]); err != nil {
			return read, err
		}
	}
	return read, nil
}

// ask reads the question of a moment.
func (r reader) ask(ctx context.Context, m *moment) error {
	q := query.Query{Filter: query.Filter{Since: m.Since, Until: m.Until}}
	q.Filter.Conversations.Add(m.title.Conversation, false)
	found, err := r.source.Browse(ctx, q, retrieval.BrowseOptions{Oldest: true, Limit: 1})
	if err != nil {
		return err
	}
	if len(found.Matches) > 0 {
		m.question = found.Matches[0].UserSnippet
	}
	return nil
}

func (r reader) counts(ctx context.Context) (read counts, err error) {
	topics, err := r.source.Topics(ctx, query.Query{Bin: sparkBin(r.heat.last.Sub(r.heat.first))})
	if err != nil {
		return read, err
	}
	habits, err := r.source.Habits(ctx, r.zone)
	if err != nil {
		return read, err
	}
	read.topics, read.habits = *topics, *habits
	return read, nil
}

// chooseMoments takes this week in earlier years or, where all were silent, the busiest days.
func (r reader) chooseMoments(read *windows, about []retrieval.About) {
	weeks, days := about[:len(r.weeks)], about[len(r.weeks):]
	read.momentsAre = "This week in earlier years"
	for _, a := range weeks {
		if len(a.Titles) > 0 {
			thursday := a.Since.AddDate(0, 0, 3) // to whose year a week belongs by ISO 8601
			read.add(a, theme.Year(thursday))
		}
	}
	if len(read.moments) > 0 {
		return
	}
	read.momentsAre = "Busiest days"
	for _, a := range days {
		if len(a.Titles) > 0 {
			read.add(a, theme.DayColumn(a.Since))
		}
	}
}

// add adds a moment.
func (w *windows) add(a retrieval.About, name string) {
	title := a.Titles[0]
	for _, t := range a.Titles {
		if !slices.ContainsFunc(w.moments, func(m moment) bool { return m.title.Title == t.Title }) {
			title = t
			break
		}
	}
	w.moments = append(w.moments, moment{About: a, name: name, title: title})
}

// sparkBin returns the bins of the rows of topics: the finest that leave room for a label.
func sparkBin(length time.Duration) string {
	const day, most = 24 * time.Hour, 14
	for _, bin := range []struct {
		name string
		days time.Duration
	}{{"week", 7}, {"month", 30}, {"quarter", 91}, {"6mo", 182}, {"year", 365}} {
		if length <= (most-2)*bin.days*day { // the first and the last may be partly in view
			return bin.name
		}
	}
	return "5y"
}

// madeMsg says that the topics were made, or why not.
type madeMsg struct {
	number int
	err    error
}

// Update handles what the archive is about, and that its topics were made.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case windowsMsg:
		if p.reading.Accept(msg.number) {
			p.show(msg.err, func() { p.read.windows = msg.windows })
		}
	case countsMsg:
		if p.counting.Accept(msg.number) {
			p.show(msg.err, func() { p.read.counts = msg.counts })
		}
	case madeMsg:
		switch {
		case !p.making.Accept(msg.number):
		case msg.err != nil: // what is kept stays on the page, with its notice
			p.ui.Post(ui.Failed{Doing: "finding topics", Said: "Couldn't find topics", Err: msg.err})
		default:
			p.made = true
		}
	}
	return nil
}

// show changes what the page shows, or reports why that cannot be read: once, where all reads fail alike.
func (p *Page) show(err error, change func()) {
	if err != nil {
		if p.failed != nil && p.failed.Error() == err.Error() {
			return
		}
		p.failed = err
		p.ui.Post(ui.Failed{Doing: "reading what the archive is about", Said: "Couldn't read topics", Err: err})
		return
	}
	p.failed = nil
	change()
	p.keepCursor()
}
