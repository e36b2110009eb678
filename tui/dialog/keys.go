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
	Apart bool   // it begins a group of main keys, below an empty line where the screen has room
}

// Keys lists keys in columns, filtered by typing: the main ones, and below a rule the others. The first section of both
// has the first column.
type Keys struct {
	ui         *ui.Context
	title      string
	main, more []Section
	filter     input
	page       ui.Scroller
	heads      []head // of the page

	width, height int // of the screen
}

// head is a line of a page with titles. Where the keys below them are out of view, it is drawn bare.
type head struct {
	at, first int    // its line, and that of the first key below
	bare      string // the line without titles
}

// NewKeys returns a list of keys.
func NewKeys(c *ui.Context, title string, main, more []Section) *Keys {
	return &Keys{ui: c, title: title, main: main, more: more, filter: newInput(c, "")}
}

const (
	keysFrame   = menuHead + 1 // the lines of a list of keys that have none
	sectionHead = 2            // the lines of a section above its keys
	leastBeside = 8            // cells at both sides together
	calmHeight  = 22           // of a list that is read at a glance
)

// SetSize sets the size of the screen.
func (k *Keys) SetSize(width, height int) {
	k.width, k.height = width, height
	k.page.SetHeight(max(1, k.whole().H-keysFrame))
	k.lay()
}

// Place returns where the list lies: as whole, but no higher than what the filter leaves and a free line below.
func (k *Keys) Place() Rect {
	r := k.whole()
	r.H = min(r.H, max(leastItems, k.page.Len())+1+keysFrame)
	return r
}

// whole returns the place that has room for the main keys and a free line below: for all of them or, where these make
// it high, for the first groups. Where hardly anything of the panes would be seen beside it, it has the whole width.
func (k *Keys) whole() Rect {
	n, column := k.columns()
	sections, _, grid := k.sections()
	main, _ := k.laid(sections, n, column, grid)
	width := n*column + 4
	if k.width-width < leastBeside {
		width = k.width
	}
	height := keysFrame + len(main) + 1
	if calm := max(calmHeight, k.height*3/5); height > calm {
		for i := range grid {
			if folded := keysFrame + sectionHead + grid[i]; i > 0 && folded <= calm {
				height = folded
			}
		}
	}
	return UpperMiddle(k.width, k.height, width, height)
}

// sections returns the main keys, without groups where these do not all fit in view, and the others. Groups of the main
// ones that are beside each other start on the lines of the grid.
func (k *Keys) sections() (main, more []Section, lines grid) {
	n, column := k.columns()
	main, more = k.main, ungrouped(k.more)
	if n == len(main) {
		lines = gridOf(main)
	}
	if grouped, _ := k.laid(main, n, column, lines); keysFrame+len(grouped)+1 > k.height-2 {
		main, lines = ungrouped(main), nil
	}
	if n == len(main) {
		main, more = balanced(main, more, lines)
	}
	return main, more, lines
}

// grid has the lines, below the titles, on which the first groups of several sections start, the second ones, and on.
type grid []int

func gridOf(sections []Section) grid {
	var g grid
	for start := 0; ; {
		highest := 0
		for _, s := range sections {
			if groups := s.groups(); len(g) < len(groups) {
				highest = max(highest, len(groups[len(g)]))
			}
		}
		if highest == 0 {
			return g
		}
		g = append(g, start)
		start += highest + 1
	}
}

// start returns the line on which a group starts, with an empty line between it and what ends on the line before end.
func (g grid) start(group, end int) int {
	switch {
	case group == 0:
		return end
	case group < len(g):
		return max(end+1, g[group])
	}
	return end + 1
}

// groups returns the rows of each group.
func (s Section) groups() (all [][]KeyRow) {
	for i, row := range s.Rows {
		if i == 0 || row.Apart {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], row)
	}
	return all
}

// height returns how many lines the rows of a section have.
func (s Section) height(g grid) (n int) {
	for i, group := range s.groups() {
		n = g.start(i, n) + len(group)
	}
	return n
}

// balanced fills main columns, of a section each, with other keys up to the highest: a column with the rest of its own
// section, as a group, or with sections that fit as a whole.
func balanced(main, more []Section, lines grid) (filled, rest []Section) {
	highest := 0
	for _, s := range main {
		highest = max(highest, s.height(lines))
	}
	filled = slices.Clone(main)
	for i, s := range main {
		end := s.height(lines)
		rest = nil
		for _, other := range more {
			n := min(highest-lines.start(len(s.groups()), end), len(other.Rows))
			switch below := end + 1 + sectionHead + other.height(nil); {
			case other.Title == s.Title && n > 0:
				group := slices.Clone(other.Rows[:n])
				group[0].Apart = true
				filled[i].Rows = slices.Concat(s.Rows, group)
				other.Rows, end = other.Rows[n:], filled[i].height(lines)
			case below <= highest:
				filled, end = append(filled, other), below
				other.Rows = nil
			}
			if len(other.Rows) > 0 {
				rest = append(rest, other)
			}
		}
		more = rest
	}
	return filled, more
}

