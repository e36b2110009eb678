package app

import (
	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"
)

// Chart, list and turn are three views of one selection:
//
//   - a brush narrows the list at once;
//   - the cursor of the chart takes that of the list to the best match of its bin, which is read;
//   - the cursor of the list, the best match of another query, another turn of a conversation, a citation and a
//     bookmark take the cursor of the chart to their bin;
//   - the rail marks the turn that is read, or points to where it is out of view.

// linked is what the cursor of the chart has yet to follow: a turn whose time is not known before it is read.
type linked struct{ pursued uuid.UUID }

func (l *linked) pursue(turn uuid.UUID) { l.pursued = turn }

// followTurn moves the cursor of the chart to the pursued turn, once its time is known.
func (w *workspace) followTurn() {
	if at, ok := w.timeOf(w.linked.pursued); ok {
		w.timeline.Follow(at)
		w.linked = linked{}
	}
}

// timeOf returns the time of a turn that is among the results or was read; false for none, and for the undated.
func (w *workspace) timeOf(turn uuid.UUID) (at int64, ok bool) {
	if turn == uuid.Nil {
		return 0, false
	}
	if match, _ := w.finder.Match(turn); match != nil && match.Time != nil {
		return match.Time.Unix(), true
	}
	if t, known := w.reader.Known(turn); known && t.Time != nil {
		return t.Time.Unix(), true
	}
	return 0, false
}

// unlisted says that another turn is read than the one under the list's cursor, "" where it is the same or about to be.
// Whether it matches is only known where all matches are listed.
func (w *workspace) unlisted() string {
	read := w.reader.Wanted()
	_, pending := w.results.Pending()
	if read == uuid.Nil || read == w.results.Selected() || pending != uuid.Nil || !w.finder.IsCurrent() {
		return ""
	}
	switch match, _ := w.finder.Match(read); {
	case match == nil && w.finder.Found().HasAllMatches():
		return "not a match"
	case w.results.Len() == 0: // nothing is
		return ""
	}
	return "not listed"
}

// listed returns how many matches are listed of the window, which a brush does not change.
func (w *workspace) listed() int {
	if _, brushed := w.timeline.Brushed(); brushed {
		return max(1, w.results.Len())
	}
	return w.results.Len()
}

// toggleKeep lists all matches, or those of the window and the brush.
func (w *workspace) toggleKeep() tea.Cmd {
	w.keepAll = !w.keepAll
	what := "turns"
	if w.isSearching() {
		what = "matches"
	}
	w.footer.Say("Listing the " + what + " in view")
	if w.keepAll {
		w.footer.Say("Listing all " + what + " (" + w.ui.Key("keep-all") + ": those in view)")
	}
	return nil
}

// bringWindow brings the window to the turn that is read.
func (w *workspace) bringWindow() tea.Cmd {
	at, ok := w.timeOf(w.reader.Wanted())
	if !ok {
		w.footer.Say("No dated turn is read")
		return nil
	}
	w.timeline.Bring(at)
	return nil
}
