package dialog

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/sahilm/fuzzy"

	"lens/tui/theme"
	"lens/tui/ui"
)

// Item is a row of a menu. Its texts must be clean single lines.
type Item struct {
	ID    string // for Seek and the further actions; may be empty
	Label string
	About string // dim, in a column of its own: what it means
	Right string // dim, at the right end: a key, a date
	Words string // by whose beginnings it is found, too: what it does, other names
	Do    func() tea.Cmd
	Opens bool // Do opens a dialog, and canceling that leads back to the menu; the label gets an ellipsis
	Extra bool // it is none of those that the menu lists, and not counted
}

// Action is what a key does with the item under the cursor.
type Action struct {
	Do    func(Item) (cmd tea.Cmd, refusal string) // after a refusal the menu stays open
	Opens bool                                     // as of an Item

	Removes bool // the item is gone then, and the menu stays open while others are left
}

// MenuOptions says what to choose from.
type MenuOptions struct {
	Title string
	None  string // shown when no item is left
	Hint  string // shown while nothing is typed; "": "type to filter"
	Items []Item
	Also  map[string]Action // further actions, by key
}

// Menu is a list to choose from, filtered by typing: the command palette, bookmarks, what to copy.
type Menu struct {
	ui     *ui.Context
	opts   MenuOptions
	filter input
	shown  ui.List[Item] // those that the filter leaves, best first

	width, height int // of the screen
}

// NewMenu returns a menu with the cursor on the first item.
func NewMenu(c *ui.Context, opts MenuOptions) *Menu {
	opts.Items = slices.Clone(opts.Items)
	for i := range opts.Items {
		if opts.Items[i].Opens {
			opts.Items[i].Label += c.Theme.Glyphs.Ellipsis
		}
	}
	m := &Menu{ui: c, opts: opts, filter: newInput(c, "")}
	m.narrow()
	return m
}

// menuHead is the number of lines above the items: title, filter and a rule.
const menuHead = 3

// The size of a menu. The panes behind stay visible.
const (
	menuWidth   = 58
	aboutWidth  = 84 // of a menu that says what its items mean
	tallestMenu = 19
	leastItems  = 3 // for which there is room
)

// narrow keeps the items that the filter finds, best first: those with a word that begins so, then those whose label
// has its letters in order.
func (m *Menu) narrow() {
	typed := strings.Fields(strings.ToLower(m.filter.value()))
	if len(typed) == 0 {
		m.shown.Set(m.opts.Items)
		return
	}
	var begun, shown []Item
	rest := slices.Clone(m.opts.Items)
	for _, text := range []func(Item) string{
		func(i Item) string { return i.Label },
		func(i Item) string { return i.Label + " " + i.Words },
	} {
		rest = slices.DeleteFunc(rest, func(i Item) bool {
			found := begins(text(i), typed)
			if found {
				begun = append(begun, i)
			}
			return found
		})
	}
	for _, found := range fuzzy.FindFrom(m.filter.value(), labels(rest)) {
		shown = append(shown, rest[found.Index])
	}
	m.shown.Set(append(begun, shown...))
}

// begins reports whether each of the typed words begins a word of a text.
func begins(text string, typed []string) bool {
	joint := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }
	words := strings.FieldsFunc(strings.ToLower(text), joint)
	for _, t := range typed {
		if !slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, t) }) {
			return false
		}
	}
	return true
}

// Chosen returns the item under the cursor, false when none is left.
func (m *Menu) Chosen() (Item, bool) { return m.shown.Chosen() }

// Row returns the row of the cursor among the items that are left.
func (m *Menu) Row() int { return max(0, m.shown.Cursor()) }

// Seek moves the cursor to the item with an ID, else to a row.
func (m *Menu) Seek(id string, row int) {
	if at := slices.IndexFunc(m.shown.Rows(), func(item Item) bool { return id != "" && item.ID == id }); at >= 0 {
		row = at
	}
	m.shown.MoveTo(row)
}

// SetSize sets the size of the screen.
func (m *Menu) SetSize(width, height int) {
	m.width, m.height = width, height
	_, room := m.whole().Inside()
	if m.whole().H == menuHeight(len(m.opts.Items)) {
		room-- // for a free line below
	}
	m.shown.SetPage(room - menuHead)
}

// Place returns a rectangle in which all items that the filter leaves fit, if the screen has one. Its top and its width
// stay while one types.
func (m *Menu) Place() Rect {
	r := m.whole()
	r.H = min(r.H, menuHeight(len(m.shown.Rows())))
	return r
}

// menuHeight is that of a menu of so many items, with a free line below. Those of a few are all alike.
func menuHeight(items int) int { return min(tallestMenu, menuHead+max(leastItems, items)+2) }

