package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/histogram"
	"lens/tui/info"
	"lens/tui/theme"
)

// What is listed where nothing is sought: the turns in view by their time, the newest first, and which conversations most of them are of.

// listed is how many turns are: half as many as a search finds, because nothing says that one of them is meant, and each costs memory and time
// while the first screen waits.
const listed = 200

// browse asks the engine for it, as for a search.
func (k findKey) browse(ctx context.Context, engine Engine, gen int) tea.Msg {
	opts := retrieval.BrowseOptions{Conversation: k.conversation, AllBranches: k.branches, Oldest: k.order == oldestFirst, Limit: listed}
	if k.source != "" {
		opts.Sources = []string{k.source}
	}
	if k.window != (span{}) {
		opts.Since, opts.Until = at(k.window.from), at(k.window.to)
	}
	b, err := engine.Browse(ctx, opts)
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil:
		return foundMsg{gen: gen, key: k, err: err}
	}
	peek := &retrieval.Peek{Matches: b.Matches, Times: b.Times, Histogram: retrieval.Histogram{Total: b.Total, Undated: b.Undated}}
	return foundMsg{gen: gen, key: k, peek: peek, fullest: b.TopConversations}
}

// doing names the request.
func (k findKey) doing() string {
	if k.isSomething() {
		return "searching"
	}
	return "listing"
}

// listName is the title of the list.
func (m *model) listName() string {
	if m.isSearching() {
		return "Matches"
	}
	return "Turns"
}

// noun is what the histogram counts, countFound so many of them.
func (m *model) noun() string {
	if m.isSearching() {
		return "matches"
	}
	return "turns"
}

func (m *model) countFound(n int) string {
	if m.isSearching() {
		return theme.Count(n, "match", "matches")
	}
	return theme.Count(n, "turn", "turns")
}

// browsedRemark says which turns are listed, of how many.
func (m *model) browsedRemark() string {
	which := "newest"
	if m.found.order == oldestFirst {
		which = "oldest"
	}
	shown, _ := m.tally()
	if n := m.list.Len(); n < shown {
		return which + " " + theme.Number(n) + " of " + theme.Number(shown)
	}
	return which + " first"
}

// browsedTally says how many turns are in view, where that is not all there is: at length, plainly, and in brief.
func (m *model) browsedTally() (long, plain, short string) {
	if undated := m.found.peek.Histogram.Undated; undated > 0 && m.zoom.isAll() {
		long = theme.Number(undated) + " undated"
	}
	if m.zoom.isAll() && !m.narrow.turns() {
		return long, "", ""
	}
	shown, _ := m.tally()
	plain = theme.Count(shown, "turn", "turns")
	return m.theme.Remarks(plain+" in view", long), plain, theme.Number(shown)
}

// leastTold is in how many lines there is room to say which conversations are the fullest.
const leastTold = 6

// tellsFullest reports whether a line below the title is theirs. It stays while others are counted.
func (m *model) tellsFullest(l layout) bool {
	return !m.isSearching() && m.found.peek != nil && l.matches.h >= leastTold && m.narrow.conversation == uuid.Nil &&
		(len(m.found.fullest) > 0 || m.found.findKey != m.wantedFind())
}

// listTop is how many lines stand above the rows of the list.
func (m *model) listTop(l layout) int {
	if m.tellsFullest(l) {
		return 2
	}
	return 1
}

// fullestLine names the conversations that most of the turns in view are of, as many as fit.
func (m *model) fullestLine(width int) string {
	if m.found.findKey != m.wantedFind() {
		return ""
	}
	line := " most in "
	for i, f := range m.found.fullest {
		count := fmt.Sprintf(" (%s)", theme.Number(f.Turns))
		if i == 0 {
			line += ansi.Truncate(f.Title, max(0, width-len(line)-len(count)), m.theme.Glyphs.Ellipsis) + count
			continue
		}
		if next := line + ", " + f.Title + count; ansi.StringWidth(next) <= width {
			line = next
		}
	}
	return line
}

// addFullest lists the bin with the most turns, which leads there, and the fullest conversations, each of which narrows the list to it.
func (m *model) addFullest(add func(label, right string, do func() tea.Cmd)) {
	c := m.chart()
	busiest := -1
	for i, b := range c.Bins {
		if b.Count > 0 && (busiest < 0 || b.Count > c.Bins[busiest].Count) {
			busiest = i
		}
	}
	if busiest >= 0 && len(c.Bins) > 1 {
		b := c.Bins[busiest]
		in := span{b.Start, b.End}.clip(m.zoom.span)
		add("busiest "+c.Unit.String()+": "+histogram.Crumb(in.from, in.to), theme.Count(b.Count, "turn", "turns"), m.lookAt(in))
	}
	if m.found.findKey != m.wantedFind() || m.narrow.conversation != uuid.Nil {
		return
	}
	for _, f := range m.found.fullest {
		add("conversation "+m.theme.Quoted(f.Title), theme.Count(f.Turns, "turn", "turns"), func() tea.Cmd {
			m.seek(func() { m.narrow.conversation = f.Conversation })
			return nil
		})
	}
}

// browsedFacts tell what is listed.
func (m *model) browsedFacts() info.Section {
	s := info.Section{Title: "Turns in view"}
	s.Add("window", m.windowWords(m.found.window))
	s.Add("only", m.theme.Remarks(m.found.words()...))
	s.Add("there are", theme.Count(m.found.peek.Histogram.Total, "turn", "turns"))
	s.Add("listed", m.browsedRemark())
	for _, f := range m.found.fullest {
		s.Add("most in", fmt.Sprintf("%s (%s)", f.Title, theme.Number(f.Turns)))
	}
	s.Add("bins", m.binRemark())
	return s
}
