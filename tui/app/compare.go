package app

import (
	"cmp"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"lens/tui/dialog"
	"lens/tui/search"
	"lens/tui/timeline"
	"lens/tui/ui"
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

// openPinned lists the pinned queries. Selecting one searches it.
func (w *workspace) openPinned() tea.Cmd {
	pins := w.finder.Pins()
	if len(pins.All()) == 0 {
		w.footer.Say("Nothing pinned (" + w.ui.Key("pin") + " pins the query)")
		return nil
	}
	var items []dialog.Item
	for i, pin := range pins.All() {
		items = append(items, dialog.Item{
			ID:    strconv.Itoa(i),
			Label: pin.Name,
			Do:    ui.Do(func() { w.seek(func() { w.bar.Want(pin.Query(), search.Similar{Turn: pin.Like, Title: pin.Name}) }) }),
		})
	}
	unpin := func(item dialog.Item) (tea.Cmd, string) {
		i, _ := strconv.Atoi(item.ID)
		w.togglePin(pins.All()[i])
		return nil, ""
	}
	w.openMenu(dialog.MenuOptions{
		Title: "Pinned queries: enter searches, ctrl+x unpins",
		None:  "No such query",
		Items: items,
		Also:  map[string]dialog.Action{"ctrl+x": {Do: unpin}},
	})
	return nil
}

// pinQuery pins or unpins the current query.
func (w *workspace) pinQuery() tea.Cmd {
	wanted := w.bar.Search()
	w.togglePin(search.Pin{Search: wanted, Name: w.nameOf(wanted)})
	return nil
}

// togglePin pins or unpins a query, and shows the pinned ones while there are any.
func (w *workspace) togglePin(pin search.Pin) {
	notice, pinned, done := w.finder.Pins().Toggle(pin)
	w.footer.Say(notice)
	look := w.timeline.Look()
	switch {
	case pinned && look.Form != timeline.Lines:
		look.Form = timeline.Rows
	case done && len(w.finder.Pins().All()) == 0:
		look.Form = timeline.Bars
	}
	w.timeline.SetLook(look)
}
