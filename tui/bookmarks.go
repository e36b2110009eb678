package tui

import (
	"cmp"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/menu"
)

// Bookmarks are places with a name: a query, a window of time, and the turn that was read there.

// bookmark asks for a name and keeps the place under it.
func (m *model) bookmark() tea.Cmd {
	suggested := cmp.Or(m.query(), m.like.title)
	if m.opened != nil {
		suggested = cmp.Or(suggested, m.opened.Title)
	}
	crumbs := m.crumbs()
	if last := crumbs[len(crumbs)-1].name; len(crumbs) > 1 {
		suggested = m.theme.Remarks(suggested, last)
	}
	return m.ask("Bookmark", "a name for this place", suggested, func(m *model, name string) (tea.Cmd, string) {
		if name = screenLine(name); name == "" {
			return nil, "a bookmark needs a name"
		}
		here := m.place()
		if m.shown != uuid.Nil {
			here.chosen = m.shown
		}
		m.bookmarks = append(slices.Clip(m.bookmarks), Bookmark{name, m.now().UTC(), keptPlace(here, m.zoom.all)})
		m.bookmarkings++
		m.notice = "kept; B lists the bookmarks"
		return nil, ""
	})
}

// keepThis is the item that makes a bookmark: b has another meaning in some panes, B has not.
const keepThis = "keep"

// openBookmarks lists the bookmarks, latest first, and goes to the one that is chosen.
func (m *model) openBookmarks() tea.Cmd {
	items := []menu.Item{{ID: keepThis, Label: "keep this place" + m.theme.Glyphs.Ellipsis}}
	for i, b := range slices.Backward(m.bookmarks) {
		items = append(items, menu.Item{ID: strconv.Itoa(i), Label: screenLine(b.Name), Right: m.day(b.Made)})
	}
	list := menu.New("Bookmarks: enter goes there, ctrl+x drops one", "no bookmark is called that", items)
	return m.openOverlay(&choice{list, (*model).goToBookmark, map[string]func(*model, string) (tea.Cmd, string){"ctrl+x": (*model).dropBookmark}})
}

func (m *model) goToBookmark(id string) tea.Cmd {
	if id == keepThis {
		return m.bookmark()
	}
	i, _ := strconv.Atoi(id)
	p := m.bookmarks[i].place(m.wholeView())
	m.seek(func() { m.arrive(p) })
	m.shown = p.chosen
	return nil
}

// wholeView is a look at everything, from which kept windows are cut.
func (m *model) wholeView() zoom { return m.zoom.look(m.zoom.all).auto() }

func (m *model) dropBookmark(id string) (cmd tea.Cmd, refusal string) {
	if id == keepThis {
		return nil, "there is no bookmark on this row to drop"
	}
	i, _ := strconv.Atoi(id)
	m.notice = "dropped: " + m.bookmarks[i].Name
	m.bookmarks = slices.Delete(slices.Clone(m.bookmarks), i, i+1)
	m.bookmarkings++
	return nil, ""
}
