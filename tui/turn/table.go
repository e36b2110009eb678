package turn

import (
	"slices"
	"strings"

	extast "github.com/yuin/goldmark/extension/ast"

	"lens/tui/theme"
)

// leastColumn is the least width of a column; a table that does not fit so is drawn as a list.
const leastColumn = 5

// table draws a table. Columns that are too wide are narrowed, and their cells wrapped.
func (w *drawer) table(n *extast.Table, width int) (b box) {
	var rows [][][]piece
	columns := len(n.Alignments)
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		cells := make([][]piece, columns)
		as := look(0)
		if row.Kind() == extast.KindTableHeader {
			as = bold
		}
		i := 0
		for cell := row.FirstChild(); cell != nil && i < columns; cell = cell.NextSibling() {
			cells[i] = w.inline(cell, as)
			i++
		}
		rows = append(rows, cells)
	}
	room := width - 3*(columns-1)
	if columns == 0 || room < leastColumn*columns {
		return w.tableAsList(rows, width)
	}
	widths := columnWidths(rows, columns, room)
	separator := " " + w.th.Rule.Render(w.th.Glyphs.Vertical) + " "
	for i, cells := range rows {
		b.lines = append(b.lines, w.tableRow(cells, widths, n.Alignments, separator)...)
		if i == 0 {
			b.lines = append(b.lines, w.tableRule(widths))
		}
	}
	return b
}

// columnWidths divides the room: columns keep their width if it is at most an equal share of what is left.
func columnWidths(rows [][][]piece, columns, room int) []int {
	wanted := make([]int, columns)
	for _, cells := range rows {
		for i, cell := range cells {
			for line := range strings.Lines(plainOf(cell)) {
				wanted[i] = max(wanted[i], theme.Width(strings.TrimSuffix(line, "\n")))
			}
		}
	}
	narrowest := make([]int, columns)
	for i := range narrowest {
		narrowest[i] = i
	}
	slices.SortStableFunc(narrowest, func(x, y int) int { return wanted[x] - wanted[y] })
	widths := make([]int, columns)
	for done, i := range narrowest {
		widths[i] = max(1, min(wanted[i], room/(columns-done)))
		room -= widths[i]
	}
	return widths
}

func (w *drawer) tableRow(cells [][]piece, widths []int, align []extast.Alignment, separator string) []string {
	wrapped, height := make([][]string, len(cells)), 1
	for i, cell := range cells {
		wrapped[i] = w.wrap(cell, widths[i])
		height = max(height, len(wrapped[i]))
	}
	lines := make([]string, height)
	for y := range lines {
		parts := make([]string, len(cells))
		for i, cell := range wrapped {
			text := ""
			if y < len(cell) {
				text = cell[y]
			}
			parts[i] = aligned(text, widths[i], align[i])
		}
		lines[y] = strings.TrimRight(strings.Join(parts, separator), " ")
	}
	return lines
}

func aligned(text string, width int, as extast.Alignment) string {
	left := 0
	switch spare := max(0, width-theme.Width(text)); as {
	case extast.AlignRight:
		left = spare
	case extast.AlignCenter:
		left = spare / 2
	}
	text = strings.Repeat(" ", left) + text
	return text + strings.Repeat(" ", max(0, width-theme.Width(text)))
}

func (w *drawer) tableRule(widths []int) string {
	parts := make([]string, len(widths))
	for i, width := range widths {
		parts[i] = strings.Repeat(w.th.Glyphs.Horizontal, width)
	}
	h := w.th.Glyphs.Horizontal
	return w.th.Rule.Render(strings.Join(parts, h+w.th.Glyphs.Crossing+h))
}

// tableAsList draws the cells of each row one below the other.
func (w *drawer) tableAsList(rows [][][]piece, width int) (b box) {
	for i, cells := range rows {
		if i > 0 {
			b.lines = append(b.lines, "")
		}
		for _, cell := range cells {
			b.lines = append(b.lines, w.wrap(cell, width)...)
		}
	}
	return b
}
