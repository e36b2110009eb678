package timeline

import (
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lens/retrieval/timebin"
	"lens/tui/histogram"
	"lens/tui/theme"
)

// Look is how the chart is drawn.
type Look struct {
	Form    Form
	Share   bool // of all turns, instead of counts
	Counted Counted
}

// Counted is what the chart of a query counts.
type Counted int

// The best matches, or all turns with the words of the query. Unless the user says which, a search by words alone counts
// the turns with the words, where there are any.
const (
	Usual Counted = iota
	Matches
	Occurrences
)

// Form is how matches are drawn. Saved sessions have its number.
type Form int

// The forms.
const (
	Bars Form = iota
	Line
	Comparison // of pinned queries, and the one of now
)

// leastRows is the least height of a form, below which bars are drawn. A comparison has few, since bars would hide what
// is pinned.
func (f Form) leastRows() int {
	switch f {
	case Line:
		return 4
	case Comparison:
		return 2
	}
	return math.MaxInt
}

// series returns the lines to draw over the bins.
func (p *plot) series(c histogram.Chart) []histogram.Series {
	if p.look.Form == Line {
		s := histogram.Series{Values: make([]float64, len(c.Bins))}
		for i, b := range c.Bins {
			s.Values[i] = c.Height(b)
		}
		return []histogram.Series{s}
	}
	var all []histogram.Series
	edges := p.zoom.Edges()
	for _, pin := range p.compared() {
		s := histogram.Series{Name: pin.Name, Values: make([]float64, len(c.Bins))}
		if pin.Peek != nil {
			for i, n := range timebin.Count(edges, p.zoom.Of(p.look.drawn(pin.Peek).times)) {
				b := c.Bins[i]
				b.Count = n
				s.Values[i] = c.Height(b)
			}
		}
		all = append(all, s)
	}
	return all
}

// compared returns the pinned queries, which keep their lines, and the one of now, which is drawn over them.
func (p *plot) compared() []Pin {
	if p.in.Name == "" {
		return p.in.Pinned
	}
	return append(slices.Clip(p.in.Pinned), Pin{p.in.Name, p.in.Peek})
}

// legend names the compared queries with their values at the cursor.
func legend(series []histogram.Series, c histogram.Chart, longest int, th theme.Theme) string {
	legend := ""
	for i, s := range series {
		legend += "  " + histogram.Sample(i, th) + " " + ansi.Truncate(s.Name, longest, th.Glyphs.Ellipsis)
		if c.Cursor < len(s.Values) {
			legend += " " + th.Dim.Render(c.Written(s.Values[c.Cursor]))
		}
	}
	return strings.TrimLeft(legend, " ")
}
