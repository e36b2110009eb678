package app

import (
	"fmt"

	"lens/retrieval"
	"lens/tui/results"
	"lens/tui/search"
	"lens/tui/timeline"
	"lens/tui/zoom"
)

// find tells the finder what is wanted, and lists what it has found. With another search one no longer finds in a
// conversation.
func (w *workspace) find(focus pane) {
	if asked := w.bar.Search(); asked != w.asked {
		w.asked = asked
		w.reader.LeaveFind()
	}
	bin := ""
	if z := w.timeline.Zoom(); z.All.Width() > 0 { // the finest bins fit what is not known yet
		bin = z.Unit().String()
	}
	w.finder.Want(search.Wanted{
		Key:    w.wantedFind(),
		Words:  w.bar.Query().Text,
		View:   w.timeline.Zoom().Span,
		All:    w.timeline.Zoom().IsAll(),
		Bin:    bin,
		Typing: focus == paneQuery,
	})
	w.finder.Pins().Show(w.timeline.Look().Form >= timeline.Rows)
	if w.archive.IsOpen() {
		w.found = w.finder.Found()
		w.results.Show(w.shownResults(focus))
	}
}

// shownResults returns what the list shows.
func (w *workspace) shownResults(focus pane) results.Found {
	z, f := w.timeline.Zoom(), w.found
	view, brushed := w.timeline.Brushed()
	if !brushed {
		view = z.Span
	}
	kept := w.keepAll && f.Window == zoom.Span{}
	n, more, known := w.finder.Elsewhere()
	var filters []string
	// Only then they are named, and naming them reads the query again.
	if f.Peek != nil && (len(f.Peek.Matches) == 0 || f.Peek.Coverage.Faint) {
		filters = w.bar.Labels(w.bar.Search())
	}
	return results.Found{
		Peek:     f.Peek,
		Fullest:  f.Fullest,
		Searched: f.IsSomething(),
		Oldest:   f.Order == search.OldestFirst,
		Query:    fmt.Sprint(f.Text, " ", f.Like, " ", f.PlainDates),
		Ranked:   f.Ranked(),
		View:     view,
		All:      kept || z.IsAll() && !brushed,
		Brushed:  brushed,
		Kept:     kept && (brushed || !z.IsAll()),
		Stale:    w.finder.IsStale(),
		Current:  w.finder.IsCurrent(),
		Final:    w.finder.IsListed(),
		Failure:  w.finder.Failure(),
		NoTurns:  w.bar.NoTurns(),
		Missing: results.Missing{
			Searching:       w.isSearching(),
			OneConversation: len(w.bar.Query().Filter.Conversations.In) > 0,
			Filters:         filters,
			Windowed:        f.Window != (zoom.Span{}),
			Holding:         w.finder.Holding(),
			Suggestion:      w.finder.Suggestion(),
			Elsewhere:       n,
			AtLeast:         more,
			ElsewhereKnown:  known,
			Typing:          focus == paneQuery,
			ToChart:         w.keyToChart(focus),
		},
	}
}

// matches returns the search whose matches the reader marks, nil without a query.
func (w *workspace) matches() *retrieval.Peek {
	if !w.found.IsSomething() {
		return nil
	}
	return w.found.Peek
}

// keyToChart returns the key that moves the focus to the histogram, "" if it has it.
func (w *workspace) keyToChart(focus pane) string {
	switch focus {
	case paneTimeline:
		return ""
	case paneQuery:
		return w.ui.Key("query.leave-query")
	}
	return w.ui.Key("histogram")
}

// wantedFind returns the search for the current query and view.
func (w *workspace) wantedFind() search.Key {
	if w.timeline.Zoom().IsAll() || w.keepAll {
		return w.findIn(zoom.Span{})
	}
	return w.findIn(w.timeline.Zoom().Span)
}

// findIn returns that search in another window.
func (w *workspace) findIn(window zoom.Span) search.Key {
	key := search.Key{Search: w.bar.Search(), Window: window}
	switch {
	case w.isSearching():
		key.Occurrences = w.timeline.Look().Counted == timeline.Occurrences
	case w.results.Sorting().Oldest:
		key.Order = search.OldestFirst
	default:
		key.Order = search.ByDate
	}
	return key
}
