package timeline

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lens/retrieval"
	"lens/retrieval/timebin"
	"lens/tui/histogram"
	"lens/tui/theme"
)

// Look is how the chart is drawn.
type Look struct {
	Form     Form
	Share    bool // of all turns, instead of counts
	OneScale bool // of the rows of several queries, instead of one for each
	Counted  Counted
}

// Counted is what the chart of a query counts. Saved sessions have its number.
type Counted int

// The best matches, or all turns with the words of the query. Unless the user says which, a search by words alone
// counts the turns with the words, where there are any.
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
	Rows  // of the query of now and the pinned ones
	Lines // of the same, as many as are distinguishable in one plot
)

// compares reports whether a form draws several queries.
func (f Form) compares() bool { return f == Rows || f == Lines }

// leastRows is the least height of lines, below which bars are drawn. A comparison has few, since bars would hide what
// is pinned.
func (f Form) leastRows() int {
	if f == Line {
		return 4
	}
	return 2
}

// mostLines is how many queries are distinguishable in one plot: each has its own characters.
const mostLines = 4

// form returns the form that is drawn: bars, where there is nothing else to draw.
func (t *Timeline) form() Form {
	rows, _ := t.rows()
	switch f := t.look.Form; {
	case !t.in.Searching, f.compares() && len(t.in.Pinned) == 0, rows < f.leastRows():
		return Bars
	default:
		return f
	}
}

// compared is a query of a comparison.
type compared struct {
	Pin
	series int // by which it has its color
}

// compared returns the query of now and then the pinned ones, which keep their colors.
func (p *plot) compared() []compared {
	var all []compared
	if p.in.Name != "" {
		all = append(all, compared{Pin{Name: p.in.Name, Peek: p.in.Peek, Live: true}, 0})
	}
	for i, pin := range p.in.Pinned {
		if pin.Live {
			all = slices.Insert(all, 0, compared{pin, 0})
		} else {
			all = append(all, compared{pin, i + 1})
		}
	}
	return all
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
	var series []histogram.Series
	var taken [mostLines]bool
	for _, q := range p.compared() {
		if line := &taken[q.series%mostLines]; !*line {
			*line = true
			series = append(series, histogram.Series{Name: q.Name, Number: q.series, Values: p.values(q.Peek, c)})
		}
	}
	return series
}

// rowsOf returns the rows to draw over the bins.
func (p *plot) rowsOf(c histogram.Chart) []histogram.Row {
	var rows []histogram.Row
	for _, q := range p.compared() {
		r := histogram.Row{Name: q.Name, Live: q.Live, Series: q.series, Values: p.values(q.Peek, c)}
		if q.Peek != nil {
			d := p.look.drawn(q.Peek)
			if r.Total = len(p.zoom.Of(d.times)); p.zoom.IsAll() {
				r.Total = d.total
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// values returns the heights of what is found in the bins.
func (p *plot) values(of *retrieval.Peek, c histogram.Chart) []float64 {
	values := make([]float64, len(c.Bins))
	if of == nil {
		return values
	}
	for i, n := range timebin.Count(p.zoom.Edges(), p.zoom.Of(p.look.drawn(of).times)) {
		b := c.Bins[i]
		b.Count = n
		values[i] = c.Height(b)
	}
	return values
}

// legend names the compared queries with their values at the cursor.
func legend(series []histogram.Series, c histogram.Chart, longest int, th theme.Theme) string {
	legend := ""
	for _, s := range series {
		legend += "  " + histogram.Sample(s.Number, th) + " " + ansi.Truncate(s.Name, longest, th.Glyphs.Ellipsis)
		if c.Cursor < len(s.Values) {
			legend += " " + th.Dim.Render(c.Written(s.Values[c.Cursor]))
		}
	}
	return strings.TrimLeft(legend, " ")
}
