package search

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/retrieval/dates"
	"lens/retrieval/query"
	"lens/tui/querybar"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// Typing a query. Every key press reads the bar again: a query that makes sense is searched at once, one that does not
// leaves the last one and says why. Filters that were typed become chips when the bar is left, and a window that was
// typed becomes the view: it is drawn as such, and back and 0 leave it, so that a chip would say the same twice and
// would be wrong after the next zoom.

// typing is the text in the bar, and the query that it means.
type typing struct {
	ui      *ui.Context
	line    querybar.Bar
	asked   asked
	draft   draft
	begun   bool        // the text was edited since the bar got the focus; further edits belong to that step
	archive zoom.Extent // empty until it is known
	view    zoom.Span   // the part of it that is in view
}

// asked is what is searched: the latest query that made sense.
type asked struct {
	query   query.Query // with the filters and the mode
	search  Search      // of query, printed once, since every frame compares it often
	like    Similar     // finds similar turns, instead of the query's words
	noTurns Remark      // the text is a time of which the archive has no turns, so that nothing is listed
}

func (a *asked) set(q query.Query) { a.query, a.search, a.noTurns = q, Of(q, uuid.Nil), Remark{} }

// giveUpSimilar ends the search for similar turns, and with it what only that can have: a least similarity.
func (a *asked) giveUpSimilar() {
	if a.like.Turn == uuid.Nil {
		return
	}
	a.like = Similar{}
	q := a.query
	q.Filter.MinSimilarity = nil
	a.set(q)
}

// draft is what the bar says before it is left.
type draft struct {
	edited    bool
	filter    query.Filter // the chips from before
	plain     string       // the words whose dates were dropped; "": none
	aimed     zoom.Span    // the window that is typed; the zero span for none
	dated     bool         // the text is a date and nothing else, so that it is the window
	wrong     bool         // the query is the last one that made sense
	complaint Remark       // why, or what may have been meant
	said      bool         // the footer has said what is wrong, since the bar was left
	pending   query.Filter // the window, while the archive is not open yet
	from      zoom.Span    // the view before it
}

// Search identifies the query.
func (t *typing) Search() Search {
	s := t.asked.search
	s.Like = t.asked.like.Turn
	return s
}

// Query returns the query with its filters and the mode, without a window. While what is typed makes no sense, it is
// the one from before.
func (t *typing) Query() query.Query { return t.asked.query }

// Similar returns the turn that similar ones are searched for.
func (t *typing) Similar() Similar { return t.asked.like }

// Text returns the text in the bar.
func (t *typing) Text() string { return t.line.Text() }

// NoTurns says that the archive has no turns of the time that is asked for, "" for any other query.
func (t *typing) NoTurns() string {
	if t.asked.noTurns == (Remark{}) {
		return ""
	}
	return t.asked.noTurns.Message + "."
}

// ForgetNoTurns has the turns in view listed again, after a time that has none.
func (t *typing) ForgetNoTurns() { t.asked.noTurns = Remark{} }

// IsEdited reports whether something was typed that has not become chips yet.
func (t *typing) IsEdited() bool { return t.draft.edited }

// Want replaces the query and what the bar says, and posts nothing.
func (t *typing) Want(q query.Query, like Similar) {
	q.Like = ""
	t.asked.set(q)
	t.asked.like, t.begun, t.draft = like, false, draft{}
	q.Filter = query.Filter{}
	t.line = querybar.New(q.String())
}

// SeekLike searches for turns similar to one. The words are given up, and with them the role of who said them.
func (t *typing) SeekLike(like Similar) {
	filter := t.asked.query.Filter
	filter.Role = ""
	t.Want(query.Query{Filter: filter, Mode: t.asked.query.Mode}, like)
	t.ui.Post(QueryChanged{})
}

// restrict changes the filters or the mode, unless the query would be refused.
func (t *typing) restrict(change func(q *query.Query)) {
	next := t.asked.query
	change(&next)
	if err := Refusal(next, t.asked.like.Turn); err != nil {
		t.ui.Post(ui.Notify(RemarkOn(err).Full()))
		return
	}
	t.asked.set(next)
	if t.draft.edited {
		before := query.Query{Filter: t.draft.filter}
		change(&before)
		t.draft.filter, t.draft.plain = before.Filter, plain(next)
		t.read(t.unfinished())
	}
	t.ui.Post(QueryChanged{})
}

