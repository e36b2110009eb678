package timeline

import (
	"fmt"

	"lens/retrieval"
	"lens/tui/theme"
	"lens/tui/zoom"
)

// Inputs is what the timeline shows and others know.
type Inputs struct {
	Focused bool
	Failure string      // why the archive cannot be read; "": it can
	Hint    string      // what to do about that
	Past    []zoom.Span // the windows that led to the one in view, oldest first
	Pinned  []Pin
	Read    *int64 // the time of the turn that is read, nil for none
	Name    string // of what is found, to compare it with the pinned; "": it is one of them, or no query

	Found
}

// Found is the result of a search or, without a query, the turns that are listed.
type Found struct {
	Peek      *retrieval.Peek // nil: no result yet
	Window    zoom.Span       // of the result; the zero span is all time
	Searching bool            // matches are counted; else turns
	Narrowed  bool            // filters leave only some turns
	Stale     bool            // it answers an older query
}

// Pin is a query to compare with others, and what it finds.
type Pin struct {
	Name string
	Live bool            // it is the query of now
	Peek *retrieval.Peek // nil: no result yet
}

// drawn is what a chart draws of a result.
type drawn struct {
	noun  string
	times []int64 // of all that is counted and dated, ascending
	total int     // the undated, too
	peaks []retrieval.Peak

	occurrences bool
}

// drawn returns what a chart draws of a peek.
func (l Look) drawn(p *retrieval.Peek) drawn {
	_, _, o := p.Drawn()
	switch {
	case l.Counted == Matches:
		o = nil
	case l.Counted == Occurrences:
		o = p.Occurrences
	}
	if o != nil {
		return drawn{"occurrences", o.Times, o.Total, o.Peaks, true}
	}
	return drawn{"matches", p.Times, p.Histogram.Total, p.Peaks, false}
}

// drawn returns what is drawn of what is found.
func (p *plot) drawn() drawn {
	switch {
	case p.in.Peek == nil:
		return drawn{noun: p.in.noun()}
	case !p.in.Searching:
		return drawn{noun: p.in.noun(), times: p.in.Peek.Times, total: p.in.Peek.Histogram.Total}
	}
	return p.look.drawn(p.in.Peek)
}

// counts reports whether bars count what is found rather than all turns.
func (f Found) counts() bool { return f.Searching || f.Narrowed }

// noun names what is counted.
func (f Found) noun() string {
	if f.Searching {
		return "matches"
	}
	return "turns"
}

// within returns the times in a window, of which there may be none.
func (f Found) within(s zoom.Span) []int64 {
	if f.Peek == nil {
		return nil
	}
	return s.Of(f.Peek.Times)
}

// tally returns how much was found in view and in total. The undated is in view only when the whole archive is.
func (f Found) tally(z zoom.Zoom) (shown, total int) {
	if f.Peek == nil {
		return 0, 0
	}
	shown, total = len(f.within(z.Span)), f.Peek.Histogram.Total
	if z.IsAll() {
		shown = total
	}
	return shown, total
}

// tally is how much is in view, in three lengths; all empty where there is nothing to tell.
type tally struct {
	long, plain, short string
	brief              string // the best, said as briefly as possible
	holding            string // how many turns have all the words, if those are not the matches
	nearest            bool   // what is drawn is only near: that matters more than the legend
}

func (f Found) tallyWords(z zoom.Zoom, th theme.Theme) tally {
	switch {
	case f.Peek == nil || f.Stale:
		return tally{}
	case f.Searching:
		return f.matchTally(z)
	}
	return f.turnTally(z, th)
}

func (f Found) matchTally(z zoom.Zoom) (t tally) {
	shown, total := f.tally(z)
	best, coverage := "", f.Peek.Coverage
	switch {
	case coverage.Faint, f.Peek.OnlyNear() && f.Peek.HardlySpeaks() != "":
		best, t.nearest = "nearest ", true
	case coverage.Truncated:
		best = "best "
	}
	if shown == total {
		t.short, t.plain = best+theme.Number(total), best+theme.Count(total, "match", "matches")
		switch {
		case t.nearest:
			t.short = theme.Number(total) + " nearest"
			t.plain = t.short
		case best != "":
			t.plain = "the " + t.short
		}
		t.long = t.plain
		if f.Window != (zoom.Span{}) {
			t.long += " in this window"
		}
	} else {
		t.short = fmt.Sprintf("%s of %s%s", theme.Number(shown), best, theme.Number(total))
		full := t.short
		if best != "" {
			full = fmt.Sprintf("%s of the %s%s", theme.Number(shown), best, theme.Number(total))
		}
		t.plain, t.long = full+" matches", full+" matches in view"
	}
	if undated := f.Peek.Histogram.Undated; undated > 0 && z.IsAll() {
		t.long += ", " + theme.Number(undated) + " undated"
	}
	if o := f.Peek.Occurrences; o != nil && o.Total != total {
		holding := len(z.Of(o.Times))
		if z.IsAll() {
			holding = o.Total
		}
		t.brief = t.plain
		if best == "best " && shown == total {
			t.brief = theme.Number(total) + " best"
		}
		switch t.holding = theme.Number(holding) + " have all the words"; holding {
		case 0:
			t.holding = "none has all the words"
		case 1:
			t.holding = "1 has all the words"
		}
	}
	return t
}

// turnTally is short when all turns are in view.
func (f Found) turnTally(z zoom.Zoom, th theme.Theme) (t tally) {
	if undated := f.Peek.Histogram.Undated; undated > 0 && z.IsAll() {
		t.long = theme.Number(undated) + " undated"
	}
	if z.IsAll() && !f.Narrowed {
		return t
	}
	shown, _ := f.tally(z)
	t.plain, t.short = theme.Count(shown, "turn", "turns"), theme.Number(shown)
	t.long = th.Remarks(t.plain+" in view", t.long)
	return t
}
