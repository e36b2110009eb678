package app

import (
	"cmp"
	"fmt"
	"time"

	"lens/retrieval"
	"lens/retrieval/query"
)

// The status: what happens, and what came of it.

// slow is the wait after which the status says how to cancel.
const slow = 2 * time.Second

// outcomes say what is found, and how or, while something is waited for, what that is and how long it has taken,
// longest first.
func (w *workspace) outcomes() []string {
	p, searching := w.found.Peek, w.isSearching()
	ways := []string{""}
	switch wait := w.waiting(); {
	case wait >= max(1, w.shown):
		ways = []string{w.waits(wait)}
	case searching && w.finder.Failure().Message != "":
		return []string{"search failed"}
	case searching && p != nil && !w.finder.IsStale():
		how := w.ui.Theme.Remarks(modeName(p), vectorWords(p))
		ways = []string{w.ui.Theme.Remarks(how, fmt.Sprintf("%.0f ms", max(1, p.Timing.Total))), how, ""}
	}
	tally := w.timeline.Tally(w.archive.Overview())
	if len(tally) == 0 || w.atHome && w.home.HasDays() { // which says it
		return ways
	}
	var all []string
	for _, found := range tally {
		all = append(all, w.ui.Theme.Remarks(found, ways[0]))
	}
	for _, way := range ways[1:] {
		all = append(all, w.ui.Theme.Remarks(tally[len(tally)-1], way))
	}
	return append(all, ways[0])
}

// waits says what is waited for, and how long so far.
func (w *workspace) waits(wait time.Duration) string {
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

// modeName says how was searched, "" where the count of matches with the words says it.
func modeName(p *retrieval.Peek) string {
	switch {
	case p.Mode == query.Keyword:
		return "words only"
	case p.Mode == query.Dense:
		return "meaning"
	case p.Occurrences != nil && p.Occurrences.Total != p.Histogram.Total:
		return ""
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
