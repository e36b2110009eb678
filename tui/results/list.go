// Package results lists turns: the matches of a query or, without one, those in view by time.
package results

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/marks"
	"lens/tui/theme"
	"lens/tui/turn"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// Found is what the list shows, and what is known about it.
type Found struct {
	Peek     *retrieval.Peek               // nil: nothing yet
	Fullest  []retrieval.ConversationCount // without a query: the most active conversations
	Searched bool                          // Peek is of a search; else of turns by time
	Oldest   bool                          // then the oldest first
	Query    string                        // identifies the search: another one starts at its best match
	Ranked   string                        // what is searched without filters, "" for nothing; another is by score again

	View zoom.Span // the window in view
	All  bool      // it is the whole archive, with the undated turns

	Brushed bool // View is a part of the window that is brushed
	Kept    bool // what is beyond the window is listed, too

	Stale   bool // it answers an older query
	Current bool // it answers what is wanted now
	Final   bool // it will not be replaced by one that lists more
	Failure ui.Failure
	NoTurns string // says that a time has no turns, so that none is listed; "" otherwise

	Missing Missing
}

// Missing is what may explain that nothing matches, and help.
type Missing struct {
	Searching       bool     // there is a query
	OneConversation bool     // only one conversation is searched
	Filters         []string // as they are shown
	Windowed        bool     // only a window is searched
	Holding         int      // how many turns of all time have the words, as far as that is known
	Suggestion      string   // another spelling, "" for none

	Elsewhere      int  // how many matches all time has
	AtLeast        bool // there are more
	ElsewhereKnown bool

	Typing  bool   // letters are text now
	ToChart string // the key to the histogram, "" if it has the focus
}

// EditFilters asks for the menu of filters.
type EditFilters struct{}

// TurnSelected tells which turn to read: another one is under the cursor, or the one that was pending is listed.
type TurnSelected struct {
	ID    uuid.UUID // uuid.Nil: none
	Focus bool      // the reader gets the focus
}

// CursorMoved is posted when the user has moved the cursor to another turn, or searched for something else.
type CursorMoved struct{ ID uuid.UUID }

// List is the component. The cursor stays on its turn when the rows change.
type List struct {
	ui      *ui.Context
	found   Found
	all     []Row // by rank or time
	rows    ui.List[Row]
	near    int // the row before which the divider is; -1: there is none
	folds   folds
	basis   basis
	sorting Sorting
	dated   string // the Found.Ranked that is sorted by date; "" for the first one

	marked   map[uuid.UUID]bool
	markings int // how often marks have changed

	selected uuid.UUID // the turn under the cursor
	pending  pending
	sought   zoom.Span // whose first turn goes under the cursor once it is listed; zero: none

	focused, tall bool
	width, height int // of what is said: the last column is left to the ground of the row under the cursor
}

// basis is what the rows were made of.
type basis struct {
	peek    *retrieval.Peek
	view    zoom.Span
	all     bool
	sorting Sorting
	oldest  bool
	marks   int
	folds   int
	zone    *time.Location
	noTurns string
}

// pending is what to show once the results have arrived.
type pending struct {
	match uuid.UUID // goes under the cursor
	turn  uuid.UUID // is read
}

// New returns an empty list.
func New(c *ui.Context) *List {
	l := &List{ui: c, marked: map[uuid.UUID]bool{}}
	l.empty()
	return l
}

// empty drops the rows, so that others start with their first.
func (l *List) empty() { l.rows, l.near, l.folds = ui.List[Row]{Height: l.heightOf}, -1, folds{} }

// Sorting returns how the rows are sorted.
func (l *List) Sorting() Sorting { return l.sorting }

// ListNewest lists the newest turns first.
func (l *List) ListNewest() { l.sorting.Oldest = false }

// SetSorting changes how the rows are sorted.
func (l *List) SetSorting(s Sorting) { l.sorting, l.dated = s, l.found.Ranked }

// order returns how the rows are sorted now: what is typed on the way to a filter, and reads as words, by score.
func (l *List) order() Sorting {
	if l.found.Ranked != l.dated {
		return l.sorting.byScore()
	}
	return l.sorting
}

