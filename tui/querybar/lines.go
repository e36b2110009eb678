package querybar

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lens/internal/cleantext"
)

// A bar may have several lines: a question to a chat model.

// InsertLines is Insert for text of any number of lines.
func (b *Bar) InsertLines(text string) {
	clean := strings.ReplaceAll(cleantext.Columns(cleantext.Text(text)), "\t", " ")
	if len(b.before)+len(b.after)+len(clean) <= MaxBytes {
		b.before += clean
	}
}

// Lines breaks the text between characters into lines of at most width cells and returns the position of the cursor.
func (b Bar) Lines(width int) (lines []string, x, y int) {
	text := b.Text()
	rows := rowsOf(text, max(1, width))
	for _, r := range rows {
		lines = append(lines, text[r.from:r.to])
	}
	y = b.row(rows)
	return lines, ansi.StringWidth(text[rows[y].from:len(b.before)]), y
}

// Rise moves the cursor n lines up, for -n down, and reports whether that line exists.
func (b *Bar) Rise(width, n int) bool {
	text := b.Text()
	rows := rowsOf(text, max(1, width))
	at := b.row(rows)
	to := at - n
	if to < 0 || to >= len(rows) {
		return false
	}
	column := ansi.StringWidth(text[rows[at].from:len(b.before)])
	line := text[rows[to].from:rows[to].to]
	b.cut(rows[to].from + len(ansi.Truncate(line, column, "")))
	return true
}

// row is the byte range [from, to) of a line.
type row struct{ from, to int }

// row returns the index of the line with the cursor, the second of two if it is between them.
func (b Bar) row(rows []row) int {
	at := 0
	for i, r := range rows {
		if r.from <= len(b.before) {
			at = i
		}
	}
	return at
}

func rowsOf(text string, width int) []row {
	var rows []row
	from, filled := 0, 0
	for at := 0; at < len(text); {
		if text[at] == '\n' {
			rows = append(rows, row{from, at})
			at++
			from, filled = at, 0
			continue
		}
		cluster, cells := ansi.FirstGraphemeCluster(text[at:], ansi.GraphemeWidth)
		if filled+cells > width && at > from {
			rows = append(rows, row{from, at})
			from, filled = at, 0
		}
		filled += cells
		at += max(1, len(cluster))
	}
	return append(rows, row{from, len(text)})
}