// plain returns the words of a query whose dates were dropped, "" if they were not.
func plain(q query.Query) string {
	if q.Dates != query.DatesOff {
		return ""
	}
	return q.Words()
}

// insert types text at the cursor.
func (t *typing) insert(text string) { t.edit(func(line *querybar.Bar) { line.Insert(text) }) }

// edit changes the text. Its first edit is a step of the history, the others belong to that.
func (t *typing) edit(change func(*querybar.Bar)) {
	before := strings.TrimSpace(t.line.Text())
	change(&t.line)
	t.asked.giveUpSimilar()
	if strings.TrimSpace(t.line.Text()) == before {
		return
	}
	if !t.draft.edited {
		t.draft = draft{edited: true, filter: t.asked.query.Filter, plain: plain(t.asked.query), from: t.view}
	}
	t.read(t.unfinished())
	t.ui.Post(QueryChanged{Continues: t.begun})
	t.begun = true
}

// replay types a query from before, in place of the text and the chips.
func (t *typing) replay(text string) {
	t.asked.giveUpSimilar()
	t.line = querybar.New(text)
	t.draft = draft{edited: true, from: t.view}
	t.read(t.unfinished())
	t.ui.Post(QueryChanged{Continues: t.begun})
	t.begun = true
}

// Retype puts the filters back into the text, as part of what is typed: that of a query that is refused is replaced
// as a whole.
func (t *typing) Retype() {
	t.line = querybar.New(t.asked.search.Text)
	t.draft = draft{edited: true, plain: plain(t.asked.query), from: t.view}
}

// unfinished returns the text of the bar without a key at the cursor that waits for its value.
func (t *typing) unfinished() string {
	text, cursor := t.line.Text(), t.line.Cursor()
	for _, item := range query.Items(text) {
		if item.Key != "" && item.Value == item.To && item.To == cursor {
			return text[:item.From] + text[item.To:]
		}
	}
	return text
}

// read makes text the query.
func (t *typing) read(text string) {
	d := &t.draft
	q, notices, err := query.Parse(text, dates.Reference(t.ui.Now(), t.archive.Last))
	q.Filter, q.Mode = d.filter.With(q.Filter), t.asked.query.Mode
	if d.plain != "" && q.Words() == d.plain {
		q.Dates = query.DatesOff
	}
	dated := t.readDate(&q)
	if err == nil {
		err = Refusal(q, uuid.Nil)
	}
	if d.wrong = err != nil; d.wrong {
		d.complaint = RemarkOn(err)
		return
	}
	window := query.Filter{Since: q.Filter.Since, Until: q.Filter.Until}
	q.Filter.Since, q.Filter.Until = time.Time{}, time.Time{}
	t.asked.set(q)
	if d.dated && window.IsZero() {
		t.asked.noTurns = dated
	}
	if d.complaint = strayRemark(text); d.dated {
		d.complaint = dated
	}
	if len(notices) > 0 {
		message, hint, _ := strings.Cut(ui.Line(notices[0]), "; ")
		d.complaint = Remark{Message: message, Hint: hint}
	}
	var named zoom.Span
	switch {
	case t.asked.noTurns != (Remark{}):
		if d.from.Width() > 0 && d.from != t.archive.Span { // which is not the time that has no turns
			named = t.archive.Span
		}
	case window.IsZero():
		var date string
		if named, date = t.namedElsewhere(q); date != "" && d.complaint == (Remark{}) {
			d.complaint = t.leaves(named, date)
		}
	}
	t.aim(window, named)
}