// SetSize sets the size of the component, in cells. A hidden list has none, and keeps its place.
func (l *List) SetSize(width, height int) {
	if width > 0 && height > 0 {
		l.width, l.height = width-1, height
		l.paginate()
	}
}

// SetTall says whether a row has two lines.
func (l *List) SetTall(tall bool) {
	l.tall = tall
	l.paginate()
}

// SetFocused says whether the list has the focus.
func (l *List) SetFocused(focused bool) { l.focused = focused }

func (l *List) shape() shape { return shape{l.tall, l.found.Stale, l.found.isShort()} }

func (l *List) paginate() {
	if l.height > 0 {
		l.rows.SetPage(l.height - l.top())
	}
}

// Show shows a result, and posts which turn that puts under the cursor.
func (l *List) Show(f Found) {
	another := f.Query != l.found.Query
	if another {
		l.empty()
		l.basis, l.sought = basis{}, zoom.Span{}
		l.paginate()
	}
	l.found = f
	if l.dated == "" {
		l.dated = f.Ranked
	}
	if f.Ranked != l.dated && !f.Missing.Typing && !f.Stale {
		l.sorting, l.dated = l.sorting.byScore(), f.Ranked
	}
	reordered := l.basis.peek != nil && (l.basis.sorting != l.order() || l.basis.oldest != f.Oldest)
	if l.basis != l.currentBasis() {
		l.all = l.made()
		if was, ok := l.rows.Chosen(); ok && !reordered {
			l.unfold(was.ID)
		}
		l.fold()
	}
	if reordered {
		l.Scroll(-l.Len())
	}
	if l.pending.match != uuid.Nil && (l.choose(l.pending.match) || f.Current && f.Final) {
		l.pending.match = uuid.Nil
	}
	if l.sought != (zoom.Span{}) && !another {
		l.ChooseIn(l.sought)
	}
	l.paginate()
	l.follow()
	if another && f.Searched && l.selected != uuid.Nil && l.pending == (pending{}) {
		l.ui.Post(CursorMoved{l.selected})
	}
	if l.pending.turn != uuid.Nil && l.pending.match == uuid.Nil {
		l.ui.Post(TurnSelected{ID: l.pending.turn})
		l.pending.turn = uuid.Nil
	}
}

func (l *List) currentBasis() basis {
	f := l.found
	return basis{f.Peek, f.View, f.All, l.order(), f.Oldest, l.markings, l.folds.changes, l.ui.Zone, f.NoTurns}
}

// fold shows the rows that are not folded away.
func (l *List) fold() {
	l.basis = l.currentBasis()
	rows := l.all
	if l.folded() {
		rows = l.folds.fold(rows)
	}
	if l.near = -1; l.isRanked() && !l.found.Peek.Words.None() && !l.found.Peek.IsNearest() {
		l.near = nearOnly(rows)
	}
	l.rows.Replace(rows, func(was, is Row) bool { return was.ID == is.ID })
}

// isRanked reports whether the rows are matches, the best first.
func (l *List) isRanked() bool { return l.found.Searched && l.found.Peek != nil && !l.order().ByDate }

// folded reports whether the matches of a conversation are folded.
func (l *List) folded() bool { return l.isRanked() && !l.found.Missing.OneConversation }

// unfold shows a match that is folded away, and reports whether it is listed at all.
func (l *List) unfold(turn uuid.UUID) bool {
	at := slices.IndexFunc(l.all, func(r Row) bool { return r.ID == turn })
	if at < 0 {
		return false
	}
	of := l.all[at].Conversation
	first := slices.IndexFunc(l.all, func(r Row) bool { return r.Conversation == of })
	if l.folded() && first < at {
		l.folds.unfold(of)
	}
	return true
}

