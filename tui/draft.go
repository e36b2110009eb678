package tui

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/tui/querybar"
	"lens/tui/search"
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
	filter    query.Filter  // the chips from before
	view      zoom.View     // the view from before
	aimed     zoom.Span     // the window that is typed; the zero span for none
	wrong     bool          // the query is the last one that made sense
	complaint search.Remark // why, or what may have been meant
	pending   query.Filter  // the window, while the archive is not open yet
}

// typed records an edit of the query: the first letter adds a place, the others update it.
func (m *model) typed() {
	if !m.draft.edited {
		m.draft = draft{edited: true, filter: m.asked.Filter, view: m.timeline.Zoom().View}
	}
	m.readBar(m.unfinished())
	if !m.typing {
		m.typing = true
		m.places.push(m.place())
	}
}

// unfinished returns the text of the bar without a key at the cursor that waits for its value.
func (m *model) unfinished() string {
	text, cursor := m.bar.Text(), m.bar.Cursor()
	for _, item := range query.Items(text) {
		if item.Key != "" && item.Value == item.To && item.To == cursor {
			return text[:item.From] + text[item.To:]
		}
	}
	return text
}

// readBar makes text the query.
func (m *model) readBar(text string) {
	d := &m.draft
	q, notices, err := query.Parse(text, m.ui.Now())
	q.Filter, q.Mode = d.filter.With(q.Filter), m.asked.Mode
	if err == nil {
		err = search.Refusal(q, uuid.Nil)
	}
	if d.wrong = err != nil; d.wrong {
		d.complaint = search.RemarkOn(err)
		return
	}
	window := query.Filter{Since: q.Filter.Since, Until: q.Filter.Until}
	q.Filter.Since, q.Filter.Until = time.Time{}, time.Time{}
	m.setQuery(q)
	d.complaint = strayRemark(text)
	if len(notices) > 0 {
		message, hint, _ := strings.Cut(ui.Line(notices[0]), "; ")
		d.complaint = search.Remark{Message: message, Hint: hint}
	}
	m.aim(window)
}

// strayRemark names what reads like a filter and is a word.
func strayRemark(text string) search.Remark {
	for _, item := range query.Items(text) {
		if item.Stray != "" {
			return search.Remark{Message: "“" + item.Stray + ":” is not a filter", Hint: "use one of " + filterKeys(), Quiet: true}
		}
	}
	return search.Remark{}
}

// filterKeys lists what filters begin with.
func filterKeys() string {
	keys := make([]string, len(query.Filters))
	for i, field := range query.Filters {
		keys[i] = field.Key
	}
	return strings.Join(keys, ", ")
}

// aim shows the window that is typed or, when it is deleted, the view from before.
func (m *model) aim(window query.Filter) {
	d := &m.draft
	if m.timeline.Zoom().IsEmpty() {
		d.pending = window
		return
	}
	wanted := zoom.Span{}
	if !window.IsZero() {
		wanted = windowOf(window, m.timeline.Zoom().All)
		if wanted.Clip(m.timeline.Zoom().All).Width() <= 0 {
			d.complaint.Message, wanted = "No turns in that range", d.aimed
		}
	}
	if wanted == d.aimed {
		return
	}
	d.aimed = wanted
	z := m.timeline.Zoom()
	z.View = d.view
	if wanted != (zoom.Span{}) {
		z = z.Look(z.Snap(wanted))
	}
	m.timeline.SetZoom(z.Idle())
}

// windowOf returns the window of a filter. Where that is open, it ends with the archive.
func windowOf(f query.Filter, all zoom.Span) zoom.Span {
	window := all
	if !f.Since.IsZero() {
		window.From = f.Since.Unix()
	}
	if !f.Until.IsZero() {
		window.To = f.Until.Unix()
	}
	return window
}

// settle turns the filters in the bar into chips once the bar is left. A query that makes no sense stays in the bar.
func (m *model) settle() {
	if !m.draft.edited || m.focus == paneQuery {
		return
	}
	text := m.bar.Text()
	if text != m.unfinished() {
		m.readBar(text)
	}
	if m.draft.wrong {
		return
	}
	var kept []string
	for _, item := range query.Items(text) {
		if item.Key == "" || item.Value == item.To {
			kept = append(kept, text[item.From:item.To])
		}
	}
	if left := strings.Join(kept, " "); left != strings.TrimSpace(text) {
		m.bar = querybar.New(left)
	}
	if complaint := m.draft.complaint.Within(m.width); complaint != "" {
		m.footer.Say(complaint)
	}
	m.draft = draft{pending: m.draft.pending}
}

// aimLate shows the window that was typed before the archive was open.
func (m *model) aimLate() {
	window := m.draft.pending
	m.draft.pending = query.Filter{}
	if !window.IsZero() {
		m.draft.view = m.timeline.Zoom().View
		m.aim(window)
	}
}
