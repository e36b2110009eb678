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
	if !shown.IsSomething() || w.finder.Pins().Has(shown) {
		return ""
	}
	return w.nameOf(shown)
}

// openPinned lists the pinned queries. Selecting one searches it.
func (w *workspace) openPinned() tea.Cmd {
	pins := w.finder.Pins()
	if len(pins.All()) == 0 {
		w.footer.Say("Nothing pinned (" + w.ui.Key("pin") + " compares queries)")
		return nil
	}
	var items []dialog.Item
	all := slices.Clone(pins.All())
	for i, pin := range all {
		items = append(items, dialog.Item{
			ID:    strconv.Itoa(i),
			Label: pin.Name,
			Do:    ui.Do(func() { w.seek(func() { w.bar.Want(pin.Query(), search.Similar{Turn: pin.Like, Title: pin.Name}) }) }),
		})
	}
	unpin := func(item dialog.Item) (tea.Cmd, string) {
		i, _ := strconv.Atoi(item.ID)
		w.togglePin(all[i])
		return nil, ""
	}
	w.openMenu(dialog.MenuOptions{
		Title: "Pinned queries: enter searches, ctrl+x unpins",
		None:  "No such query",
		Items: items,
		Also:  map[string]dialog.Action{"ctrl+x": {Do: unpin, Removes: true}},
	})
	return nil
}

// askCompared asks for a query to compare the current one with. Without an answer the current one is pinned, to compare
// it with the next, or unpinned.
func (w *workspace) askCompared() tea.Cmd {
	here := search.Pin{Search: w.bar.Search()}
	here.Name = w.nameOf(here.Search)
	hint := "another query"
	switch quoted := w.ui.Theme.Quoted(here.Name); {
	case w.finder.Pins().Has(here.Search):
		hint += "; enter unpins " + quoted
	case here.IsSomething():
		hint += "; enter keeps " + quoted + " as a row"
	}
	w.ui.Post(dialog.Open{Dialog: dialog.NewPrompt(w.ui, dialog.PromptOptions{
		Label: "Compare with", Hint: hint,
		Answer: func(text string) (tea.Cmd, string) { return nil, w.compareWith(ui.Line(text), here) },
	})})
	return nil
}

// compareWith pins the query that a text means, or says why not. An empty text means the current one. Where there is
// none, the query is searched, too.
func (w *workspace) compareWith(text string, here search.Pin) (refusal string) {
	pins := w.finder.Pins()
	switch {
	case text == "" && !here.IsSomething():
		return "Type a query"
	case text == "":
		w.togglePin(here)
		return ""
	case len(pins.All()) == search.MaxPins:
		return pins.Full()
	}
	typed, refusal := pins.Read(text, here.Mode)
	switch {
	case refusal != "":
		return refusal
	case pins.Has(typed.Search):
		return "Already pinned"
	case !here.IsSomething():
		w.seek(func() { w.bar.Want(typed.Query(), search.Similar{}) })
	case typed.Search == here.Search:
		return "Already searched"
	}
	w.togglePin(typed)
	return ""
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
