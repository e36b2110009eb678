package tui

import (
	"cmp"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/menu"
	"lens/tui/ui"
)

// A bookmark is a named place: a query, a window, and the turn that was open.

// bookmark asks for a name and saves the current place under it.
func (m *model) bookmark() tea.Cmd {
	suggested := cmp.Or(m.like.title, m.sought().text)
	if t := m.reader.Opened(); t != nil {
		suggested = cmp.Or(suggested, t.Title)
	}
	crumbs := m.crumbs()
	if last := crumbs[len(crumbs)-1].name; len(crumbs) > 1 {
		suggested = m.ui.Theme.Remarks(suggested, last)
	}
	return m.ask("Bookmark", "name this place", suggested, func(m *model, name string) (tea.Cmd, string) {
		if name = ui.Line(name); name == "" {
			return nil, "Enter a name"
		}
		here := m.place()
		if shown := m.reader.Wanted(); shown != uuid.Nil {
			here.chosen = shown
		}
		m.bookmarks = append(slices.Clip(m.bookmarks), Bookmark{name, m.ui.Now().UTC(), keptPlace(here, m.zoom.all)})
		m.bookmarkings++
		m.notice = "Bookmarked. B lists them"
		return nil, ""
	})
}

// keepThis is the menu item that adds a bookmark: unlike b, B works in every pane.
const keepThis = "keep"

// openBookmarks lists the bookmarks, latest first.
func (m *model) openBookmarks() tea.Cmd {
	items := []menu.Item{{ID: keepThis, Label: "Bookmark this place" + m.ui.Theme.Glyphs.Ellipsis}}
	for i, b := range slices.Backward(m.bookmarks) {
		items = append(items, menu.Item{ID: strconv.Itoa(i), Label: ui.Line(b.Name), Right: m.ui.Day(b.Made)})
	}
	list := menu.New("Bookmarks: enter opens, ctrl+x deletes", "No such bookmark", items)
	also := map[string]func(*model, string) (tea.Cmd, string){"ctrl+x": (*model).dropBookmark}
	return m.openOverlay(&choice{list, (*model).goToBookmark, also})
}

func (m *model) goToBookmark(id string) tea.Cmd {
	if id == keepThis {
		return m.bookmark()
	}
	i, _ := strconv.Atoi(id)
	p := m.bookmarks[i].place(m.wholeView())
	m.seek(func() { m.arrive(p) })
	m.showTurn(p.chosen)
	return nil
}

// wholeView shows the whole archive; saved windows are clipped to it.
func (m *model) wholeView() zoom { return m.zoom.look(m.zoom.all).auto() }

func (m *model) dropBookmark(id string) (cmd tea.Cmd, refusal string) {
	if id == keepThis {
		return nil, "No bookmark selected"
	}
	i, _ := strconv.Atoi(id)
	m.notice = "Deleted: " + m.bookmarks[i].Name
	m.bookmarks = slices.Delete(slices.Clone(m.bookmarks), i, i+1)
	m.bookmarkings++
	return nil, ""
}
