package timeline

import (
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/retrieval/query"
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

	Best, BestOf int // of the best matches of all time so many are in the window, of so many; 0 of 0: that says nothing
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
	d := p.look.drawn(p.in.Peek)
	if p.in.nearest() && !d.occurrences {
		d.noun = "nearest"
	}
	return d
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

// nearest reports whether what is found is only the nearest by meaning, and no match.
func (f Found) nearest() bool { return f.Searching && f.Peek != nil && f.Peek.IsNearest() }

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

// Tally says how much of the archive is in view, or of what is found in it, longest first: "258 matches, 56 have all
// the words", "258 matches". It is nil where there is nothing to tell.
func (t *Timeline) Tally(archive *retrieval.Overview) []string {
	switch f := t.in.Found; {
	case f.Searching && (f.Peek == nil || f.Stale || t.zoom.IsEmpty()), !f.Searching && archive == nil:
		return nil
	case f.Searching:
		return f.matchTally(t.zoom)
	default:
		return f.turnTally(t.zoom, archive)
	}
}

func (f Found) matchTally(z zoom.Zoom) []string {
	shown, total := f.tally(z)
	of := theme.Count(total, "match", "matches")
	similar := f.Peek.Like != uuid.Nil && f.Peek.Mode == query.Dense // the other modes also find its words
	switch {
	case similar && f.Peek.Coverage.Truncated:
		of = theme.Count(total, "most similar turn", "most similar turns")
	case similar:
		of = theme.Count(total, "similar turn", "similar turns")
	case f.nearest():
		of = theme.Number(total) + " nearest"
		if total == 1 {
			of = "nearest turn"
		}
	case f.Peek.Coverage.Truncated:
		of = "best " + of
	}
	plain := of
	switch {
	case shown < total && (f.nearest() || f.Peek.Coverage.Truncated):
		plain = theme.Number(shown) + " of the " + of
	case shown < total:
		plain = theme.Number(shown) + " of " + of
	case f.nearest() || similar && f.Peek.Coverage.Truncated:
		plain = "the " + of
	}
	all := []string{plain}
	switch {
	case shown < total:
		all = append([]string{plain + " in view"}, all...)
	case f.Window != (zoom.Span{}):
		all = append([]string{plain + " in this window"}, all...)
	}
	holding := f.holding(z)
	if holding != "" {
		all = append([]string{plain + ", " + holding}, all...)
	}
	if f.Best < shown && shown == total && f.BestOf > 0 { // a bar of all time had fewer
		here := plain + " here, " + theme.Number(f.Best) + " of the best " + theme.Number(f.BestOf) + " of all time"
		if all = append([]string{here}, all...); holding != "" {
			all = append([]string{here + ", " + holding}, all...)
		}
	}
	if undated := f.Peek.Histogram.Undated; undated > 0 && z.IsAll() {
		all = append([]string{all[0] + ", " + theme.Number(undated) + " undated"}, all...)
	}
	return all
}

// holding says how many turns in view have all words of the query, "" if they are the matches.
func (f Found) holding(z zoom.Zoom) string {
	o := f.Peek.Occurrences
	if o == nil || o.Total == f.Peek.Histogram.Total {
		return ""
	}
	n := len(z.Of(o.Times))
	if z.IsAll() {
		n = o.Total
	}
	words := " all the words"
	switch {
	case f.Peek.Words.One():
		words = " the word"
	case n == 0 && f.nearest():
		words = " the words"
	}
	switch n {
	case 0:
		if f.nearest() && f.Peek.Histogram.Total == 1 {
			return "which lacks" + words
		}
		return "none has" + words
	case 1:
		return "1 has" + words
	}
	return theme.Number(n) + " have" + words
}

func (f Found) turnTally(z zoom.Zoom, archive *retrieval.Overview) []string {
	turns := theme.Count(archive.Turns, "turn", "turns")
	all := []string{turns + " in " + theme.Count(archive.Conversations, "conversation", "conversations"), turns}
	switch {
	case f.Peek == nil || f.Stale || z.IsEmpty():
		return all
	case f.Narrowed || !z.IsAll():
		shown, _ := f.tally(z)
		all = []string{theme.Number(shown) + " of " + turns}
	}
	if undated := f.Peek.Histogram.Undated; undated > 0 && z.IsAll() {
		all = append([]string{all[0] + ", " + theme.Number(undated) + " undated"}, all...)
	}
	return all
}
