package dialog

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lens/tui/theme"
	"lens/tui/ui"
)

// Section is a part of a list of keys.
type Section struct {
	Title string
	Rows  []KeyRow
}

// KeyRow is a key, or several, and what it does.
type KeyRow struct {
	Label string   // of the keys
	Keys  []string // each of them, to find
	Does  string
	Words string // what else people call that
}

// Keys lists keys in columns, filtered by typing: the main ones, and below a rule the others. The first section of both
// has the first column.
type Keys struct {
	ui         *ui.Context
	title      string
	main, more []Section
	filter     input
	page       ui.Scroller

	width, height int // of the screen
}

// NewKeys returns a list of keys.
func NewKeys(c *ui.Context, title string, main, more []Section) *Keys {
	return &Keys{ui: c, title: title, main: main, more: more, filter: newInput(c, "")}
}

// The size of a list of keys, and of a column.
const (
	keysWidth   = 94
	keysHeight  = 24
	columnWidth = 38
	keyWidth    = 13 // of the keys in a column of usual width
	usualColumn = 46
)

// SetSize sets the size of the screen.
func (k *Keys) SetSize(width, height int) {
	k.width, k.height = width, height
	_, room := k.Place().Inside()
	k.page.SetHeight(max(1, room-menuHead))
	k.lay()
}

// Place returns where the list lies. It does not depend on the filter. It ends with the rule above the other keys where
// hardly more than their titles would be below it.
func (k *Keys) Place() Rect {
	const frame, titled = menuHead + 1, 5
	most := UpperMiddle(k.width, k.height, keysWidth, min(keysHeight, max(12, k.height-6)))
	width, _ := most.Inside()
	if main := len(k.columns(k.main, width)) + 1; len(k.more) > 0 && most.H-frame > main && most.H-frame < main+titled {
		return UpperMiddle(k.width, k.height, keysWidth, main+frame)
	}
	return most
}

// Hints returns the keys for the footer.
func (k *Keys) Hints() []key.Binding { return []key.Binding{rolls, closes} }

// lay lays out what the filter leaves.
func (k *Keys) lay() {
	width, _ := k.Place().Inside()
	out, more := k.columns(k.left(k.main), width), k.columns(k.left(k.more), width)
	if th := k.ui.Theme; len(out) > 0 && len(more) > 0 {
		const says = "  more "
		rule := strings.Repeat(th.Glyphs.Horizontal, max(0, width-len(says)-1))
		out = append(out, th.Dim.Render(says)+th.Rule.Render(rule), "")
	}
	k.page.SetLines(append(out, more...))
}

// columns lays out sections in as many columns as fit.
func (k *Keys) columns(sections []Section, width int) (out []string) {
	n := max(1, min(2, width/columnWidth))
	blocks, keyWidth := make([][]string, n), keyWidth
	if width/n < usualColumn {
		keyWidth -= 2
	}
	th := k.ui.Theme
	for i, s := range sections {
		lines := []string{"  " + th.Bold.Render(s.Title), ""}
		for _, row := range s.Rows {
			keys := strings.Repeat(" ", max(0, keyWidth-theme.Width(row.Label))) + th.Key.Plain().Render(row.Label)
			lines = append(lines, keys+"  "+row.Does)
		}
		at := min(i, n-1)
		if i >= n { // below the shortest column
			for j := range blocks {
				if len(blocks[j]) < len(blocks[at]) {
					at = j
				}
			}
		}
		blocks[at] = append(append(blocks[at], lines...), "")
	}
	for row := 0; ; row++ {
		line, more := "", false
		for _, b := range blocks {
			text := ""
			if row < len(b) {
				text, more = b[row], true
			}
			line += th.Fit(text, width/n)
		}
		if !more {
			return out
		}
		out = append(out, line)
	}
}

// left returns the rows of sections that the filter leaves: those with the typed key, or with words that begin as
// typed, also in what else people call them and in the title of their section.
func (k *Keys) left(of []Section) []Section {
	text := strings.TrimSpace(k.filter.value())
	if text == "" {
		return of
	}
	typed := strings.Fields(strings.ToLower(text))
	var left []Section
	for _, s := range of {
		var rows []KeyRow
		for _, row := range s.Rows {
			if begins(s.Title, typed) || begins(row.Does+" "+row.Words, typed) || hasKey(row.Keys, text) {
				rows = append(rows, row)
			}
		}
		if len(rows) > 0 {
			left = append(left, Section{s.Title, rows})
		}
	}
	return left
}

// hasKey reports whether a key is among several, also a chord that is typed without a space.
func hasKey(keys []string, typed string) bool {
	return slices.ContainsFunc(keys, func(k string) bool { return typed == k || typed == strings.ReplaceAll(k, " ", "") })
}

// Update handles keys, text for the filter, and the wheel. The keys that close it do nothing else.
func (k *Keys) Update(msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch {
		case key.Matches(msg, closes, accepts):
			return nil, true
		case key.Matches(msg, moveDown):
			k.page.Scroll(1)
		case key.Matches(msg, moveUp):
			k.page.Scroll(-1)
		case key.Matches(msg, pageDown):
			k.page.ScrollPages(1)
		case key.Matches(msg, pageUp):
			k.page.ScrollPages(-1)
		default:
			k.edit(msg)
		}
	case tea.PasteMsg:
		k.edit(msg)
	case tea.MouseWheelMsg:
		k.page.Scroll(Notch(msg) * wheelRows)
	}
	return nil, false
}

// edit changes the filter.
func (k *Keys) edit(msg tea.Msg) {
	k.filter.edit(msg)
	k.page.ScrollTo(0)
	k.lay()
}

// Cursor returns where the terminal's cursor stands.
func (k *Keys) Cursor() (x, y int) {
	width, _ := k.Place().Inside()
	x, _ = k.filter.column(width - 1)
	return x + 2, 1
}

// View draws the list.
func (k *Keys) View() []string {
	r, th := k.Place(), k.ui.Theme
	width, _ := r.Inside()
	lines := []string{" " + k.filter.view(width-1, "type to filter", th), r.rule(th)}
	if k.page.Len() == 0 {
		lines = append(lines, th.Dim.Render("  No such key. After esc, ")+th.Key.Render(k.ui.Key("commands"))+
			th.Dim.Render(" finds all commands"))
	}
	remark := ""
	if n := k.page.Below(); n > 0 {
		remark = theme.Count(n, "line", "lines") + " below"
	}
	return r.Framed(k.title, remark, append(lines, k.page.Window()...), th)
}
