package results

import (
	"lens/tui/theme"
)

// View draws the title, a line that names conversations if there is one, and the rows around the cursor.
func (l *List) View() []string {
	th, f := l.ui.Theme, l.found
	remark := ""
	if f.Peek != nil && f.Failure.Message == "" {
		remark = l.remark()
	}
	head := []string{th.Fit(th.Title(f.name(), l.focused)+" "+th.Dim.Render(remark), l.width)}
	if l.top() > len(head) {
		head = append(head, th.Fit(th.Dim.Render(f.conversations(l.width, l.ui)), l.width))
	}
	return append(head, th.Block(l.body(), l.width, l.height-len(head))...)
}

// body draws the rows, or says why there are none.
func (l *List) body() []string {
	f := l.found
	switch {
	case f.Failure.Message != "":
		return l.ui.FailureLines(f.Failure.Message, f.Failure.Hint)
	case f.Peek == nil:
		return f.Missing.invitation(l.ui)
	case l.Len() == 0 && (!f.Final || !f.Missing.Searching && !f.Current):
		return nil // the result is about to arrive
	case l.Len() == 0:
		return f.Missing.lines(f.All, l.ui)
	}
	var lines []string
	rows, first := l.rows.Window()
	for i, row := range rows {
		lines = append(lines, row.lines(l.width, first+i == l.rows.Cursor(), l.shape(), l.ui.Theme)...)
	}
	return lines
}

// leastHeight is the least height with room for a line that names conversations.
const leastHeight = 6

// top is the number of lines above the rows.
func (l *List) top() int {
	if l.height >= leastHeight && l.found.namesConversations() {
		return 2
	}
	return 1
}

// remark says which matches are listed.
func (l *List) remark() string {
	remark, final := l.found.remark(l.Len(), l.sorting, l.ui)
	if n := len(l.marked); n > 0 && !final {
		remark += ", " + theme.Number(n) + " marked"
	}
	return remark
}

// Remark says which turns are listed, and of how many, if there is no query.
func (l *List) Remark() string { return l.found.browsed(l.Len()) }
