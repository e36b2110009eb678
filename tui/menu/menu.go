// Package menu is a list to choose from, filtered by typing: the command palette, bookmarks, what to copy. It is
// pure: the caller acts on the selected item.
package menu

import (
	"slices"

	"github.com/charmbracelet/x/ansi"
	"github.com/sahilm/fuzzy"

	"lens/tui/querybar"
	"lens/tui/theme"
)

// Item is a row. Its texts must be clean single lines.
type Item struct {
	ID    string
	Label string
	Right string // dim, at the right end: a key, a date
}

// Menu is a list of items and the typed filter. The zero Menu is empty.
type Menu struct {
	Title string
	None  string // shown when no item is left

	items  []Item
	shown  []int // indices into items, best first
	cursor int   // index into shown
	top    int   // the first of shown that is drawn
	bar    querybar.Bar
}

// New returns a menu of items with the cursor on the first.
func New(title, none string, items []Item) Menu {
	m := Menu{Title: title, None: none, items: items}
	m.narrow()
	return m
}

// head is the number of lines above the items: title and filter.
const head = 2

// Rows returns how many lines View needs to show all items.
func (m *Menu) Rows() int { return head + max(1, len(m.items)) }

// Width returns how many cells View needs to show all items whole.
func (m *Menu) Width() int {
	width := ansi.StringWidth(m.Title) + 2
	for _, item := range m.items {
		width = max(width, ansi.StringWidth(item.Label)+ansi.StringWidth(item.Right)+6)
	}
	return width
}

// Edit changes the filter.
func (m *Menu) Edit(change func(*querybar.Bar)) {
	before := m.bar.Text()
	change(&m.bar)
	if m.bar.Text() != before {
		m.cursor, m.top = 0, 0
		m.narrow()
	}
}

// narrow keeps the items that have the letters of the filter in order, best first.
func (m *Menu) narrow() {
	m.shown = m.shown[:0]
	if m.bar.Text() == "" {
		for i := range m.items {
			m.shown = append(m.shown, i)
		}
		return
	}
	for _, found := range fuzzy.FindFrom(m.bar.Text(), labels(m.items)) {
		m.shown = append(m.shown, found.Index)
	}
}

// Move moves the cursor n rows, as far as there are any.
func (m *Menu) Move(n int) { m.cursor = max(0, min(m.cursor+n, len(m.shown)-1)) }

// Chosen returns the item under the cursor, false when none is left.
func (m *Menu) Chosen() (Item, bool) {
	if m.cursor >= len(m.shown) {
		return Item{}, false
	}
	return m.items[m.shown[m.cursor]], true
}

// Row returns the row of the cursor in the filtered list.
func (m *Menu) Row() int { return m.cursor }

// Seek moves the cursor to the item with an ID, else to a row.
func (m *Menu) Seek(id string, row int) {
	if i := slices.IndexFunc(m.shown, func(i int) bool { return m.items[i].ID == id }); i >= 0 {
		row = i
	}
	m.cursor = max(0, min(row, len(m.shown)-1))
}

// Point moves the cursor to the item at line y of View and reports whether there is one.
func (m *Menu) Point(y int) bool {
	i := m.top + y - head
	if y < head || i >= len(m.shown) {
		return false
	}
	m.cursor = i
	return true
}

// Cursor returns the position of the terminal's cursor in View.
func (m *Menu) Cursor() (x, y int) { return m.bar.Column() + 1, 1 }

// View draws the menu in exactly height lines of exactly width cells.
func (m *Menu) View(width, height int, th theme.Theme) []string {
	room := max(1, height-head)
	m.top = max(0, min(m.top, len(m.shown)-room))
	if m.cursor < m.top {
		m.top = m.cursor
	}
	if m.cursor >= m.top+room {
		m.top = m.cursor - room + 1
	}
	count := theme.Number(len(m.shown)) + " of " + theme.Number(len(m.items))
	lines := []string{
		th.Focus.Render(th.Spread(" "+m.Title, count+" ", width)),
		" " + m.bar.View(width-1, true, "type to filter, esc closes", "", th),
	}
	if len(m.shown) == 0 {
		lines = append(lines, th.Dim.Render("  "+m.None))
	}
	for i := m.top; i < min(len(m.shown), m.top+room); i++ {
		lines = append(lines, row(m.items[m.shown[i]], i == m.cursor, width, th))
	}
	return th.Block(lines, width, height)
}

// row draws an item. A sign marks the one under the cursor, not color alone.
func row(item Item, chosen bool, width int, th theme.Theme) string {
	label := "  " + item.Label
	if chosen {
		label = th.Cursor.Render("> " + item.Label)
	}
	right := ""
	if item.Right != "" {
		right = th.Dim.Render(item.Right + " ")
	}
	return th.Spread(label, right, width)
}

// labels are what the filter matches.
type labels []Item

func (l labels) String(i int) string { return l[i].Label }
func (l labels) Len() int            { return len(l) }
