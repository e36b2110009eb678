package details

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/theme"
	"lens/tui/turn"
	"lens/tui/ui"
)

// Subject is what the pane is about. All texts must be clean.
type Subject struct {
	Match   *Match          // nil: none is under the cursor
	Turn    *retrieval.Turn // nil: none is open
	Search  *Search         // nil: there is no result
	Listing *Listing        // in place of Search, without a query
	Archive Archive
}

// Match is the match under the cursor.
type Match struct {
	*retrieval.Match
	Rank, Of int
	Listed   bool       // there is no query
	Mode     query.Mode // of the search
}

// Search is a result.
type Search struct {
	*retrieval.Peek
	Scope
	Query string
	Like  uuid.UUID // similar turns were searched for
	Limit int       // of matches
}

// Listing is the turns that are listed without a query.
type Listing struct {
	Scope
	Total   int
	Listed  string // which, and of how many
	Fullest []retrieval.ConversationCount
}

// Scope is what a search or a listing is restricted to, and how it is drawn.
type Scope struct {
	Window  string
	Filters []string
	Bins    string
}

// Archive is the archive and what is around it.
type Archive struct {
	Location string
	Limits   []string
	Chat     string              // the chat model; "": none
	Overview *retrieval.Overview // nil: not known yet
}

func (p *Pane) sections(s Subject) []section {
	all := []section{p.match(s.Match), sum(s.Match), p.turn(s.Turn, s.Match)}
	switch {
	case s.Listing != nil:
		all = append(all, p.listing(*s.Listing))
	case s.Search != nil:
		all = append(all, p.search(*s.Search))
	}
	return append(all, p.archive(s.Archive))
}

func (p *Pane) match(m *Match) section {
	if m == nil {
		return section{}
	}
	what := "Match"
	if m.Listed {
		what = "Listed turn"
	}
	s := section{title: fmt.Sprintf("%s %d of %s", what, m.Rank, theme.Number(m.Of))}
	s.add("title", cmp.Or(m.Title, "untitled"))
	if m.Score != nil {
		s.add("score", fmt.Sprintf("%.3f, the ranking score", *m.Score))
	}
	switch {
	case m.Listed:
	case m.Similarity != nil:
		s.add("meaning", fmt.Sprintf("%.3f, cosine similarity to the query", *m.Similarity))
	case m.Mode != query.Keyword:
		s.add("meaning", "unknown: this turn is not embedded")
	}
	if m.Time != nil {
		s.add("time", p.ui.Moment(*m.Time))
	} else {
		s.add("time", "undated")
	}
	if !m.OnPath {
		s.add("branch", "abandoned")
	}
	if m.SnippetIsSummary {
		s.add("snippet", "from a summary")
	}
	s.add("turn", m.TurnID.String())
	s.add("conversation", m.Conversation.String())
	return s
}

// sum is a table of what the score is the sum of, the greatest part first.
func sum(m *Match) section {
	if m == nil || m.Score == nil {
		return section{}
	}
	parts := slices.DeleteFunc(slices.Clone(m.Features), func(f retrieval.Feature) bool { return f.Value == 0 })
	if len(parts) == 0 {
		return section{}
	}
	slices.SortStableFunc(parts, func(a, b retrieval.Feature) int {
		return cmp.Compare(math.Abs(b.Value*b.Weight), math.Abs(a.Value*a.Weight))
	})
	s := section{title: fmt.Sprintf("Score %.3f is the sum of", *m.Score)}
	s.add("feature", "  value  weight  product")
	for _, f := range parts {
		s.add(strings.ReplaceAll(f.Name, "_", " "), fmt.Sprintf("%7.3f  %6g  %+7.3f", f.Value, f.Weight, f.Value*f.Weight))
	}
	return s
}