// whole returns the place of all items.
func (m *Menu) whole() Rect {
	width := ansi.StringWidth(m.opts.Title) + 2
	for _, item := range m.opts.Items {
		width = max(width, ansi.StringWidth(item.Label)+ansi.StringWidth(item.Right)+10)
	}
	if m.column() > 0 {
		width = max(width, aboutWidth)
	}
	return UpperMiddle(m.width, m.height, max(menuWidth, width+2), menuHeight(len(m.opts.Items)))
}

// Hints returns the keys for the footer.
func (m *Menu) Hints() []key.Binding { return []key.Binding{moves, selects, closes} }

// Update handles keys, text for the filter, clicks and the wheel.
func (m *Menu) Update(msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.PasteMsg:
		m.edit(msg)
	case tea.MouseClickMsg:
		if m.shown.Point(msg.Y - menuHead) {
			return m.choose()
		}
	case tea.MouseWheelMsg:
		m.shown.Move(Notch(msg))
	}
	return nil, false
}

func (m *Menu) press(pressed tea.KeyPressMsg) (cmd tea.Cmd, done bool) {
	switch {
	case key.Matches(pressed, closes):
		return nil, true
	case key.Matches(pressed, selects):
		return m.choose()
	case Browse(&m.shown, pressed, m.height/2):
	case key.Matches(pressed, next):
		m.shown.Move(1)
	case key.Matches(pressed, previous):
		m.shown.Move(-1)
	case m.opts.Also[pressed.String()].Do != nil:
		return m.also(m.opts.Also[pressed.String()])
	default:
		m.edit(pressed)
	}
	return nil, false
}

// edit changes the filter.
func (m *Menu) edit(msg tea.Msg) {
	before := m.filter.value()
	if m.filter.edit(msg); m.filter.value() != before {
		m.narrow()
	}
}

// choose does what the item under the cursor stands for.
func (m *Menu) choose() (cmd tea.Cmd, done bool) {
	item, ok := m.Chosen()
	if ok && item.Do != nil {
		cmd = item.Do()
	}
	return cmd, ok && !item.Opens
}

func (m *Menu) also(a Action) (cmd tea.Cmd, done bool) {
	item, ok := m.Chosen()
	if !ok {
		return nil, false
	}
	cmd, refusal := a.Do(item)
	if refusal != "" {
		m.ui.Post(ui.Notify(refusal))
	}
	if refusal == "" && a.Removes {
		return cmd, m.remove(item)
	}
	return cmd, refusal == "" && !a.Opens
}

// remove removes an item by its ID, and reports whether none of those is left that the menu is about.
func (m *Menu) remove(gone Item) (last bool) {
	row := m.Row()
	m.opts.Items = slices.DeleteFunc(m.opts.Items, func(item Item) bool { return item.ID == gone.ID })
	m.narrow()
	m.SetSize(m.width, m.height)
	m.shown.MoveTo(row)
	return counted(m.opts.Items) == 0
}

// Cursor returns where the terminal's cursor stands.
func (m *Menu) Cursor() (x, y int) {
	return m.Place().caret(&m.filter)
}

// View draws the menu.
func (m *Menu) View() []string {
	r, th := m.Place(), m.ui.Theme
	rows, first := m.shown.Window()
	column := m.column()
	lines := []string{r.field(&m.filter, cmp.Or(m.opts.Hint, "type to filter"), th), r.rule(th)}
	if len(rows) == 0 {
		lines = append(lines, th.Dim.Render(gutter+m.opts.None))
	}
	for i, item := range rows {
		chosen := first+i == m.shown.Cursor()
		lines = append(lines, r.row(item.Label, item.About, right(item, column > 0, th), column, chosen, th))
	}
	return r.Framed(m.opts.Title, m.count(), lines, th)
}

// count says which items are in view of those that the filter leaves or, where all of these are, of how many they are
// left.
func (m *Menu) count() string {
	all := m.shown.Rows()
	rows, first := m.shown.Window()
	left := counted(all)
	if counted(rows) == left {
		return theme.Number(left) + " of " + theme.Number(counted(m.opts.Items))
	}
	from, to := theme.Number(counted(all[:first])+1), theme.Number(counted(all[:first+len(rows)]))
	return from + m.ui.Theme.Glyphs.Dash + to + " of " + theme.Number(left)
}

// counted returns how many of some items the menu is about.
func counted(items []Item) (n int) {
	for _, item := range items {
		if !item.Extra {
			n++
		}
	}
	return n
}

// column is how wide the column of labels is if there is one of what they mean, else 0.
func (m *Menu) column() (width int) {
	means := false
	for _, item := range m.opts.Items {
		means = means || item.About != ""
		width = max(width, ansi.StringWidth(item.Label))
	}
	if !means {
		return 0
	}
	return width
}

// right styles what is at the right: a key in a menu that says what its items mean.
func right(item Item, means bool, th theme.Theme) string {
	if means {
		return th.Key.Plain().Render(item.Right)
	}
	return th.Dim.Render(item.Right)
}

// labels are what the filter matches.
type labels []Item

func (l labels) String(i int) string { return l[i].Label }
func (l labels) Len() int            { return len(l) }
