package search

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/tui/querybar"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// Typing a query. Every key press reads the bar again: a query that makes sense is searched at once, one that does not
// leaves the last one and says why. Filters that were typed become chips when the bar is left, and a window that was
// typed becomes the view: it is drawn as such, and back and 0 leave it, so that a chip would say the same twice and
// would be wrong after the next zoom.

// draft is what the bar says before it is left.
type draft struct {
	edited    bool
	filter    query.Filter // the chips from before
	aimed     zoom.Span    // the window that is typed; the zero span for none
	wrong     bool         // the query is the last one that made sense
	complaint Remark       // why, or what may have been meant
	told      bool         // the footer has said what is wrong, since the bar was left
	pending   query.Filter // the window, while the archive is not open yet
}

// edit changes the text. Its first edit is a step of the history, the others belong to that.
func (b *Bar) edit(change func(*querybar.Bar)) {
	before := strings.TrimSpace(b.line.Text())
	change(&b.line)
	b.asked.giveUpExemplar()
	if strings.TrimSpace(b.line.Text()) == before {
		return
	}
	if !b.draft.edited {
		b.draft = draft{edited: true, filter: b.asked.query.Filter}
	}
	b.read(b.unfinished())
	b.ui.Post(QueryChanged{Continues: b.typing})
	b.typing = true
}

// deleteBack deletes the character before the cursor, and at the beginning of the query the last chip.
func (b *Bar) deleteBack() {
	if b.line.Cursor() == 0 && b.asked.like.Turn == uuid.Nil {
		b.DropLast()
		return
	}
	b.edit((*querybar.Bar).Backspace)
}

// unfinished returns the text of the bar without a key at the cursor that waits for its value.
func (b *Bar) unfinished() string {
	text, cursor := b.line.Text(), b.line.Cursor()
	for _, item := range query.Items(text) {
		if item.Key != "" && item.Value == item.To && item.To == cursor {
			return text[:item.From] + text[item.To:]
		}
	}
	return text
}

// read makes text the query.
func (b *Bar) read(text string) {
	d := &b.draft
	q, notices, err := query.Parse(text, b.ui.Now())
	q.Filter, q.Mode = d.filter.With(q.Filter), b.asked.query.Mode
	if err == nil {
		err = Refusal(q, uuid.Nil)
	}
	if d.wrong = err != nil; d.wrong {
		d.complaint = RemarkOn(err)
		return
	}
	window := query.Filter{Since: q.Filter.Since, Until: q.Filter.Until}
	q.Filter.Since, q.Filter.Until = time.Time{}, time.Time{}
	b.asked.set(q)
	d.complaint = strayRemark(text)
	if len(notices) > 0 {
		message, hint, _ := strings.Cut(ui.Line(notices[0]), "; ")
		d.complaint = Remark{Message: message, Hint: hint}
	}
	b.aim(window)
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

// aim posts the window that is typed, once, or that it is gone.
func (b *Bar) aim(window query.Filter) {
	d := &b.draft
	if b.archive.Width() <= 0 {
		d.pending = window
		return
	}
	wanted := zoom.Span{}
	if !window.IsZero() {
		wanted = b.archive.Bounded(window.Since, window.Until)
		if wanted.Clip(b.archive).Width() <= 0 {
			d.complaint.Message, wanted = "No turns in that range", d.aimed
		}
	}
	if wanted != d.aimed {
		b.ui.Post(Aimed{Span: wanted, Was: d.aimed})
		d.aimed = wanted
	}
}

// tellWrong lets the footer say what is wrong, once, where the bar cuts it. While the bar has the focus, FooterLine does.
func (b *Bar) tellWrong() {
	if b.draft.told || b.width == 0 {
		return
	}
	b.draft.told = true
	if complaint := b.draft.complaint; theme.Width(complaint.Message) > b.line.Room(b.width, false) {
		b.ui.Post(ui.Notify(complaint.Within(b.width)))
	}
}

// settle turns the filters in the bar into chips once the bar is left. A query that makes no sense stays in the bar.
func (b *Bar) settle() {
	if !b.draft.edited {
		return
	}
	text := b.line.Text()
	if text != b.unfinished() {
		b.read(text)
	}
	if b.draft.wrong {
		b.tellWrong()
		return
	}
	var kept []string
	for _, item := range query.Items(text) {
		if item.Key == "" || item.Value == item.To {
			kept = append(kept, text[item.From:item.To])
		}
	}
	if left := strings.Join(kept, " "); left != strings.TrimSpace(text) {
		b.line = querybar.New(left)
	}
	if complaint := b.draft.complaint.Within(b.width); complaint != "" {
		b.ui.Post(ui.Notify(complaint))
	}
	b.draft = draft{pending: b.draft.pending}
}
