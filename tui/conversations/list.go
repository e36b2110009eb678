package conversations

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/dialog"
	"lens/tui/theme"
	"lens/tui/ui"
)

// order says how the conversations are listed.
type order int

const (
	byDate order = iota
	byTopic
	bySource
	starred // only those, by date
	orders
)

var orderNames = [orders]string{"date", "topic", "source", "starred"}

// list is the dialog.
type list struct {
	of     *Conversations
	filter *dialog.Filter
	rows   ui.List[row]
	at     uuid.UUID          // goes under the cursor
	titles map[uuid.UUID]bool // those that have the words of the query, the first of them
	titled string             // their heading
	months map[[2]int]string  // names of months, which all rows ask for
	found  int                // how many conversations the filter leaves

	width, height int // of the screen
}

// row is a conversation, under the name of its section if it is the first of that.
type row struct {
	*entry
	section string
	first   bool
}

// head is the number of lines above the rows: title and filter.
const head = 2

func newList(c *Conversations, at uuid.UUID, titles []retrieval.TitleMatch, count int) *list {
	l := &list{of: c, filter: dialog.NewFilter(c.ui), at: at, titles: map[uuid.UUID]bool{}, months: map[[2]int]string{}}
	l.rows.Height = l.heightOf
	l.titled = titled
	if count > len(titles) {
		shown := theme.Number(len(titles)) + " of " + theme.Number(count)
		l.titled = c.ui.Theme.Remarks(titled, shown, "type a word for all that have it")
	}
	for _, t := range titles {
		l.titles[t.Conversation] = true
	}
	if len(titles) > 0 {
		c.by, l.at = byDate, uuid.Nil
	}
	l.arrange()
	return l
}

func (l *list) heightOf(at int) int {
	if l.rows.Rows()[at].first {
		return 2
	}
	return 1
}

// arrange lists the conversations that the filter leaves in their order. The cursor stays on its conversation.
func (l *list) arrange() {
	typed := strings.Fields(words(l.filter.Text()))
	var sections [2][]row // those with the words of the query in their titles, and all
	for i := range l.of.all {
		e := &l.of.all[i]
		_, star := l.of.stars[e.ID]
		lacks := func(word string) bool { return !strings.Contains(e.words, " "+word) }
		if l.of.by == starred && !star || slices.ContainsFunc(typed, lacks) {
			continue
		}
		if l.titles[e.ID] && l.of.by == byDate && len(typed) == 0 {
			sections[0] = append(sections[0], row{e, l.titled, true})
			continue
		}
		sections[1] = append(sections[1], row{e, l.section(e), true})
	}
	l.found = len(sections[0]) + len(sections[1])
	if l.of.by == byTopic || l.of.by == bySource {
		l.largestFirst(sections[1])
	}
	rows := slices.Concat(sections[0], sections[1])
	for i := len(rows) - 1; i > 0; i-- {
		rows[i].first = rows[i].section != rows[i-1].section
	}
	if was, ok := l.rows.Chosen(); ok && l.at == uuid.Nil {
		l.at = was.ID
	}
	l.rows.Set(rows)
	if at := slices.IndexFunc(rows, func(r row) bool { return r.ID == l.at }); at >= 0 {
		l.rows.MoveTo(at)
	}
	if l.of.known {
		l.at = uuid.Nil
	}
}

// titled is the heading of the conversations whose titles have the words of the query.
const titled = "Titles with words of the query"

// section returns the heading of the section that a conversation belongs to.
func (l *list) section(e *entry) string {
	switch l.of.by {
	case byTopic:
		return cmp.Or(e.Topic, "no topic")
	case bySource:
		return e.Source
	}
	if e.Last == nil {
		return "undated"
	}
	at := l.of.ui.In(*e.Last)
	month := [2]int{at.Year(), int(at.Month())}
	if l.months[month] == "" {
		l.months[month] = theme.LongMonth(at)
	}
	return l.months[month]
}

// largestFirst puts the sections with most conversations first.
func (l *list) largestFirst(rows []row) {
	size := map[string]int{}
	for _, r := range rows {
		size[r.section]++
	}
	slices.SortStableFunc(rows, func(x, y row) int {
		return cmp.Or(size[y.section]-size[x.section], cmp.Compare(x.section, y.section))
	})
}

// SetSize sets the size of the screen.
func (l *list) SetSize(width, height int) {
	l.width, l.height = width, height
	_, room := l.Place().Inside()
	l.rows.SetPage(room - head)
}

// Place returns where the dialog lies.
func (l *list) Place() dialog.Rect { return dialog.BelowQuery(l.width, l.height) }

// Closed forgets the dialog.
func (l *list) Closed() { l.of.open = nil }

func bound(shown, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
}

var (
	opens    = bound("enter", "read", "enter")
	next     = bound("tab", "order", "tab")
	previous = bound("", "", "shift+tab")
	stars    = bound("*", "star", "*")
)

// Hints returns the keys for the footer.
func (l *list) Hints() []key.Binding {
	return []key.Binding{dialog.Moves(), opens, next, stars, dialog.Closes()}
}

// Update handles keys, text for the filter, clicks and the wheel.
func (l *list) Update(msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return nil, l.press(msg)
	case tea.PasteMsg:
		l.edit(msg)
	case tea.MouseClickMsg:
		if l.rows.Point(msg.Y - head) {
			return nil, l.read()
		}
	case tea.MouseWheelMsg:
		l.rows.Move(dialog.Notch(msg))
	}
	return nil, false
}

