package app

import (
	"lens/tui/details"
	"lens/tui/histogram"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// What the details pane is about: the match under the cursor, the turn, the search, and the archive.

func (w *workspace) subject() details.Subject {
	s := details.Subject{Turn: w.reader.Opened(), Archive: w.archiveFacts()}
	p := w.found.Peek
	if p == nil {
		return s
	}
	if match, rank := w.finder.Match(w.results.Selected()); match != nil {
		s.Match = &details.Match{
			Match: match, Rank: rank, Of: p.Histogram.Total, Listed: !w.found.IsSomething(), Mode: p.Mode,
		}
	}
	scope := details.Scope{
		Window: w.windowWords(w.found.Window), Filters: w.bar.Labels(w.found.Search), Bins: w.timeline.Bins(),
	}
	if !w.found.IsSomething() {
		s.Listing = &details.Listing{
			Scope: scope, Total: p.Histogram.Total, Listed: w.results.Remark(), Fullest: w.found.Fullest,
		}
		return s
	}
	s.Search = &details.Search{
		Peek: p, Scope: scope, Query: w.found.WithoutFilters(), Like: w.found.Like, Limit: topK,
	}
	return s
}

func (w *workspace) windowWords(s zoom.Span) string {
	if s == (zoom.Span{}) {
		return "all time"
	}
	return histogram.Crumb(s.From, s.To, w.ui.Theme)
}

func (w *workspace) archiveFacts() details.Archive {
	a := details.Archive{Location: ui.Line(w.opts.Paths.Archive), Limits: w.badges(), Overview: w.archive.Overview()}
	if c := w.opts.Chat; c.Investigator != nil {
		a.Chat = ui.Line(c.Model + " at " + c.Host)
	}
	return a
}

// badges name current limits: offline, read-only.
func (w *workspace) badges() []string {
	var badges []string
	if w.opts.Offline {
		badges = append(badges, "offline")
	}
	if limit := w.archive.Limit(); limit != "" {
		badges = append(badges, limit)
	}
	return badges
}