// made returns the rows of the turns in view.
func (l *List) made() []Row {
	if l.found.Peek == nil || l.found.NoTurns != "" {
		return nil
	}
	words, grade := l.found.Peek.Words, newGrade(l.found.Peek)
	var rows []Row
	for i := range l.found.Peek.Matches {
		match := &l.found.Peek.Matches[i]
		if !l.found.All && (match.Time == nil || !l.found.View.Holds(match.Time.Unix())) {
			continue
		}
		row := Row{
			ID:           match.TurnID,
			Conversation: match.Conversation,
			Date:         theme.Undated,
			Title:        cmp.Or(match.Title, untitled),
			Marked:       l.marked[match.TurnID],
		}
		row.quote(match, words)
		if match.Chunk != nil {
			if part := match.Chunk.Part(); part != "" {
				row.Title = l.ui.Theme.Remarks(part, row.Title)
			}
		}
		if l.found.Searched && match.Score != nil {
			row.Rank, row.Grade = i+1, grade.of(*match.Score)
		}
		if match.Time != nil {
			row.At = match.Time.Unix()
			row.Date, row.Clock = l.ui.DayColumn(*match.Time), l.ui.Clock(*match.Time)
		}
		rows = append(rows, row)
	}
	l.order().sort(rows, l.found.Searched, l.found.Oldest)
	return slices.Clip(rows)
}

// you is who says the snippet of a question. Those of answers are the services.
const you = "You"

// emphases are what Markdown emphasizes, or calls code: between marks that stand at words.
var emphases = []*regexp.Regexp{
	regexp.MustCompile(`\B\*\*([^*\s](?:[^*]*[\pL\pN.,:;!?)])?)\*\*\B`),
	regexp.MustCompile(`\B\*([^*\s](?:[^*]*[\pL\pN.,:;!?)])?)\*\B`),
	regexp.MustCompile("\\B`([^`\\s](?:[^`]*[^`\\s])?)`\\B"),
}

// lineMark is what Markdown writes before an item of a list, a heading or a quotation.
var lineMark = regexp.MustCompile("^(…?)(?:[-*+>]|#{1,6}) ")

// innerMarks are what Markdown writes where a line seems to begin within a passage, the fences of code, and the rule
// below the head of a table.
var innerMarks = []*regexp.Regexp{
	regexp.MustCompile("([.:;!?…`)] )(?:[-*+>]|#{1,6}) "),
	regexp.MustCompile("```(?:[\\w+#-]*(?: |$))?"),
	regexp.MustCompile(`\|(?:\s?:?-+:?\s?\|)+ ?`),
}

// marking are what texts without such marks do not have.
var marking = []string{" - ", " * ", " + ", " > ", "# ", "```", "-|"}

// withoutMarks returns a passage without the marks of Markdown that its lines begin with or that emphasize, since the
// list does not draw them.
func withoutMarks(passage string) string {
	passage = lineMark.ReplaceAllString(passage, "$1")
	if slices.ContainsFunc(marking, func(mark string) bool { return strings.Contains(passage, mark) }) {
		for _, m := range innerMarks {
			passage = m.ReplaceAllString(passage, "$1")
		}
	}
	if !strings.ContainsAny(passage, "*`") {
		return passage
	}
	for _, e := range emphases {
		passage = e.ReplaceAllString(passage, "$1")
	}
	return passage
}

// quote quotes the side of an exchange that has more words of the query, or of a document its text: its user text is
// just a heading.
func (r *Row) quote(match *retrieval.Match, words *retrieval.Words) {
	r.Worded = match.Worded || len(words.Find(match.Title)) > 0
	if !match.Worded { // of another language, they only look like its words
		words = nil
	}
	question, answer := withoutMarks(match.UserSnippet), withoutMarks(match.AssistantSnippet)
	asked, answered := marks.Find(words, question), marks.Find(words, answer)
	replied := match.UserSnippet == "" || len(asked) < len(answered)
	if match.Chunk != nil {
		replied = match.AssistantSnippet != ""
	}
	r.Speaker, r.Snippet, r.Hits = you, question, asked
	if replied {
		r.Speaker, r.Snippet, r.Hits = turn.Writer(match.Source), answer, answered
	}
	if match.Chunk != nil {
		r.Speaker = ""
	}
}

// Len returns the number of matches or turns that are listed, with those that are folded away.
func (l *List) Len() int { return len(l.all) }

// mostSought is how many turns are listed at most to reach one that is sought.
const mostSought = 20_000

// ahead is how many rows are listed below the cursor before more turns are wanted.
const ahead = 50

