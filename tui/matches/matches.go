// Package matches is the list of matches. It draws only the visible rows, and keeps the cursor on its match when
// other rows change.
package matches

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
	"lens/tui/ui"
)

// Item is a row of the list. Its texts must be clean single lines.
type Item struct {
	ID      string
	Rank    int // from 1; 0: listed by time
	Score   float64
	At      int64  // UTC seconds; 0: undated
	Date    string // "2024-05-14" or "undated"
	Clock   string // "09:31"; "": undated
	Title   string
	Snippet string
	Marked  bool
	Hits    [][2]int // cells of Snippet that hold words of the query, in order
}

// List is a list with a cursor. The zero List is empty.
type List struct{ rows ui.List[Item] }

// Set replaces the rows. The cursor stays on its match where that is still listed, and on its line if the list was
// scrolled; else it goes to the first row.
func (l *List) Set(items []Item) {
	l.rows.Replace(items, func(was, is Item) bool { return was.ID == is.ID })
}

// Choose moves the cursor to a match and reports whether it is listed.
func (l *List) Choose(id string) bool {
	at := slices.IndexFunc(l.rows.Rows(), func(item Item) bool { return item.ID == id })
	if at >= 0 {
		l.rows.MoveTo(at)
	}
	return at >= 0
}

// Chosen returns the match under the cursor, false when there is none.
func (l *List) Chosen() (Item, bool) { return l.rows.Chosen() }

// Len returns the number of rows.
func (l *List) Len() int { return len(l.rows.Rows()) }

// Move moves the cursor by n rows, as far as there are any.
func (l *List) Move(n int) { l.rows.Move(n) }

// Point moves the cursor to the match at line y of View and reports whether there is one.
func (l *List) Point(y int, o Options) bool {
	if o.Tall && y >= 0 {
		y /= 2
	}
	return l.rows.Point(y)
}

// MoveTo moves the cursor to the nearest row after it (before it, for step -1) that fits the current one; false if
// there is none.
func (l *List) MoveTo(step int, fits func(from, to Item) bool) bool {
	from, ok := l.Chosen()
	items := l.rows.Rows()
	for i := l.rows.Cursor() + step; ok && i >= 0 && i < len(items); i += step {
		if fits(from, items[i]) {
			l.rows.MoveTo(i)
			return true
		}
	}
	return false
}

// Options shapes a View.
type Options struct {
	Tall    bool // two lines a match: date and title, then the snippet
	Focused bool
	Stale   bool
}

// Page returns how many matches fit height lines.
func (o Options) Page(height int) int {
	if o.Tall {
		return max(1, height/2)
	}
	return max(1, height)
}

// View draws the rows around the cursor in exactly height lines of width cells.
func (l *List) View(width, height int, o Options, th theme.Theme) []string {
	l.rows.SetPage(o.Page(height))
	items, first := l.rows.Window()
	var lines []string
	for i, item := range items {
		lines = append(lines, item.lines(width, first+i == l.rows.Cursor(), o, th)...)
	}
	return th.Block(lines, width, height)
}

// lines draws one match.
func (it Item) lines(width int, chosen bool, o Options, th theme.Theme) []string {
	pointer := " "
	if chosen {
		pointer = th.Glyphs.Pointer
	}
	mark := " "
	if it.Marked {
		mark = th.Glyphs.Mark
	}
	meta := it.meta(pointer, mark, !o.Tall && width < 56)
	line, snippet := th.Dim, theme.Style{}
	if chosen {
		line, snippet = theme.Style{}, th.Cursor
	}
	if o.Stale {
		line, snippet = th.Dim, th.Dim
	}
	if !o.Tall {
		return []string{th.Fit(line.Render(meta)+it.marked(width-theme.Width(meta), snippet, o, th), width)}
	}
	indent := strings.Repeat(" ", min(7, width/4))
	title := theme.Style{}
	if chosen || o.Stale {
		title = snippet
	}
	return []string{
		th.Fit(line.Render(meta)+title.Render(cut(it.Title, width-theme.Width(meta), th)), width),
		th.Fit(indent+it.marked(width-len(indent), snippet, o, th), width),
	}
}

// meta returns rank, score and date. Brief rows omit the score in favor of the text.
func (it Item) meta(pointer, mark string, brief bool) string {
	switch {
	case it.Rank == 0 && brief:
		return fmt.Sprintf("%s%s %-10s  ", pointer, mark, it.Date)
	case it.Rank == 0:
		return fmt.Sprintf("%s%s %-10s %-5s  ", pointer, mark, it.Date, it.Clock)
	case brief:
		return fmt.Sprintf("%s%3d%s %-10s  ", pointer, it.Rank, mark, it.Date)
	}
	return fmt.Sprintf("%s%3d %5.3f%s %-10s  ", pointer, it.Rank, it.Score, mark, it.Date)
}

// marked returns the snippet in at most width cells, with the words of the query marked.
func (it Item) marked(width int, style theme.Style, o Options, th theme.Theme) string {
	text := cut(it.Snippet, width, th)
	if o.Stale || len(it.Hits) == 0 {
		return style.Render(text)
	}
	seen, end := 0, theme.Width(text)
	for seen < len(it.Hits) && it.Hits[seen][1] <= end {
		seen++
	}
	return th.Hit.Over(style.Render(text), it.Hits[:seen])
}

func cut(s string, width int, th theme.Theme) string {
	return ansi.Truncate(s, max(0, width), th.Glyphs.Ellipsis)
}
