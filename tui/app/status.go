package app

import (
	"cmp"
	"fmt"
	"time"

	"lens/retrieval/query"
	"lens/tui/theme"
)

// The status: what happens, and what came of it.

// slow is the wait after which the status says how to cancel.
const slow = 2 * time.Second

// outcome describes the search that gave the results, or how long the current one has taken.
func (w *workspace) outcome(width int) string {
	if wait := w.waiting(); wait >= max(1, w.shown) {
		what := w.wantedFind().Doing()
		switch {
		case !w.archive.IsOpen():
			what = w.archive.Opening()
		case w.finder.IsReadingRest():
			what = "reading the rest"
		case w.finder.IsListingAll():
			what = "listing all"
		case w.finder.IsListingMore():
			what = "listing more"
		}
		text := fmt.Sprintf("%s %.1f s", what, wait.Seconds())
		if wait >= slow {
			text = w.ui.Theme.Remarks(text, w.ui.Key("interrupt")+" cancels")
		}
		return text
	}
	switch p := w.found.Peek; {
	case w.finder.Failure().Message != "" && w.isSearching():
		return "search failed"
	case w.isSearching() && p != nil && !w.finder.IsStale():
		took := fmt.Sprintf("%.0f ms", max(1, p.Timing.Total))
		return w.ui.Theme.Remarks(modeName(p.Mode), vectorWords(p), took)
	case w.atHome && w.home.HasDays(): // which says it
	case !w.isSearching() && w.archive.Overview() != nil:
		overview := w.archive.Overview()
		holds := theme.Count(overview.Turns, "turn", "turns")
		if width >= stackFrom {
			holds += " in " + theme.Count(overview.Conversations, "conversation", "conversations")
		}
		if w.bar.Search().Narrows() {
			return "of " + holds
		}
		return holds
	}
	return ""
}

func modeName(mode query.Mode) string {
	switch mode {
	case query.Keyword:
		return "words only"
	case query.Dense:
		return "meaning"
	}
	return "words + meaning"
}

func (w *workspace) turnInvitation() string {
	if w.isSearching() {
		return "Select a match to read it"
	}
	return "Select a turn to read it"
}

// waiting returns how long the oldest visible request has taken, 0 for none.
func (w *workspace) waiting() (longest time.Duration) {
	each(w.parts(), func(p interface{ Waiting() time.Duration }) { longest = max(longest, p.Waiting()) })
	return longest
}

// remark returns the line above the footer: the progress of jobs, else what the search says about itself, else the hint
// about meaning; "" for none.
func (m *model) remark() string {
	return cmp.Or(m.progress(), m.searchNotice(m.width), m.meaningHint(m.width))
}

// progress describes the progress of all jobs, "" for none.
func (m *model) progress() string {
	words := m.jobs.Progress()
	if len(words) > 0 && m.isSearching() {
		words = append(words, "counts still growing")
	}
	return m.ui.Theme.Remarks(words...)
}