// namedElsewhere returns the window that a date of the query asks for instead of the view, with that date: of the view,
// the days that are named; all time, where none of them are in view. It is the zero span if a query names none, several
// dates in view, or all of the view. All time is left as it is, since turns near a date rank higher there.
func (t *typing) namedElsewhere(q query.Query) (window zoom.Span, date string) {
	view, all := t.draft.from, t.archive.Span
	if q.Dates == query.DatesOff || all.Width() <= 0 || view.Width() <= 0 || view == all {
		return window, ""
	}
	inView := 0
	for _, found := range dates.Find(q.Text, t.ui.Now(), t.archive.Last) {
		text := q.Text[found.From:found.To]
		for _, w := range found.Windows(time.Unix(all.From, 0).UTC(), t.archive.Last) {
			named := all.Bounded(w.Named.Since, w.Named.Until)
			switch {
			case named.Clip(view).Width() > 0:
				window, date = named.Clip(view), text
				inView++
			case inView == 0 && !found.Yearly && named.Clip(all).Width() > 0:
				window, date = all, text
			}
		}
	}
	if inView > 1 || window == view {
		return zoom.Span{}, ""
	}
	return window, date
}

// leaves says that a window is searched instead of the view, for a date.
func (t *typing) leaves(window zoom.Span, date string) Remark {
	says := " is part of the window: only that is searched"
	if window == t.archive.Span {
		says = " is outside the window: all time is searched"
	}
	return Remark{Message: t.ui.Theme.Quoted(date) + says, Hint: t.ui.Key("back") + " goes back", Quiet: true}
}

// readDate makes a query that is only a date the window of that time, whose turns are then listed, and says what to
// know of that. Where the archive has no turns, as in 1984, it may well be a name or a number: it stays words. A
// relative one, as yesterday, is neither: nothing is listed.
func (t *typing) readDate(q *query.Query) (remark Remark) {
	t.draft.dated = false
	now, end := t.ui.Now(), t.archive.Last
	named, ok := q.OnlyDate(now, end)
	window := t.archive.Bounded(named.Since, named.Until)
	unreached := ok && t.archive.Width() > 0 && window.Clip(t.archive.Span).Width() <= 0
	switch {
	case !ok || unreached && !named.Relative:
		return remark
	case unreached:
		remark = t.noTurns(window)
	case named.Relative && dates.CountsFromEnd(now, end):
		remark = Remark{Message: t.archive.CountedBack(), Quiet: true}
	}
	if q.Text, t.draft.dated = "", true; !unreached {
		q.Filter.Since, q.Filter.Until = named.Since, named.Until
	}
	return remark
}

// noTurns says that the archive does not reach a window.
func (t *typing) noTurns(window zoom.Span) Remark {
	says, hint := t.archive.NoTurns(window, t.ui.Theme)
	return Remark{Message: says, Hint: hint}
}

// strayRemark names what reads like a filter and is a word.
func strayRemark(text string) Remark {
	for _, item := range query.Items(text) {
		if item.Stray != "" {
			return Remark{Message: "“" + item.Stray + ":” is not a filter", Hint: "use one of " + filterKeys(), Quiet: true}
		}
	}
	return Remark{}
}

// filterKeys lists what filters begin with.
func filterKeys() string {
	keys := make([]string, len(query.Filters))
	for i, field := range query.Filters {
		keys[i] = field.Key
	}
	return strings.Join(keys, ", ")
}

// aim posts the window that is typed, once, or that it is gone; named is that of a date in the words.
func (t *typing) aim(window query.Filter, named zoom.Span) {
	d := &t.draft
	if t.archive.Width() <= 0 {
		d.pending = window
		return
	}
	wanted := named
	if !window.IsZero() {
		wanted = t.archive.Bounded(window.Since, window.Until)
		if wanted.Clip(t.archive.Span).Width() <= 0 {
			d.complaint, wanted = t.noTurns(wanted), d.aimed
		}
	}
	if wanted != d.aimed {
		t.ui.Post(Aimed{Span: wanted, Was: d.aimed})
		d.aimed = wanted
	}
}

// settle turns the filters in the text into chips, and returns what may have been meant. A query that makes no sense
// stays as it is typed.
func (t *typing) settle() (doubt Remark) {
	text := t.line.Text()
	if text != t.unfinished() {
		t.read(text)
	}
	if t.draft.wrong {
		return Remark{}
	}
	var kept []string
	for _, item := range query.Items(text) {
		if (item.Key == "" || item.Value == item.To) && !t.draft.dated {
			kept = append(kept, text[item.From:item.To])
		}
	}
	if left := strings.Join(kept, " "); left != strings.TrimSpace(text) {
		t.line = querybar.New(left)
	}
	doubt = t.draft.complaint
	t.draft = draft{pending: t.draft.pending}
	return doubt
}