// ungrouped returns sections without groups.
func ungrouped(of []Section) []Section {
	all := make([]Section, len(of))
	for i, s := range of {
		all[i] = Section{s.Title, slices.Clone(s.Rows)}
		for j := range all[i].Rows {
			all[i].Rows[j].Apart = false
		}
	}
	return all
}

// columns returns how many columns fit beside each other, and the width of each: that of the widest key.
func (k *Keys) columns() (n, width int) {
	for _, s := range slices.Concat(k.main, k.more) {
		width = max(width, theme.Width(s.Title)+2)
		for _, row := range s.Rows {
			width = max(width, 2+k.keyWidth(s.Title)+2+theme.Width(row.Does))
		}
	}
	if n = 2; n*width+4 > k.width {
		n = 1
	}
	return n, width
}

// keyWidth returns the width of the widest label of the sections with a title.
func (k *Keys) keyWidth(title string) (width int) {
	for _, s := range slices.Concat(k.main, k.more) {
		for _, row := range s.Rows {
			if s.Title == title {
				width = max(width, theme.Width(row.Label))
			}
		}
	}
	return width
}

// Hints returns the keys for the footer.
func (k *Keys) Hints() []key.Binding { return []key.Binding{rolls, closes} }

// lay lays out what the filter leaves.
func (k *Keys) lay() {
	n, width := k.columns()
	first, rest, grid := k.sections()
	lines, heads := k.laid(k.left(first), n, width, grid)
	more, others := k.laid(k.left(rest), n, width, nil)
	if th := k.ui.Theme; len(lines) > 0 && len(more) > 0 {
		const says = "  more "
		inside, _ := k.Place().Inside()
		rule := strings.Repeat(th.Glyphs.Horizontal, max(0, inside-len(says)-len(gutter)))
		heads = append(heads, head{at: len(lines) + 1, first: len(lines) + 3 + sectionHead})
		lines = append(lines, "", th.Dim.Render(says)+th.Rule.Render(rule), "")
	}
	for _, h := range others {
		heads = append(heads, head{h.at + len(lines), h.first + len(lines), h.bare})
	}
	k.heads = heads
	k.page.SetLines(append(lines, more...))
}

// piece is what a column has in a line.
type piece struct {
	text  string
	title bool
}

// laid lays out sections in n columns, the first of each on a grid.
func (k *Keys) laid(sections []Section, n, width int, g grid) (lines []string, heads []head) {
	columns, th := make([][]piece, n), k.ui.Theme
	for i, s := range sections {
		at := min(i, n-1)
		if i >= n { // below the shortest column
			for j := range columns {
				if len(columns[j]) < len(columns[at]) {
					at = j
				}
			}
		}
		if len(columns[at]) > 0 {
			columns[at], g = append(columns[at], piece{}), nil
		}
		columns[at] = append(columns[at], s.pieces(k.keyWidth(s.Title), g, th)...)
	}
	for row := 0; slices.ContainsFunc(columns, func(c []piece) bool { return row < len(c) }); row++ {
		line, bare := "", ""
		for _, c := range columns {
			var here piece
			if row < len(c) {
				here = c[row]
			}
			line += th.Fit(here.text, width)
			if here.title {
				here.text = ""
			}
			bare += th.Fit(here.text, width)
		}
		if lines = append(lines, line); bare != line {
			heads = append(heads, head{row, row + sectionHead, bare})
		}
	}
	return lines, heads
}

// pieces draws a section, its keys at the right of a column below the title.
func (s Section) pieces(keyWidth int, g grid, th theme.Theme) []piece {
	all := append([]piece{{"  " + th.Bold.Render(s.Title), true}}, make([]piece, sectionHead-1)...)
	for i, group := range s.groups() {
		end := len(all) - sectionHead
		all = append(all, make([]piece, g.start(i, end)-end)...)
		for _, row := range group {
			before := strings.Repeat(" ", 2+keyWidth-theme.Width(row.Label))
			all = append(all, piece{text: before + th.Key.Plain().Render(row.Label) + "  " + row.Does})
		}
	}
	return all
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
			row.Apart = false
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
	return k.Place().caret(&k.filter)
}

// View draws the list.
func (k *Keys) View() []string {
	r, th := k.Place(), k.ui.Theme
	lines := []string{r.field(&k.filter, "type to filter", th), r.rule(th)}
	if k.page.Len() == 0 {
		lines = append(lines, th.Dim.Render("  No such key. After esc, ")+th.Key.Render(k.ui.Key("commands"))+
			th.Dim.Render(" finds all commands"))
	}
	window := k.inView()
	remark := ""
	if k.page.Offset()+len(window) < k.page.Len() {
		remark = "more below"
	}
	return r.Framed(k.title, remark, append(lines, window...), th)
}

// inView returns the lines in view: no title without a key below it, and no empty line at the end.
func (k *Keys) inView() []string {
	window, offset := slices.Clone(k.page.Window()), k.page.Offset()
	for _, h := range k.heads {
		if at := h.at - offset; at >= 0 && at < len(window) && h.first >= offset+len(window) {
			window[at] = h.bare
		}
	}
	for len(window) > 0 && strings.TrimSpace(window[len(window)-1]) == "" {
		window = window[:len(window)-1]
	}
	return window
}
