package tui

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/histogram"
	"lens/tui/info"
	"lens/tui/theme"
	"lens/tui/turn"
	"lens/tui/ui"
)

// The info pane: the match under the cursor, the turn, the search, and the archive.

func (m *model) infoView(r rect) []string {
	right := ""
	lines := m.facts.View(m.sections(), r.w, r.h-1, m.ui.Theme)
	if p := m.facts.Percent(); p < 100 {
		right = m.ui.Theme.Dim.Render(fmt.Sprintf("%d%%", p))
	}
	return append([]string{m.ui.Theme.Spread(m.tabs(paneInfo), right, r.w)}, lines...)
}

func scrollInfo(n int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		m.facts.Scroll(n)
		return nil
	}
}

func scrollInfoPages(n int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		m.facts.ScrollPage(n)
		return nil
	}
}

func (m *model) sections() []info.Section {
	var all []info.Section
	for _, s := range []info.Section{m.matchFacts(), m.turnFacts(), m.searchFacts(), m.archiveFacts()} {
		if len(s.Facts) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// matchFacts describes the match under the cursor.
func (m *model) matchFacts() info.Section {
	match, rank := m.matchUnderCursor()
	if match == nil {
		return info.Section{}
	}
	what := "Match"
	if !m.found.isSomething() {
		what = "Listed turn"
	}
	s := info.Section{Title: fmt.Sprintf("%s %d of %s", what, rank, theme.Number(m.found.peek.Histogram.Total))}
	s.Add("title", cmp.Or(match.Title, "untitled"))
	if match.Score != nil {
		s.Add("score", fmt.Sprintf("%.3f, the ranking score", *match.Score))
	}
	switch {
	case !m.found.isSomething():
	case match.Similarity != nil:
		s.Add("meaning", fmt.Sprintf("%.3f, cosine similarity to the query", *match.Similarity))
	case m.found.peek.Mode != query.Keyword:
		s.Add("meaning", "unknown: this turn is not embedded")
	}
	if match.Time != nil {
		s.Add("time", m.ui.Moment(*match.Time))
	} else {
		s.Add("time", "undated")
	}
	if !match.OnPath {
		s.Add("branch", "abandoned")
	}
	if match.SnippetIsSummary {
		s.Add("snippet", "from a summary")
	}
	s.Add("turn", match.TurnID.String())
	s.Add("conversation", match.Conversation.String())
	return s
}

// matchUnderCursor returns the match and its rank, nil when there is none.
func (m *model) matchUnderCursor() (*retrieval.Match, int) {
	chosen, ok := m.list.Chosen()
	if !ok || m.found.peek == nil {
		return nil, 0
	}
	for i := range m.found.peek.Matches {
		if match := &m.found.peek.Matches[i]; match.TurnID.String() == chosen.ID {
			return match, i + 1
		}
	}
	return nil, 0
}

// turnFacts describes the open turn.
func (m *model) turnFacts() info.Section {
	t := m.reader.Opened()
	if t == nil {
		return info.Section{}
	}
	s := info.Section{Title: "Turn"}
	if match, _ := m.matchUnderCursor(); match == nil || match.TurnID != t.TurnID {
		s.Add("title", cmp.Or(t.Title, "untitled"))
		s.Add("turn", t.TurnID.String())
	}
	place := theme.Number(t.Position + 1)
	if t.Turns > t.Position && t.OnPath {
		place += " of " + theme.Number(t.Turns)
	}
	s.Add("position", place)
	s.Add("source", t.Source)
	s.Add("model", t.Model)
	if c := t.Chunk; c != nil {
		s.Add("file", c.Path)
		s.Add("pages", turn.Pages(c.Pages))
		s.Add("kind", c.MIME)
		s.Add("tag", c.ClientTag)
		s.Add("record", c.ID)
		s.Add("metadata", string(c.Meta))
	}
	if t.TimeSource != "message" {
		s.Add("time from", t.TimeSource)
	}
	if t.UsedSummary {
		s.Add("summary", "used for search by meaning")
	}
	return s
}

// longestQuery is how much of a query is shown, in cells.
const longestQuery = 200

// searchFacts describes the search and its coverage.
func (m *model) searchFacts() info.Section {
	p := m.found.peek
	switch {
	case p == nil:
		return info.Section{}
	case !m.found.isSomething():
		return m.browsedFacts()
	}
	s := info.Section{Title: "Search"}
	if m.found.like != uuid.Nil {
		s.Add("similar to", m.found.like.String())
	}
	s.Add("query", ansi.Truncate(m.found.withoutFilters(), longestQuery, m.ui.Theme.Glyphs.Ellipsis))
	s.Add("ranked by", map[query.Mode]string{
		query.Keyword: "words",
		query.Dense:   "meaning",
		query.Hybrid:  "words and meaning",
	}[p.Mode])
	s.Add("window", m.windowWords(m.found.window))
	s.Add("filters", strings.Join(m.chipLabels(m.found.sought), ", "))
	counted := theme.Count(p.Histogram.Total, "match", "matches")
	s.Add("counted", fmt.Sprintf("%s (limit %s)", counted, theme.Number(m.opts.TopK)))
	c := p.Coverage
	if c.Truncated {
		s.Add("out of", theme.Count(c.Matching, "matching turn", "matching turns"))
	}
	s.Add("searched", theme.Count(c.Candidates, "turn", "turns")+", "+theme.Percent(c.Embedded)+" of the archive embedded")
	if c.Faint {
		s.Add("note", "no clear match; showing the nearest")
	}
	s.Add("took", fmt.Sprintf("%.1f ms (embedding %.1f, search %.1f)", p.Timing.Total, p.Timing.Embed, p.Timing.Search))
	s.Add("bins", m.binRemark())
	return s
}

func (m *model) windowWords(s span) string {
	if s == (span{}) {
		return "all time"
	}
	return histogram.Crumb(s.from, s.to)
}

// archiveFacts describes the archive.
func (m *model) archiveFacts() info.Section {
	s := info.Section{Title: "Archive"}
	s.Add("location", ui.Line(m.opts.Archive))
	s.Add("limits", m.ui.Theme.Remarks(m.badges()...))
	o := m.overview
	if o == nil {
		return s
	}
	s.Add("turns", theme.Number(o.Turns))
	s.Add("conversations", theme.Number(o.Conversations))
	if o.OffPath > 0 {
		s.Add("abandoned", theme.Number(o.OffPath)+" more on abandoned branches")
	}
	if o.Undated > 0 {
		s.Add("undated", theme.Number(o.Undated))
	}
	if o.First != nil && o.Last != nil {
		s.Add("first", m.ui.Moment(*o.First))
		s.Add("last", m.ui.Moment(*o.Last))
	}
	s.Add("embedding model", cmp.Or(ui.Line(o.Model), "none"))
	if o.Model != "" {
		s.Add("embedded", theme.Percent(o.Embedded))
	}
	if c := m.opts.Chat; c.Investigator != nil {
		s.Add("chat", ui.Line(c.Model+" at "+c.Host))
	}
	return s
}