func (l *list) press(pressed tea.KeyPressMsg) (done bool) {
	switch {
	case dialog.Browse(&l.rows, pressed, max(1, l.height/2)):
	case key.Matches(pressed, dialog.Closes()):
		return true
	case key.Matches(pressed, opens):
		return l.read()
	case key.Matches(pressed, next):
		l.turn(1)
	case key.Matches(pressed, previous):
		l.turn(-1)
	case key.Matches(pressed, stars):
		l.star()
	default:
		l.edit(pressed)
	}
	return false
}

func (l *list) edit(msg tea.Msg) {
	if l.filter.Edit(msg) {
		l.arrange()
		l.rows.MoveTo(0)
	}
}

// turn lists the conversations in the next order, for -1 in the previous one.
func (l *list) turn(by int) {
	l.of.by = (l.of.by + order(by) + orders) % orders
	l.arrange()
}

// star stars the conversation under the cursor, or removes its star.
func (l *list) star() {
	chosen, ok := l.rows.Chosen()
	if !ok {
		return
	}
	l.of.toggle(chosen.entry)
	if l.of.by == starred {
		at := l.rows.Cursor()
		l.arrange()
		l.rows.MoveTo(at)
	}
}

// read opens the first turn of the conversation under the cursor.
func (l *list) read() (done bool) {
	chosen, ok := l.rows.Chosen()
	if ok {
		l.of.ui.Post(ui.OpenTurn{ID: chosen.FirstTurn, Focus: true})
	}
	return ok
}

// Cursor returns where the terminal's cursor stands.
func (l *list) Cursor() (x, y int) { return l.filter.Column(l.filterWidth()) + 2, 1 }

// filterWidth leaves room for the orders beside the filter.
func (l *list) filterWidth() int {
	width, _ := l.Place().Inside()
	return max(16, width-1-theme.Width(l.orderNames())-4)
}

// orderNames names the orders, the present one bold.
func (l *list) orderNames() string {
	th := l.of.ui.Theme
	names := make([]string, orders)
	for by, name := range orderNames {
		names[by] = th.Dim.Render(name)
		if order(by) == l.of.by {
			names[by] = th.Accent.Render(th.Glyphs.Chosen + name)
		}
	}
	return strings.Join(names, "  ")
}

// View draws the dialog.
func (l *list) View() []string {
	r, th := l.Place(), l.of.ui.Theme
	width, _ := r.Inside()
	remark := ""
	if l.of.known {
		remark = theme.Number(l.found) + " of " + theme.Number(len(l.of.all))
	}
	rows, first := l.rows.Window()
	name := "Conversations"
	if len(rows) > 0 && !rows[0].first { // its section begins above
		name = th.Remarks(name, rows[0].section)
	}
	filter := " " + l.filter.View(l.filterWidth(), "type to filter titles", th)
	lines := []string{th.Spread(filter, l.orderNames()+" ", width)}
	if len(rows) == 0 {
		lines = append(lines, l.empty()...)
	}
	for i, row := range rows {
		if row.first {
			lines = append(lines, " "+th.Bold.Render(row.section))
		}
		lines = append(lines, l.rowView(row, first+i == l.rows.Cursor(), width))
	}
	return r.Framed(name, remark, lines, th)
}

// empty says why nothing is listed.
func (l *list) empty() []string {
	th := l.of.ui.Theme
	say := func(text string) []string { return []string{th.Dim.Render("  " + text)} }
	switch {
	case l.of.failure != (ui.Failure{}):
		return l.of.ui.FailureLines(l.of.failure.Message, l.of.failure.Hint)
	case !l.of.known:
		return say("reading the conversations")
	case l.of.by == starred && len(l.of.stars) == 0:
		return say("None is starred. * stars the one under the cursor")
	case l.of.by == starred:
		return say("No starred title has these words. tab lists the others")
	}
	return say("No title has these words")
}

// The widths from which a row tells more of a conversation.
const (
	tellsSource = 72
	tellsTopic  = 100
	turnsWidth  = len("999 turns")
	sourceWidth = len("claude-code")
	topicWidth  = 30
)

func (l *list) rowView(r row, chosen bool, width int) string {
	th := l.of.ui.Theme
	mark := "  "
	if _, star := l.of.stars[r.ID]; star {
		mark = th.Mark.Render(th.Glyphs.Star) + " "
	}
	edge, look := " ", theme.Style{}
	if chosen {
		edge, look = th.Accent.Render(th.Glyphs.Row), th.Bold
	}
	behind := "  " + fmt.Sprintf("%*s", turnsWidth, theme.Count(r.Turns, "turn", "turns"))
	if width >= tellsSource && l.of.by != bySource && l.of.sources > 1 {
		behind = "  " + th.Fit(r.Source, sourceWidth) + behind
	}
	if width >= tellsTopic && l.of.by != byTopic {
		behind = "  " + th.Fit(r.Topic, topicWidth) + behind
	}
	when := theme.Undated
	if r.Last != nil {
		when = l.of.ui.DayColumn(*r.Last)
	}
	behind = th.Dim.Render(behind + "  " + when + " ")
	room := width - theme.Width(behind) - 6
	title := strings.TrimRight(th.Fit(cmp.Or(r.Title, "untitled"), max(0, room)), " ")
	return th.Spread(edge+" "+mark+look.Render(title), behind, width)
}