// turn describes the open turn. The match says some of it, if it is the same.
func (p *Pane) turn(t *retrieval.Turn, m *Match) section {
	if t == nil {
		return section{}
	}
	s := section{title: "Turn"}
	if m == nil || m.TurnID != t.TurnID {
		s.add("title", cmp.Or(t.Title, "untitled"))
		s.add("turn", t.TurnID.String())
	}
	place := theme.Number(t.Position + 1)
	if t.Turns > t.Position && t.OnPath {
		place += " of " + theme.Number(t.Turns)
	}
	s.add("position", place)
	s.add("source", t.Source)
	s.add("model", t.Model)
	if c := t.Chunk; c != nil {
		s.add("file", c.Path)
		s.add("pages", turn.Pages(c.Pages))
		s.add("part of", c.Part())
		s.add("kind", c.MIME)
		s.add("tag", c.ClientTag)
		s.add("record", c.ID)
		s.add("metadata", string(c.Meta))
	}
	if t.TimeSource != retrieval.FromMessage {
		s.add("time from", string(t.TimeSource))
	}
	if t.UsedSummary {
		s.add("summary", "used for search by meaning")
	}
	return s
}

// longestQuery is how much of a query is shown, in cells.
const longestQuery = 200

func (p *Pane) search(of Search) section {
	s := section{title: "Search"}
	if of.Like != uuid.Nil {
		s.add("similar to", of.Like.String())
	}
	s.add("query", ansi.Truncate(of.Query, longestQuery, p.ui.Theme.Glyphs.Ellipsis))
	s.add("ranked by", map[query.Mode]string{
		query.Keyword: "words",
		query.Dense:   "meaning",
		query.Hybrid:  "words and meaning",
	}[of.Mode])
	s.add("window", of.Window)
	s.add("filters", strings.Join(of.Filters, ", "))
	counted := theme.Count(of.Histogram.Total, "match", "matches")
	s.add("counted", fmt.Sprintf("%s (limit %s)", counted, theme.Number(of.Limit)))
	c := of.Coverage
	if c.Truncated && !c.Uncounted {
		s.add("out of", theme.Count(c.Matching, "matching turn", "matching turns"))
	}
	s.add("searched", theme.Count(c.Candidates, "turn", "turns"))
	s.add("embedded", theme.Percent(c.Embedded)+" of turns with an answer")
	if c.Confidence != nil {
		s.add("confidence", fmt.Sprintf("%.2f that these turns speak of the query", *c.Confidence))
	}
	if c.Faint {
		s.add("note", "no clear match; showing the nearest")
	}
	took := of.Timing
	s.add("took", fmt.Sprintf("%.1f ms (embedding %.1f, search %.1f)", took.Total, took.Embed, took.Search))
	s.add("bins", of.Bins)
	return s
}

func (p *Pane) listing(of Listing) section {
	s := section{title: "Turns in view"}
	s.add("window", of.Window)
	s.add("filters", p.ui.Theme.Remarks(of.Filters...))
	s.add("in total", theme.Count(of.Total, "turn", "turns"))
	s.add("listed", of.Listed)
	for _, f := range of.Fullest {
		s.add("most active", fmt.Sprintf("%s (%s)", f.Title, theme.Number(f.Turns)))
	}
	s.add("bins", of.Bins)
	return s
}

func (p *Pane) archive(a Archive) section {
	s := section{title: "Archive"}
	s.add("location", a.Location)
	s.add("limits", p.ui.Theme.Remarks(a.Limits...))
	o := a.Overview
	if o == nil {
		return s
	}
	s.add("turns", theme.Number(o.Turns))
	s.add("conversations", theme.Number(o.Conversations))
	if o.OffPath > 0 {
		s.add("abandoned", theme.Number(o.OffPath)+" more on abandoned branches")
	}
	if o.Undated > 0 {
		s.add("undated", theme.Number(o.Undated))
	}
	if o.First != nil && o.Last != nil {
		s.add("first", p.ui.Moment(*o.First))
		s.add("last", p.ui.Moment(*o.Last))
	}
	s.add("embedding model", cmp.Or(ui.Line(o.Model), "none"))
	if o.Model != "" {
		s.add("embedded", theme.Percent(o.Embedded)+" of turns with an answer")
	}
	s.add("chat", a.Chat)
	return s
}
