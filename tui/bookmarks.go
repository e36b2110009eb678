package tui

import (
	"cmp"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/dialog"
	"lens/tui/ui"
)

// A bookmark is a named place: a query, a window, and the turn that was open.

// bookmark asks for a name and saves the current place under it.
func (m *model) bookmark() tea.Cmd {
	suggested := cmp.Or(m.bar.Exemplar().Title, m.bar.Sought().Text)
	if t := m.reader.Opened(); t != nil {
		suggested = cmp.Or(suggested, t.Title)
	}
	suggested = m.ui.Theme.Remarks(suggested, m.timeline.Crumb())
	return m.ask(dialog.PromptOptions{
		Label:  "Bookmark",
		Hint:   "name this place",
		Text:   suggested,
		Answer: m.addBookmark,
	})
}

// addBookmark saves the current place.
func (m *model) addBookmark(name string) (cmd tea.Cmd, refusal string) {
	if name = ui.Line(name); name == "" {
		return nil, "Enter a name"
	}
	here := m.place()
	if shown := m.reader.Wanted(); shown != uuid.Nil {
		here.chosen = shown
	}
	made := Bookmark{name, m.ui.Now().UTC(), keptPlace(here, m.timeline.Zoom().All)}
	m.bookmarks = append(slices.Clip(m.bookmarks), made)
	m.bookmarkings++
	m.footer.Say("Bookmarked. " + m.ui.Key("bookmarks") + " lists them")
	return nil, ""
}

// openBookmarks lists the bookmarks, latest first. Unlike b, its first item adds one from every pane.
func (m *model) openBookmarks() tea.Cmd {
	items := []dialog.Item{{Label: "Bookmark this place", Do: m.bookmark, Opens: true}}
	for i, b := range slices.Backward(m.bookmarks) {
		items = append(items, dialog.Item{
			ID:    strconv.Itoa(i),
			Label: ui.Line(b.Name),
			Right: m.ui.Day(b.Made),
			Do:    func() tea.Cmd { return m.goToBookmark(b) },
		})
	}
	return m.openMenu(dialog.MenuOptions{
		Title: "Bookmarks: enter opens, ctrl+x deletes",
		None:  "No such bookmark",
		Items: items,
		Also:  map[string]dialog.Action{"ctrl+x": {Do: m.dropBookmark}},
	})
}

func (m *model) goToBookmark(b Bookmark) tea.Cmd {
	p := b.place(m.timeline.Zoom().Whole())
	m.seek(func() { m.arrive(p) })
	m.showTurn(p.chosen)
	return nil
}

func (m *model) dropBookmark(item dialog.Item) (cmd tea.Cmd, refusal string) {
	i, err := strconv.Atoi(item.ID)
	if err != nil {
		return nil, "No bookmark selected"
	}
	m.footer.Say("Deleted: " + m.bookmarks[i].Name)
	m.bookmarks = slices.Delete(slices.Clone(m.bookmarks), i, i+1)
	m.bookmarkings++
	return nil, ""
}