// Wants returns how many turns the result needs at least: as many as there are up to one that is sought, and one more
// where the cursor is near the end of turns that are listed without a query, and more are in view.
func (l *List) Wants() int {
	f := l.found
	if n := l.reach(l.sought); n > 0 {
		return n
	}
	if f.Searched || f.Peek == nil || l.Len() == 0 || l.Len() == f.inView() || l.rows.Cursor() < l.Len()-ahead {
		return 0
	}
	return len(f.Peek.Matches) + 1
}

// Rows returns the rows in their order, without those that are folded away.
func (l *List) Rows() []Row { return l.rows.Rows() }

// Selected returns the turn under the cursor, uuid.Nil for none.
func (l *List) Selected() uuid.UUID { return l.selected }

// Cursor returns the row under the cursor, false for none.
func (l *List) Cursor() (Row, bool) { return l.rows.Chosen() }

// Marked returns the marked turns, in the order of their IDs.
func (l *List) Marked() []uuid.UUID {
	ids := make([]uuid.UUID, 0, len(l.marked))
	for id := range l.marked {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	return ids
}

// Seek puts a match under the cursor and has a turn read, once the results are there: for turn uuid.Nil the match.
func (l *List) Seek(match, turn uuid.UUID) {
	l.pending = pending{match, cmp.Or(turn, match)}
	if l.pending.turn == uuid.Nil {
		l.ui.Post(TurnSelected{ID: l.selected})
	}
}

// Pending returns what Seek has been asked for, until it is shown: uuid.Nil for nothing.
func (l *List) Pending() (match, turn uuid.UUID) { return l.pending.match, l.pending.turn }

// choose moves the cursor to a turn and reports whether it is listed.
func (l *List) choose(turn uuid.UUID) bool {
	if !l.unfold(turn) {
		return false
	}
	if l.basis != l.currentBasis() {
		l.fold()
	}
	at := slices.IndexFunc(l.rows.Rows(), func(r Row) bool { return r.ID == turn })
	if at >= 0 {
		l.rows.MoveTo(at)
	}
	return at >= 0
}

// follow posts the turn under the cursor when that has changed.
func (l *List) follow() {
	row, _ := l.rows.Chosen()
	if row.ID != l.selected {
		l.selected = row.ID
		l.ui.Post(TurnSelected{ID: row.ID})
	}
}

// Scroll moves the cursor by n rows.
func (l *List) Scroll(n int) {
	l.rows.Move(n)
	l.moved()
}

// moved tells where the user has moved the cursor.
func (l *List) moved() {
	before := l.selected
	l.pending, l.sought = pending{}, zoom.Span{}
	if l.follow(); l.selected != before {
		l.ui.Post(CursorMoved{l.selected})
	}
}

// ChooseIn moves the cursor to the first turn of a span, also one that is folded away, unless it is on one. Without a
// query, turns are listed up to there first.
func (l *List) ChooseIn(span zoom.Span) {
	l.sought = zoom.Span{}
	in := func(r Row) bool { return r.Clock != "" && span.Holds(r.At) }
	if row, ok := l.rows.Chosen(); ok && in(row) {
		return
	}
	for _, rows := range [][]Row{l.rows.Rows(), l.all} {
		if at := slices.IndexFunc(rows, in); at >= 0 {
			l.Choose(rows[at].ID)
			return
		}
	}
	if l.reach(span) > 0 {
		l.sought = span
	}
}

// reach returns how many turns are listed without a query up to the first one of a span, 0 if it has none or they are
// too many.
func (l *List) reach(span zoom.Span) int {
	f := l.found
	if f.Searched || f.Peek == nil || span == (zoom.Span{}) {
		return 0
	}
	before := len(zoom.Span{From: math.MinInt64, To: span.From}.Of(f.Peek.Times))
	in, n := len(span.Of(f.Peek.Times)), before+1
	if !f.Oldest {
		n = len(f.Peek.Times) - before - in + 1
	}
	if in == 0 || n > mostSought || n <= len(f.Peek.Matches) {
		return 0
	}
	return n
}

// Choose moves the cursor to a turn, if it is listed.
func (l *List) Choose(turn uuid.UUID) {
	if l.choose(turn) {
		l.pending = pending{}
		l.follow()
	}
}

// Click moves the cursor to the row at a cell. A second click on the row under the cursor has it read.
func (l *List) Click(_, y int) (decides bool) {
	before := l.selected
	if !l.rows.Point(y - l.top()) {
		return false
	}
	l.moved()
	if decides = l.focused && l.selected == before && before != uuid.Nil; decides {
		l.read()
	}
	return decides
}

// read has the turn under the cursor read.
func (l *List) read() tea.Cmd {
	if l.Len() == 0 {
		l.ui.Post(ui.Notify("No match selected"))
		return nil
	}
	l.ui.Post(TurnSelected{ID: l.selected, Focus: true})
	return nil
}

// mark toggles the mark of the turn under the cursor and moves to the next. Marked turns are copied and exported
// together.
func (l *List) mark() tea.Cmd {
	row, ok := l.rows.Chosen()
	if !ok {
		l.ui.Post(ui.Notify("No match selected"))
		return nil
	}
	if l.marked[row.ID] {
		delete(l.marked, row.ID)
	} else {
		l.marked[row.ID] = true
	}
	l.markings++
	l.Scroll(1)
	return nil
}

// foldSays says what becomes of the matches under the cursor, "" for nothing.
func (l *List) foldSays() string {
	switch row, _ := l.rows.Chosen(); {
	case row.Under, row.Open && row.More > 0:
		return "fold"
	case row.More > 0:
		return "unfold"
	}
	return ""
}

// toggleFold shows the other matches of the conversation under the cursor, or hides them.
func (l *List) toggleFold() tea.Cmd {
	row, ok := l.rows.Chosen()
	if !ok || row.More == 0 && !row.Under {
		l.ui.Post(ui.Notify("No more matches in this conversation"))
		return nil
	}
	if row.Under {
		at := l.rows.Cursor()
		for l.rows.Rows()[at].Under {
			at--
		}
		l.rows.MoveTo(at)
	}
	l.folds.toggle(row.Conversation)
	l.Show(l.found)
	return nil
}

func (l *List) sort() tea.Cmd {
	if l.found.Missing.Searching {
		l.sorting, l.dated = l.order().next(), l.found.Ranked
	} else {
		l.sorting.Oldest = !l.sorting.Oldest
	}
	return nil
}

func (l *List) seekAlike() tea.Cmd {
	row, ok := l.rows.Chosen()
	if !ok {
		l.ui.Post(ui.Notify("No turn selected"))
		return nil
	}
	l.ui.Post(ui.SeekAlike{ID: row.ID})
	return nil
}

// Commands returns the commands that it offers while it has the focus.
func (l *List) Commands() []ui.Command {
	move := func(n int) func() tea.Cmd { return ui.Do(func() { l.Scroll(n) }) }
	page := func(n int) func() tea.Cmd {
		return ui.Do(func() { l.Scroll(n * max(1, (l.height-l.top())/l.shape().height()/2)) })
	}
	filters := ui.Do(func() { l.ui.Post(EditFilters{}) })
	return []ui.Command{
		ui.Hinted("down", "j down", "match", move(1)),
		ui.Hinted("up", "k up", "match", move(-1)),
		ui.On("next-match", "n", "", move(1)),
		ui.On("previous-match", "N", "", move(-1)),
		ui.On("page-down", "pgdown ctrl+d", "half a page", page(1)),
		ui.On("page-up", "pgup ctrl+u", "half a page", page(-1)),
		ui.On("first", "g home", "first/last", move(-1<<30)),
		ui.On("last", "G end", "first/last", move(1<<30)),
		ui.Hinted("look-into", "enter", "read turn", l.read).Leading(),
		ui.Hinted("unfold", "space", "unfold", l.toggleFold).Saying(l.foldSays),
		ui.On("mark", "*", "mark", l.mark),
		ui.Hinted("more-like-this", "x", "more like this", l.seekAlike).Last(),
		ui.On("sort", "s", "best/newest/oldest", l.sort).Anywhere(),
		ui.On("filters", "f", "filters", filters).Anywhere(),
	}
}

// Update does nothing: the list requests nothing.
func (l *List) Update(tea.Msg) tea.Cmd { return nil }

var _ ui.Component = (*List)(nil)
