package timeline

import (
	"context"
	"slices"
	"testing"
	"time"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/retrieval/timebin"
	"lens/tui/theme"
	"lens/tui/ui/uitest"
	"lens/tui/zoom"
)

// archive is a source of turns at known times.
type archive struct {
	times []int64 // ascending
	asked []query.Query
	wrong error // of every request
}

// everyDay returns an archive with a turn at noon of each day of five years, 2020 to 2024.
func everyDay() *archive {
	a := &archive{}
	for at := midnight("2020-01-01") + 12*zoom.HourLong; at < midnight("2025-01-01"); at += zoom.DayLong {
		a.times = append(a.times, at)
	}
	return a
}

func (a *archive) Activity(ctx context.Context, q query.Query) (*retrieval.Activity, error) {
	a.asked = append(a.asked, q)
	if a.wrong != nil {
		return nil, a.wrong
	}
	window := zoom.Span{From: q.Filter.Since.Unix(), To: q.Filter.Until.Unix()}
	bin, err := timebin.Parse(q.Bin)
	if err != nil {
		return nil, err
	}
	return &retrieval.Activity{Histogram: histogramOf(window.Of(a.times), window, bin.Next(0))}, ctx.Err()
}

func (a *archive) overview() *retrieval.Overview {
	if len(a.times) == 0 {
		return &retrieval.Overview{Turns: 1}
	}
	first, last := utc(a.times[0]), utc(a.times[len(a.times)-1])
	return &retrieval.Overview{Turns: len(a.times), First: &first, Last: &last}
}

func (a *archive) days() retrieval.Histogram {
	if len(a.times) == 0 {
		return retrieval.Histogram{}
	}
	all := zoom.New(a.times[0], a.times[len(a.times)-1], 1).All
	return histogramOf(a.times, all, zoom.DayLong)
}

func histogramOf(times []int64, window zoom.Span, width int64) (h retrieval.Histogram) {
	for from := window.From; from < window.To; from += width {
		n := len(zoom.Span{From: from, To: from + width}.Of(times))
		h.Bins = append(h.Bins, retrieval.HistogramBin{Start: utc(from), End: utc(from + width), Count: n})
		h.Total += n
	}
	return h
}

// found returns the result of a search for the turns that are chosen.
func (a *archive) found(chosen func(i int, at time.Time) bool) *retrieval.Peek {
	p := &retrieval.Peek{}
	for i, at := range a.times {
		if chosen(i, utc(at)) {
			p.Times = append(p.Times, at)
		}
	}
	p.Histogram.Total = len(p.Times)
	return p
}

// bursting is a result that has turns of all the time, and most of one month.
func bursting(i int, at time.Time) bool {
	return i%40 == 0 || at.Year() == 2022 && at.Month() == time.May
}

// app gives a timeline what an app would.
type app struct {
	*Timeline
	in Inputs
}

func (a *app) Arrange() { a.SetInputs(a.in) }

// driver drives the timeline of an archive.
type driver struct {
	*app
	*uitest.Driver
	archive *archive
}

func open(a *archive) driver {
	c := uitest.Context(theme.Mono)
	of := &app{Timeline: New(c), in: Inputs{Focused: true}}
	of.SetSize(130, 7)
	of.SetSource(a)
	of.Open(a.overview(), a.days())
	d := driver{of, uitest.Drive(c, of), a}
	d.Hear = func(posted any) {
		if _, ok := posted.(WindowChanged); ok {
			of.in.Past = append(of.in.Past, of.Zoom().Span)
		}
	}
	d.Run(nil)
	return d
}

// finding shows the result of a search.
func (d driver) finding(p *retrieval.Peek) driver {
	d.in.Found = Found{Peek: p, Searching: true}
	d.Run(nil)
	return d
}

// do runs commands by their ids and returns the posted messages.
func (d driver) do(t *testing.T, ids ...string) []any {
	t.Helper()
	d.Do(t, ids...)
	return d.Posted()
}

// Posted returns the posted messages, but for where the cursor has moved.
func (d driver) Posted() []any {
	return slices.DeleteFunc(d.Driver.Posted(), func(m any) bool { _, moved := m.(CursorMoved); return moved })
}

// enter shows the window between two days.
func (d driver) enter(from, to string) driver {
	d.Enter(zoom.Span{From: midnight(from), To: midnight(to)})
	d.Run(nil)
	d.Posted()
	return d
}

// head returns the text of the head in a width.
func (d driver) head(width int) string {
	before := d.width
	d.SetSize(width+1, d.height) // nothing is said in the last column
	defer d.SetSize(before, d.height)
	return uitest.Text([]string{d.Head()})
}

func (d driver) sum() (sum int) {
	for _, n := range d.counts() {
		sum += n
	}
	return sum
}

// midnight returns the second at which a date begins.
func midnight(date string) int64 {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		panic(err)
	}
	return t.Unix()
}
