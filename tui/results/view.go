package results

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
)

// View draws the title, a line that names conversations if there is one, and the rows around the cursor.
func (l *List) View() []string {
	th, f := l.ui.Theme, l.found
	remark := ""
	if f.Peek != nil && f.Failure.Message == "" {
		remark = l.remark()
	}
	head := []string{th.Fit(th.Title(l.name(), l.focused)+" "+th.Dim.Render(remark), l.width)}
	switch {
	case l.namesFullest():
		head = append(head, th.Fit(th.Dim.Render(l.fullest()), l.width))
	case l.namesTitles():
		head = append(head, th.Fit(th.Dim.Render(l.titles()), l.width))
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
		return l.invitation()
	case l.Len() == 0 && (!f.Final || !f.Missing.Searching && !f.Current):
		return nil // the result is about to arrive
	case l.Len() == 0:
		return l.noMatch()
	}
	var lines []string
	rows, first := l.rows.Window()
	for i, row := range rows {
		lines = append(lines, row.lines(l.width, first+i == l.rows.Cursor(), l.shape(), l.ui.Theme)...)
	}
	return lines
}

func (l *List) name() string {
	if l.found.Missing.Searching {
		return "Matches"
	}
	return "Turns"
}

// inView returns how many matches are in view. Undated ones are only when the whole archive is.
func (l *List) inView() int {
	if l.found.All {
		return l.found.Peek.Histogram.Total
	}
	return len(l.found.View.Of(l.found.Peek.Times))
}

// remark says which matches are listed.
func (l *List) remark() string {
	if !l.found.Searched {
		return l.withMarks(l.browsed())
	}
	inView, coverage := l.inView(), l.found.Peek.Coverage
	if coverage.Faint {
		if other := l.found.Missing.Suggestion; other != "" {
			return "No clear match; " + l.keyToAccept() + ": " + l.ui.Theme.Quoted(other)
		}
		return l.withMarks("No clear match; showing the nearest")
	}
	remark := theme.Number(inView) + " in view, " + l.sorting.words()
	if inView == l.found.Peek.Histogram.Total && coverage.Truncated {
		remark = "the best " + theme.Number(inView) + ", " + l.sorting.words()
	}
	if n := l.Len(); n < inView {
		remark += ", " + theme.Number(n) + " listed"
	}
	return l.withMarks(remark)
}

// browsed says which turns are listed, and of how many.
func (l *List) browsed() string {
	which := "newest"
	if l.found.Oldest {
		which = "oldest"
	}
	if n, inView := l.Len(), l.inView(); n < inView {
		return which + " " + theme.Number(n) + " of " + theme.Number(inView)
	}
	return which + " first"
}

// Remark says which turns are listed, and of how many, if there is no query.
func (l *List) Remark() string { return l.browsed() }

func (l *List) withMarks(remark string) string {
	if n := len(l.marked); n > 0 {
		remark += ", " + theme.Number(n) + " marked"
	}
	return remark
}

// leastHeight is the least height with room for a line that names conversations.
const leastHeight = 6

// namesFullest reports whether a line names the most active conversations. It stays while they are counted.
func (l *List) namesFullest() bool {
	f := l.found
	return !f.Missing.Searching && f.Peek != nil && l.height >= leastHeight && !f.Missing.OneConversation &&
		(len(f.Fullest) > 0 || !f.Current)
}

// namesTitles reports whether a line names conversations by their titles.
func (l *List) namesTitles() bool {
	f := l.found
	return f.Missing.Searching && f.Peek != nil && len(f.Peek.Titles) > 0 && l.height >= leastHeight
}

// top is the number of lines above the rows.
func (l *List) top() int {
	if l.namesFullest() || l.namesTitles() {
		return 2
	}
	return 1
}

