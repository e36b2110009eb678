package tui

import (
	"lens/tui/details"
	"lens/tui/histogram"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// What the details pane is about: the match under the cursor, the turn, the search, and the archive.

func (m *model) subject() details.Subject {
	s := details.Subject{Turn: m.reader.Opened(), Archive: m.archiveFacts()}
	p := m.found.Peek
	if p == nil {
		return s
	}
	if match, rank := m.finder.Match(m.results.Selected()); match != nil {
		s.Match = &details.Match{
			Match: match, Rank: rank, Of: p.Histogram.Total, Listed: !m.found.IsSomething(), Mode: p.Mode,
		}
	}
	scope := details.Scope{
		Window: m.windowWords(m.found.Window), Filters: m.bar.Labels(m.found.Sought), Bins: m.timeline.Bins(),
	}
	if !m.found.IsSomething() {
		s.Listing = &details.Listing{
			Scope: scope, Total: p.Histogram.Total, Listed: m.results.Remark(), Fullest: m.found.Fullest,
		}
		return s
	}
	s.Search = &details.Search{
		Peek: p, Scope: scope, Query: m.found.WithoutFilters(), Like: m.found.Like, Limit: topK,
	}
	return s
}

func (m *model) windowWords(s zoom.Span) string {
	if s == (zoom.Span{}) {
		return "all time"
	}
	return histogram.Crumb(s.From, s.To)
}

func (m *model) archiveFacts() details.Archive {
	a := details.Archive{Location: ui.Line(m.opts.Paths.Archive), Limits: m.badges(), Overview: m.archive.Overview()}
	if c := m.opts.Chat; c.Investigator != nil {
		a.Chat = ui.Line(c.Model + " at " + c.Host)
	}
	return a
}
