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
	Rank         int // from 1; 0: listed by time
	Score        float64
	At           int64  // UTC seconds; 0: undated
	Date         string // "2024-05-14" or "undated"
	Clock        string // "09:31"; "": undated
	Title        string
	Snippet      string
	Marked       bool
	Hits         [][2]int // cells of Snippet that hold words of the query, in order
}

// shape is how rows are drawn.
type shape struct {
	tall  bool // two lines a row: date and title, then the snippet
	stale bool // dim, since they answer an older query
}

// page returns how many rows fit height lines.
func (s shape) page(height int) int {
	if s.tall {
		return max(1, height/2)
	}
	return max(1, height)
}

// lines draws the row.
func (r Row) lines(width int, chosen bool, o shape, th theme.Theme) []string {
	pointer := " "
	if chosen {
		pointer = th.Glyphs.Pointer
	}
	mark := " "
	if r.Marked {
		mark = th.Glyphs.Mark
	}
	meta := r.meta(pointer, mark, !o.tall && width < 56)
	line, snippet := th.Dim, theme.Style{}
	if chosen {
		line, snippet = theme.Style{}, th.Cursor
	}
	if o.stale {
		line, snippet = th.Dim, th.Dim
	}
	if !o.tall {
		return []string{th.Fit(line.Render(meta)+r.marked(width-theme.Width(meta), snippet, o, th), width)}
	}
	indent := strings.Repeat(" ", min(7, width/4))
	title := theme.Style{}
	if chosen || o.stale {
		title = snippet
	}
	return []string{
		th.Fit(line.Render(meta)+title.Render(cut(r.Title, width-theme.Width(meta), th)), width),
		th.Fit(indent+r.marked(width-len(indent), snippet, o, th), width),
	}
}

// meta returns rank, score and date. Brief rows omit the score in favor of the text.
func (r Row) meta(pointer, mark string, brief bool) string {
	switch {
	case r.Rank == 0 && brief:
		return fmt.Sprintf("%s%s %-10s  ", pointer, mark, r.Date)
	case r.Rank == 0:
		return fmt.Sprintf("%s%s %-10s %-5s  ", pointer, mark, r.Date, r.Clock)
	case brief:
		return fmt.Sprintf("%s%3d%s %-10s  ", pointer, r.Rank, mark, r.Date)
	}
	return fmt.Sprintf("%s%3d %5.3f%s %-10s  ", pointer, r.Rank, r.Score, mark, r.Date)
}

// marked returns the snippet in at most width cells, with the words of the query marked.
func (r Row) marked(width int, style theme.Style, o shape, th theme.Theme) string {
	text := cut(r.Snippet, width, th)
	if o.stale || len(r.Hits) == 0 {
		return style.Render(text)
	}
	seen, end := 0, theme.Width(text)
	for seen < len(r.Hits) && r.Hits[seen][1] <= end {
		seen++
	}
	return th.Hit.Over(style.Render(text), r.Hits[:seen])
}

func cut(s string, width int, th theme.Theme) string {
	return ansi.Truncate(s, max(0, width), th.Glyphs.Ellipsis)
}