// fullest names the conversations with the most turns in view, as many as fit.
func (l *List) fullest() string {
	if !l.found.Current {
		return ""
	}
	line := " most active: "
	for i, f := range l.found.Fullest {
		count := fmt.Sprintf(" (%s)", theme.Number(f.Turns))
		if i == 0 {
			line += ansi.Truncate(f.Title, max(0, l.width-len(line)-len(count)), l.ui.Theme.Glyphs.Ellipsis) + count
			continue
		}
		if next := line + ", " + f.Title + count; ansi.StringWidth(next) <= l.width {
			line = next
		}
	}
	return line
}

// titles names the conversations whose titles have the words of the query, as many as fit.
func (l *List) titles() string {
	line := ""
	for i, t := range l.found.Peek.Titles {
		if i == 0 {
			line = " In titles (A): " + t.Title
			continue
		}
		next := l.ui.Theme.Remarks(line, t.Title)
		if theme.Width(next) > l.width {
			break
		}
		line = next
	}
	return ansi.Truncate(line, l.width, l.ui.Theme.Glyphs.Ellipsis)
}

// invitation is shown before there are results.
func (l *List) invitation() []string {
	if l.found.Missing.Searching {
		return nil
	}
	key, does := l.ui.Key("query"), "  find what you talked about, and when"
	return []string{"", "  " + l.ui.Theme.Accent.Render(key) + l.ui.Theme.Dim.Render(does)}
}

// noMatch explains an empty list and how to undo it, with the keys that work where the focus is.
func (l *List) noMatch() []string {
	m := l.found.Missing
	if l.found.All || m.ElsewhereKnown && m.Elsewhere == 0 {
		return l.nothing()
	}
	key, dim := l.ui.Theme.Accent.Render, l.ui.Theme.Dim.Render
	lines := []string{"", dim("  No matches in this window")}
	if !m.Searching {
		lines[1] = dim("  No turns in this window")
	}
	if m.ElsewhereKnown {
		lines = append(lines, dim("  The whole archive has "+m.elsewhere()))
	}
	leave := "  "
	if m.ToChart != "" {
		leave += key(m.ToChart) + dim(", then ")
	}
	leave += key(l.ui.Key("histogram.show-all")) + dim(" show all "+l.ui.Theme.Glyphs.Separator+" ")
	return append(lines, leave+key(l.ui.Key("back"))+dim(" back"))
}

// elsewhere writes how many matches all time has.
func (m Missing) elsewhere() string {
	count := theme.Count(m.Elsewhere, "turn", "turns")
	if m.Searching {
		count = theme.Count(m.Elsewhere, "match", "matches")
	}
	if m.AtLeast {
		return "more than " + count
	}
	return count
}

// nothing says that the whole archive has no match, and suggests what to change.
func (l *List) nothing() []string {
	key, dim, m := l.ui.Theme.Accent.Render, l.ui.Theme.Dim.Render, l.found.Missing
	switch {
	case len(m.Filters) > 0:
		leave := "  "
		if m.Typing {
			leave += key(l.ui.Key("query.leave-query")) + dim(", then ")
		}
		leave += key(l.ui.Key("drop-filter")) + dim(" drops the last "+l.ui.Theme.Glyphs.Separator+" ")
		leave += key(l.ui.Key("matches")+" "+l.ui.Key("matches.filters")) + dim(" all filters")
		return []string{"", dim("  No matches"), dim("  Filters: " + strings.Join(m.Filters, ", ")), leave}
	case m.Suggestion != "":
		meant := dim("  Did you mean ") + l.ui.Theme.Quoted(m.Suggestion) + dim("?  ")
		return []string{"", dim("  No matches"), meant + key(l.keyToAccept()) + dim(" accepts")}
	}
	return []string{"", dim("  No matches. Try other words")}
}

// keyToAccept returns the key that searches for the suggestion, where the focus is.
func (l *List) keyToAccept() string {
	if l.found.Missing.Typing {
		return l.ui.Key("query.take-suggestion")
	}
	return l.ui.Key("take-suggestion")
}
