// Package home is the page that tells something before anything is asked: the weeks of all years as a heat map with
// what each quarter was about, the topics of the archive, what this week was about in earlier years, and when one asks.
//
// It reads what is kept with the archive. Topics that are missing or old are made in the background, and shown then.
package home

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/async"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// Source is what the page shows an archive with. See retrieval.Engine for the contracts.
type Source interface {
	AboutEach(ctx context.Context, windows ...retrieval.Window) ([]retrieval.About, error)
	Topics(ctx context.Context, q query.Query) (*retrieval.Topics, error)
	Habits(ctx context.Context, zone *time.Location) (*retrieval.Habits, error)
}

// Options configures a page.
type Options struct {
	// MakeTopics makes the topics of the present archive, unless they are known; nil: those that are kept are shown.
	MakeTopics func(context.Context) error
}

// Messages that a page posts.
type (
	// LookInto is posted to look into a window.
	LookInto struct{ Window zoom.Span }
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

	years       years
	first, last time.Time // the days of the first and the last turn
	busiest     time.Time // the day with most turns
	read        contents
	cursor      cursor

	reading async.Latest[readKey]
	making  async.Latest[bool]
	made    bool // the topics of the archive as it is were made
}

// contents are what the page has read.
type contents struct {
	quarters map[quarter]retrieval.About
	earlier  []week // this one in earlier years, the latest first; without those that have no title
	topics   retrieval.Topics
	habits   retrieval.Habits
}

// week is a week of an earlier year.
type week struct{ retrieval.About }

// year returns the year of its Thursday, to which it belongs by ISO 8601.
func (w week) year() string { return w.Since.AddDate(0, 0, 3).Format("2006") }

// readKey is what the contents depend on, apart from the archive.
type readKey struct {
	zone string
	week time.Time // this week
	made bool
}

// contentsMsg delivers contents.
type contentsMsg struct {
	number int
	contents
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
const widest = 136

// SetFocused says whether the page has the focus.
func (p *Page) SetFocused(focused bool) { p.focused = focused }

// SetSource sets what the page reads, once the archive is open.
func (p *Page) SetSource(s Source) { p.source = s }

// SetDays sets the turns of the archive by day, and puts the cursor on the latest quarter unless it was moved.
func (p *Page) SetDays(days retrieval.Histogram) {
	p.years, p.busiest = countYears(days.Bins), time.Time{}
	most := 0
	for _, d := range days.Bins {
		if d.Count == 0 {
			continue
		}
		if p.last = d.Start; most == 0 {
			p.first = d.Start
		}
		if d.Count > most {
			most, p.busiest = d.Count, d.Start
		}
	}
	if !p.cursor.moved {
		p.toEnd(-1)
		p.cursor.moved = false
	}
	p.keepCursor()
}

// HasDays reports whether any turn has a date. Without, there is nothing to show.
func (p *Page) HasDays() bool { return len(p.years) > 0 }

// Reload reads the archive again, because it may have changed.
func (p *Page) Reload() {
	p.made = false
	p.Retry()
}

// Retry repeats what failed or was canceled.
func (p *Page) Retry() {
	p.reading.Forget()
	p.making.Forget()
}

// Stop cancels its requests and reports whether there was one.
func (p *Page) Stop() bool {
	reading, making := p.reading.Stop(), p.making.Stop()
	return reading || making
}

// Requests reads the archive, once for each state of it, zone and week. Topics that are missing or old are made.
func (p *Page) Requests() tea.Cmd {
	if p.source == nil || !p.HasDays() {
		return nil
	}
	return tea.Batch(p.requestContents(), p.requestTopics())
}

func (p *Page) requestContents() tea.Cmd {
	now := p.ui.In(p.ui.Now())
	key := readKey{now.Location().String(), monday(now), p.made}
	ctx, number, ok := p.reading.Ask(p.ui.Ctx, key, p.ui.Now())
	if !ok {
		return nil
	}
	r := reader{p.source, p.quarters(), p.years.earlierWeeks(now), sparkBin(p.last.Sub(p.first)), now.Location()}
	return p.ui.Tasks.Command(func() tea.Msg {
		read, err := r.read(ctx)
		if ctx.Err() != nil {
			return nil
		}
		return contentsMsg{number, read, err}
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
	source   Source
	quarters []quarter
	weeks    []retrieval.Window // this week in earlier years
	bin      string             // of topics
	zone     *time.Location     // of habits
}

func (r reader) read(ctx context.Context) (read contents, err error) {
	windows := make([]retrieval.Window, 0, len(r.quarters)+len(r.weeks))
	for _, q := range r.quarters {
		windows = append(windows, q.window())
	}
	about, err := r.source.AboutEach(ctx, append(windows, r.weeks...)...)
	if err != nil {
		return read, err
	}
	read.quarters = make(map[quarter]retrieval.About, len(r.quarters))
	for i, q := range r.quarters {
		read.quarters[q] = about[i]
	}
	for _, earlier := range about[len(r.quarters):] {
		if len(earlier.Titles) > 0 {
			read.earlier = append(read.earlier, week{earlier})
		}
	}
	topics, err := r.source.Topics(ctx, query.Query{Bin: r.bin})
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
	case contentsMsg:
		switch {
		case !p.reading.Accept(msg.number):
		case msg.err != nil:
			p.ui.Post(ui.Failed{Doing: "reading what the archive is about", Said: "Couldn't read topics", Err: msg.err})
		default:
			p.read = msg.contents
			p.keepCursor()
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
