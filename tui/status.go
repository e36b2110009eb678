package tui

import (
	"fmt"
	"time"

	"lens/retrieval/query"
	"lens/tui/theme"
)

// The status: what happens, and what came of it.

// slow is the wait after which the status says how to cancel.
const slow = 2 * time.Second

// outcome describes the search that gave the results, or how long the current one has taken.
func (m *model) outcome() string {
	if wait := m.wait(); wait >= max(1, m.pace.shown) {
		what := m.wantedFind().Doing()
		switch {
		case !m.archive.IsOpen():
			what = m.archive.Opening()
		case m.finder.IsReadingRest():
			what = "reading the rest"
		}
		text := fmt.Sprintf("%s %.1f s", what, wait.Seconds())
		if wait >= slow {
			text = m.ui.Theme.Remarks(text, m.ui.Key("interrupt")+" cancels")
		}
		return text
	}
	switch p := m.found.Peek; {
	case m.finder.Failure().Message != "" && m.isSearching():
		return "search failed"
	case m.isSearching() && p != nil && !m.finder.IsStale():
		took := fmt.Sprintf("%.0f ms", max(1, p.Timing.Total))
		return m.ui.Theme.Remarks(modeName(p.Mode), vectorWords(p), took)
	case !m.isSearching() && m.archive.Overview() != nil:
		overview := m.archive.Overview()
		holds := theme.Count(overview.Turns, "turn", "turns")
		if m.width >= stackFrom {
			holds += " in " + theme.Count(overview.Conversations, "conversation", "conversations")
		}
		return holds
	}
	return ""
}

func modeName(mode query.Mode) string {
	switch mode {
	case query.Keyword:
		return "keyword only"
	case query.Dense:
		return "by meaning"
	}
	return string(mode)
}

func (m *model) turnInvitation() string {
	if m.isSearching() {
		return "Select a match to read it"
	}
	return "Select a turn to read it"
}

func (m *model) ruleView(r rect) []string {
	lines := make([]string, r.h)
	for i := range lines {
		lines[i] = m.ui.Theme.Dim.Render(m.ui.Theme.Glyphs.Vertical)
	}
	return lines
}

func (m *model) tinyView(r rect) []string {
	const says = "Lens needs %dx%d (now %dx%d) - %s quits"
	text := fmt.Sprintf(says, leastWidth, leastHeight, m.width, m.height, m.ui.Key("quit"))
	return []string{m.ui.Theme.Fit(text, r.w)}
}
