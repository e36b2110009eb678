package results

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"

	"lens/tui/theme"
)

// Row is a turn in the list. Its texts are clean single lines.
type Row struct {
	ID           uuid.UUID
	Conversation uuid.UUID
	Rank         int     // from 1; 0: listed by time
	Grade        float64 // how good a match it is, up to 1
	Worded       bool    // it has words of the query; else it is near in meaning
	At           int64   // UTC seconds; 0: undated
	Date         string  // "14 May 2024" or "undated    "
	Clock        string  // "09:31"; "": undated
	Title        string
	Speaker      string // of the snippet: "You", "ChatGPT"; "" for a document
	Snippet      string
	Marked       bool
	More         int      // other matches of its conversation, of which it is the best
	Open         bool     // they are shown
	Under        bool     // it is one of those
	Hits         [][2]int // cells of Snippet that hold words of the query, in order
}

// shape is how rows are drawn.
type shape struct {
	tall  bool // two lines a row: date and title, then the snippet
	stale bool // dim, since they answer an older query
	short bool // not all matches are listed yet, so that more may be folded away
}

// height returns how many lines most rows have.
func (s shape) height() int {
	if s.tall {
		return 2
	}
	return 1
}

// height returns how many lines the row has: what is folded is spelled out under the cursor alone.
func (r Row) height(chosen bool, o shape) int {
	switch {
	case r.Under:
		return 1
	case o.tall && chosen && r.folds():
		return 3
	}
	return o.height()
}

// folds reports whether other matches are folded away under it.
func (r Row) folds() bool { return r.More > 0 && !r.Open }

// The widths of the parts of a row, in cells.
const (
	signWidth  = 4 // pointer, mark, sign and a space
	barWidth   = 3
	leastTitle = 16 // beside a snippet in one line
)

// untitled is the title of what has none.
const untitled = "untitled"

// lines draws the row, that under the cursor on a ground of its own, a cell wider than the text. unfold is the key that
// shows what is folded away.
func (r Row) lines(width int, chosen bool, unfold string, o shape, th theme.Theme) []string {
	lines := r.draw(width, chosen, unfold, o, th)
	if chosen {
		for i := range lines {
			lines[i] = th.Row.Under(lines[i] + " ")
		}
	}
	return lines
}

func (r Row) draw(width int, chosen bool, unfold string, o shape, th theme.Theme) []string {
	quiet, title, passage := th.Dim, theme.Style{}, th.Dim
	if chosen {
		title, passage = th.Cursor, theme.Style{}
	}
	if o.stale {
		title, passage = th.Dim, th.Dim
	}
	pointer, right := " ", r.more(o, th)+r.right(o.tall || width >= 56, o, th)
	if chosen {
		pointer = th.Selected.Render(th.Glyphs.Row)
	}
	sign := pointer + r.mark(th) + r.sign(o, th) + " "
	room := max(0, width-signWidth-theme.Width(right)-2)
	if r.Under {
		inset := pointer + r.mark(th) + "  " + r.sign(o, th) + " "
		quote := r.speaker(quiet, o, th)
		left := max(0, room-theme.Width(inset)+signWidth-theme.Width(quote))
		return []string{th.Spread(inset+quote+r.marked(left, th.Glyphs.Ellipsis, passage, o, th), right, width)}
	}
	if !o.tall {
		return []string{th.Spread(sign+r.inLine(room, title, passage, o, th), right, width)}
	}
	inset := pointer + strings.Repeat(" ", signWidth-1)
	below := inset + r.speaker(quiet, o, th)
	lines := []string{
		th.Spread(sign+title.Render(cut(r.Title, room, th)), right, width),
		th.Fit(below+r.marked(width-theme.Width(below), th.Glyphs.Ellipsis, passage, o, th), width),
	}
	if chosen && r.folds() {
		count := "+" + theme.Number(r.More)
		if o.short {
			count += " or"
		}
		more := fmt.Sprintf("%s more in this conversation: %s shows them", count, unfold)
		if theme.Width(more) > width-signWidth {
			more = fmt.Sprintf("%s more: %s", count, unfold)
		}
		lines = append(lines, th.Fit(inset+quiet.Render(cut(more, width-signWidth, th)), width))
	}
	return lines
}

// speaker names who says the snippet.
func (r Row) speaker(quiet theme.Style, o shape, th theme.Theme) string {
	switch {
	case r.Speaker == "":
		return ""
	case r.Speaker == you && !o.stale:
		return th.You.Render(r.Speaker + "  ")
	}
	return quiet.Render(r.Speaker + "  ")
}

