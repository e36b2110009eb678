package app

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"lens/tui/search"
	"lens/tui/timeline"
)

// nameOf names a query in the legend of a comparison.
func (w *workspace) nameOf(s search.Search) string {
	title := ""
	if like := w.bar.Similar(); like.Turn == s.Like {
		title = like.Title
	}
	return cmp.Or(title, s.Text, "untitled")
}

// compared names the query whose results are shown, to compare it with the pinned ones; "" if it is one of them.
func (w *workspace) compared() string {
	shown := w.found.Search
	isShown := func(p search.Pin) bool { return p.Search == shown }
	if !shown.IsSomething() || slices.ContainsFunc(w.finder.Pins().All(), isShown) {
		return ""
	}
	return w.nameOf(shown)
}

// pinQuery pins or unpins the current query.
func (w *workspace) pinQuery() tea.Cmd {
	wanted, pins := w.bar.Search(), w.finder.Pins()
	notice, pinned, done := pins.Toggle(search.Pin{Search: wanted, Name: w.nameOf(wanted)})
	w.footer.Say(notice)
	look := w.timeline.Look()
	switch {
	case pinned:
		look.Form = timeline.Comparison
	case done && len(pins.All()) == 0:
		look.Form = timeline.Bars
	}
	w.timeline.SetLook(look)
	return nil
}
