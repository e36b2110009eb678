package results

import (
	"strings"

	"lens/tui/theme"
)

// View draws the title, a line that doubts the matches or names conversations if there is one, and the rows around the
// cursor.
func (l *List) View() []string {
	th, f := l.ui.Theme, l.found
	remark, notes := "", []string(nil)
	if f.Peek != nil && f.Failure.Message == "" && f.NoTurns == "" {
		remark, notes = l.remark()
	}
	head := []string{l.head(remark, notes)}
	for _, line := range l.below() {
		head = append(head, th.Fit(line, l.width))
	}
	return th.Block(append(head, l.body()...), l.width+1, l.height)
}

// below draws the lines between the title and the rows: what names conversations, and what doubts the matches. Where
// there is room for one of them, a conversation that was found by its title alone says more.
func (l *List) below() (lines []string) {
	doubt, names, roomy := l.found.doubt(), l.found.namesConversations(), l.height >= leastNaming
	if !roomy {
		names = names && l.found.Searched && l.height >= leastDoubting
	}
	if names {
		lines = append(lines, l.found.conversations(l.width, l.ui))
	}
	switch {
	case doubt != "" && l.height >= leastDoubting && (roomy || !names):
		return append(lines, l.doubting(doubt)...)
	case names && roomy:
		return append(lines, "")
	}
	return lines
}

// doubting draws a doubt in as many lines as it has room for.
func (l *List) doubting(doubt string) (lines []string) {
	most := max(1, l.height/leastDoubting-1)
	for _, line := range theme.Wrapped(doubt, l.width-theme.Margin) {
		if len(lines) == most {
			whole := strings.TrimSpace(lines[most-1]) + " " + line
			lines[most-1] = theme.Indented(cut(whole, l.width-theme.Margin, l.ui.Theme))
			break
		}
		lines = append(lines, theme.Indented(line))
	}
	if l.height >= leastSpaced {
		lines = append(lines, "")
	}
	return lines
}

// titled is the title of the list and, where there is room, the key that lists the titles with the words.
func (l *List) titled(remark string) string {
	title := l.ui.Theme.Title(l.found.name(), l.focused)
	for _, remark := range []string{remark, l.unordered(remark)} {
		room := l.width - theme.Width(title) - gap - theme.Width(remark)
		for _, titles := range l.found.titlesCounted(l.ui) {
			if 1+theme.Width(titles) <= room {
				return title + " " + titles
			}
		}
	}
	return title
}

// gap is the least space between what the head says at the left and what it says at the right.
const gap = 2

// unordered is a remark without the order of matches.
func (l *List) unordered(remark string) string {
	order := l.order().words()
	return strings.TrimPrefix(strings.Replace(remark, ", "+order, "", 1), order+", ")
}

// head draws the title and, at the right, over the dates, what is listed, with as many of the notes as have room. The
// first of them comes before the order of matches.
func (l *List) head(remark string, notes []string) string {
	th := l.ui.Theme
	title, unordered := l.titled(remark), l.unordered(remark)
	for n := len(notes); n >= 0; n-- {
		noted := strings.Join(notes[:n], "")
		ways := []string{remark + noted}
		if n <= 1 && unordered+noted != remark {
			ways = append(ways, unordered+noted)
		}
		for _, way := range ways {
			if theme.Width(title)+gap+theme.Width(way) <= l.width {
				return th.Spread(title, th.Dim.Render(way), l.width)
			}
		}
	}
	return th.Fit(title+" "+th.Dim.Render(unordered), l.width)
}

// body draws the rows, or says why there are none.
func (l *List) body() []string {
	f := l.found
	switch {
	case f.Failure.Message != "":
		return l.ui.FailureLines(f.Failure.Message, f.Failure.Hint)
	case f.NoTurns != "":
		return l.noTurns()
	case f.Peek == nil:
		return f.Missing.invitation(l.ui)
	case l.Len() == 0 && (!f.Final || !f.Missing.Searching && !f.Current):
		return nil // the result is about to arrive
	case l.Len() == 0 && f.inView() > 0:
		says := "  " + f.Missing.count(f.inView()) + " here, none of them listed"
		lines := []string{"", l.ui.Theme.Dim.Render(says)}
		if f.Brushed {
			lines = append(lines, f.Missing.zoomIn(l.ui))
		}
		return lines
	case l.Len() == 0 && f.Brushed:
		return []string{"", l.ui.Theme.Dim.Render("  Nothing in the brush")}
	case l.Len() == 0:
		return f.Missing.lines(f.All, l.ui)
	}
	var lines []string
	rows, first := l.rows.Window()
	unfold := l.ui.Key("matches.unfold")
	for i, row := range rows {
		if first+i == l.near {
			lines = append(lines, l.divider())
		}
		lines = append(lines, row.lines(l.width, first+i == l.rows.Cursor(), unfold, l.shape(), l.ui.Theme)...)
	}
	return lines
}

// noTurns says that a time has no turns, and which key goes to another.
func (l *List) noTurns() []string {
	th, f := l.ui.Theme, l.found
	lines := []string{""}
	for _, line := range theme.Wrapped(f.NoTurns, l.width-theme.Margin) {
		lines = append(lines, theme.Indented(line))
	}
	plain := func(text string) string { return th.Dim.Render(text) }
	key := f.Missing.leaving(l.ui, th.Key.Render, plain) + th.Key.Render(l.ui.Key("histogram.type-range"))
	return append(lines, "  "+key+plain(" goes to another time"))
}

// divider is drawn before the rows that are near in meaning only.
func (l *List) divider() string {
	th, says := l.ui.Theme, "  near in meaning, without the words "
	rule := strings.Repeat(th.Glyphs.Horizontal, max(0, l.width-len(says)))
	return th.Fit(th.Faint.Render(says)+th.Rule.Render(rule), l.width)
}

// heightOf returns how many lines a row takes, with the divider before it.
func (l *List) heightOf(row int) int {
	lines := l.rows.Rows()[row].height(row == l.rows.Cursor(), l.shape())
	if row == l.near {
		lines++
	}
	return lines
}

// The least heights with room below the title: for a line of doubt, for an empty line below it, and for what names
// conversations, which without that would be read as a match. A doubt has a second line with three times its least.
const (
	leastDoubting = 5
	leastSpaced   = 20
	leastNaming   = 10
)

// top is the number of lines above the rows.
func (l *List) top() int { return 1 + len(l.below()) }

// remark says which matches are listed and, to follow that, how many are marked and how many rows are above those in
// view.
func (l *List) remark() (remark string, notes []string) {
	remark, final := l.found.remark(l.Len(), l.order(), l.ui)
	if final {
		return remark, nil
	}
	marked, above := "", ""
	if n := len(l.marked); n > 0 {
		marked = ", " + theme.Number(n) + " marked"
	}
	if _, n := l.rows.Window(); n > 0 {
		above = ", " + theme.Number(n) + " above"
	}
	return remark, []string{marked, above}
}

// Remark says which turns are listed, and of how many, if there is no query.
func (l *List) Remark() string { return l.found.browsed(l.Len()) }