// more counts the matches that are folded away, with a blank behind.
func (r Row) more(o shape, th theme.Theme) string {
	if !r.folds() {
		return ""
	}
	count := "+" + theme.Number(r.More)
	if o.short {
		count += th.Glyphs.Ellipsis
	}
	return th.Dim.Render(count) + " "
}

// inLine returns title and snippet in one line, without room for both only the title.
func (r Row) inLine(room int, title, passage theme.Style, o shape, th theme.Theme) string {
	if r.Title == untitled {
		return r.marked(room, th.Glyphs.Ellipsis, title, o, th)
	}
	most := max(leastTitle, room*2/5)
	if whole := theme.Width(r.Title); whole <= room/2 {
		most = max(most, whole)
	}
	name, lead := title.Render(cut(r.Title, min(room, most), th)), th.Glyphs.Ellipsis
	if theme.Width(r.Title) > most {
		lead = "" // two of them running are read as one gap
	}
	if left := room - theme.Width(name) - 2; left >= leastTitle {
		name += "  " + r.marked(left, lead, passage, o, th)
	}
	return name
}

// mark returns the mark of a marked row.
func (r Row) mark(th theme.Theme) string {
	if r.Marked {
		return th.Selected.Render(th.Glyphs.Picked)
	}
	return " "
}

// sign tells whether the match has words of the query.
func (r Row) sign(o shape, th theme.Theme) string {
	sign, style := th.Glyphs.Near, th.Bar
	if r.Worded {
		sign = th.Glyphs.Worded
	}
	switch {
	case r.Rank == 0:
		return " "
	case o.stale:
		style = th.Dim
	}
	return style.Render(sign)
}

// right returns what ends the first line: a bar of the score, and the date. A row by time also has the time of day.
func (r Row) right(barred bool, o shape, th theme.Theme) string {
	date := th.Dim.Render(r.Date)
	switch {
	case r.Rank > 0 && barred:
		return r.bar(o, th) + " " + date
	case r.Rank > 0 || !barred:
		return date
	}
	return date + th.Dim.Render(fmt.Sprintf(" %-5s", r.Clock))
}

// bar draws the grade in half cells, at least one.
func (r Row) bar(o shape, th theme.Theme) string {
	full, half, none := th.Glyphs.Score[0], th.Glyphs.Score[1], th.Glyphs.Score[2]
	halves := max(1, min(int(r.Grade*2*barWidth+0.5), 2*barWidth))
	drawn := strings.Repeat(full, halves/2) + strings.Repeat(half, halves%2)
	style := th.Bar
	if o.stale {
		style = th.Dim
	}
	return style.Render(drawn) + th.Rule.Render(strings.Repeat(none, barWidth-(halves+1)/2))
}

// marked returns the snippet in at most width cells, with the words of the query marked. Where the first of them would
// be cut off, it begins later. What begins within a sentence has lead before it.
func (r Row) marked(width int, lead string, style theme.Style, o shape, th theme.Theme) string {
	text, hits := th.Ellipses(r.Snippet), r.Hits
	if within, ok := strings.CutPrefix(text, th.Glyphs.Ellipsis); ok {
		text, hits = lead+within, shifted(hits, theme.Width(lead)-theme.Width(th.Glyphs.Ellipsis))
	}
	if all := theme.Width(text); len(hits) > 0 && hits[0][1] >= width && all > width {
		rest := all - hits[0][0]
		begin := wordBefore(text, hits[0][0], max(width*2/5, width-theme.Width(lead)-rest))
		text = ansi.TruncateLeft(text, begin, lead)
		hits = shifted(hits, theme.Width(lead)-begin)
	}
	text = cut(text, width, th)
	if o.stale || len(hits) == 0 {
		return style.Render(text)
	}
	seen, end := 0, theme.Width(text)
	for seen < len(hits) && hits[seen][1] <= end {
		seen++
	}
	return th.Hit.Over(style.Render(text), hits[:seen])
}

// wordBefore returns where the first word of text begins that is at most the given number of cells before a cell; the
// cell itself, if there is none.
func wordBefore(text string, cell, before int) int {
	begin := 0
	for word := range strings.SplitSeq(text, " ") {
		if begin >= cell-before {
			break
		}
		begin += theme.Width(word) + 1
	}
	return min(begin, cell)
}

func shifted(hits [][2]int, by int) [][2]int {
	moved := make([][2]int, len(hits))
	for i, hit := range hits {
		moved[i] = [2]int{hit[0] + by, hit[1] + by}
	}
	return moved
}

func cut(s string, width int, th theme.Theme) string {
	return ansi.Truncate(s, max(0, width), th.Glyphs.Ellipsis)
}
