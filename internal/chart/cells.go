package chart

import "strings"

// cell is one cell of a drawing. Those of one style share its address.
type cell struct {
	glyph string
	style *Style
}

// joined writes cells, with one escape sequence for neighbors of one style.
func joined(row []cell) string {
	var out strings.Builder
	out.Grow(3 * len(row))
	last := &Style{}
	for _, c := range row {
		if c.style != last {
			out.WriteString(last.After + c.style.Before)
			last = c.style
		}
		out.WriteString(c.glyph)
	}
	out.WriteString(last.After)
	return out.String()
}
