package timeline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lens/tui/histogram"
	"lens/tui/theme"
)

// The line above the chart: the path of windows, what is counted, and what is under the cursor. When room is short,
// the least useful words go first.

// title is what the line says.
type title struct {
	th          theme.Theme
	focused     bool
	crumbs      []crumb
	bins        string // "by week, auto"; "": there are none
	unit        string // "week"
	tally       tally
	cursor      string // what is under the cursor
	brief       string // the same, briefly
	legend      string // of the bars
	occurrences bool   // are drawn
	lines       bool   // several queries are compared: what is under the cursor is their legend
}

func (t *Timeline) title() title {
	l := title{th: t.ui.Theme, focused: t.in.Focused, crumbs: t.crumbs(), bins: t.Bins(), unit: t.zoom.Unit().Words()}
	if !t.zoom.IsEmpty() {
		l.tally, l.occurrences = t.tally(), t.drawn().occurrences
		l.cursor, l.brief = t.cursorWords()
		l.legend, l.lines = t.barLegend(), t.compares()
	}
	return l
}

// tally says how much is in view of what is drawn.
func (t *Timeline) tally() tally {
	of := t.in.tallyWords(t.zoom, t.ui.Theme)
	d := t.drawn()
	if of == (tally{}) || !d.occurrences {
		return of
	}
	n := len(t.zoom.Of(d.times))
	if t.zoom.IsAll() {
		n = d.total
	}
	words := histogram.Count(n, d.noun)
	return tally{long: words, plain: words, short: theme.Number(n)}
}

// compares reports whether the chart has a line for each of several queries.
func (t *Timeline) compares() bool { return t.form() == Lines && !t.zoom.Brushes }

// barLegend names the bars and the area behind them, "" where there is only one of both. Of rows it says which scale
// they have.
func (t *Timeline) barLegend() string {
	c, th := t.Chart(), t.ui.Theme
	if t.form() == Rows {
		if t.look.OneScale {
			return th.Dim.Render("all rows on one scale")
		}
		return th.Dim.Render("each row on its own scale")
	}
	highest := 0
	for _, b := range c.Bins {
		highest = max(highest, b.Baseline)
	}
	if !c.Baselined || c.Stale || c.Share || t.form() != Bars || highest == 0 {
		return ""
	}
	bar, area := histogram.Samples(th)
	return bar + th.Dim.Render(" "+c.Noun+"  ") + area + th.Dim.Render(" all turns (to "+theme.Short(highest)+")")
}

// cursorWords describes the bin under the cursor, or the brush, in two lengths.
func (t *Timeline) cursorWords() (long, brief string) {
	c, th := t.Chart(), t.ui.Theme
	if t.compares() {
		series := t.series(c)
		each := (t.width+2)/max(1, len(series)) - 10 // for a name, beside its sample and its value
		return legend(series, c, 24, th), legend(series, c, max(1, min(8, each)), th)
	}
	if c.Stale || t.in.Searching && t.in.Peek == nil {
		return "", ""
	}
	if brushed := c.BrushWords(th); brushed != "" {
		return brushed, brushed
	}
	long = c.Words(c.Cursor, th)
	for _, p := range t.peaks() {
		if p.From <= c.Cursor && c.Cursor < p.To {
			long = th.Remarks(long, lift(p))
		}
	}
	c.Baselined = false
	return long, c.Words(c.Cursor, th)
}

// line returns the line in a width.
func (l title) line(width int) string {
	if l.bins == "" {
		return l.th.Fit(l.th.Title("All", l.focused), width)
	}
	all := l.wordings()
	full := all[:1] // nothing is left out for the legend, unless it says that other than matches are drawn
	if l.occurrences {
		full = append(slices.Clip(full), wording{all[0].left, true})
	}
	if line, ok := l.lineOf(full, l.legend, width); ok {
		return line
	}
	if line, ok := l.lineOf(all, "", width); ok {
		return line
	}
	return l.th.Fit(cmp.Or(l.brief, l.path(l.last())), width)
}

// lineOf returns the line in the first of some wordings that leaves room for the legend.
func (l title) lineOf(all []wording, legend string, width int) (string, bool) {
	for _, w := range all {
		words := l.cursor
		if w.brief {
			words = l.brief
		}
		switch room := width - theme.Width(w.left) - 2 - theme.Width(words); {
		case room >= 0 && l.lines:
			return l.th.Spread(w.left, words, width), true
		case room >= 0 && legend == "", room >= 2+theme.Width(legend):
			return l.th.Spread(w.left+"  "+l.th.Selected.Render(words), legend, width), true
		}
	}
	return "", false
}

// wording is one version of the title, with a long or brief description of the cursor beside it.
type wording struct {
	left  string
	brief bool
}

// wordings returns the versions of the title, longest first.
func (l title) wordings() []wording {
	path, elided, last := l.path(l.crumbs), l.path(l.crumbs), l.path(l.last())
	if len(l.crumbs) > 2 {
		elided = l.path([]crumb{l.crumbs[0], {name: l.th.Glyphs.Ellipsis}, l.last()[0]})
	}
	by := "by " + l.unit
	remarks := func(parts ...string) string { return " " + l.th.Dim.Render(l.th.Remarks(parts...)) }
	var all []wording
	if holding := l.tally.holding; holding != "" {
		all = []wording{
			{path + remarks(l.bins, l.tally.brief+"; "+holding), false},
			{path + remarks(by, l.tally.brief+"; "+holding), false},
			{path + remarks(by, l.tally.brief+"; "+holding), true},
		}
	}
	return append(all, []wording{
		{path + remarks(l.bins, l.tally.long), false},
		{path + remarks(l.bins, l.tally.plain), false},
		{path + remarks(by, l.tally.plain), false},
		{elided + remarks(l.bins, l.tally.plain), false},
		{elided + remarks(by, l.tally.plain), false},
		{elided + remarks(by, l.tally.plain), true},
		{elided + remarks(by, l.tally.short), true},
		{last + remarks(by, l.tally.plain), true},
		{last + remarks(by, l.tally.short), true},
		{last + remarks(l.unit, l.tally.short), true},
		{last, false},
		{last, true},
	}...)
}

func (l title) last() []crumb { return l.crumbs[len(l.crumbs)-1:] }

// path joins crumbs and styles the last one as a title.
func (l title) path(crumbs []crumb) string {
	var path strings.Builder
	for _, c := range crumbs[:len(crumbs)-1] {
		path.WriteString(c.name + " " + l.th.Glyphs.Path + " ")
	}
	return l.th.Pointer(l.focused) + l.th.Dim.Render(path.String()) + l.th.Bold.Render(l.last()[0].name) + " "
}

// crumbAt returns the crumb that is drawn at a column, false for none.
func (l title) crumbAt(x, width int) (crumb, bool) {
	line, passed := ansi.Strip(l.line(width)), 0
	for _, c := range l.crumbs {
		before, after, found := strings.Cut(line, c.name)
		if !found {
			continue
		}
		from := passed + theme.Width(before)
		passed = from + theme.Width(c.name)
		if from <= x && x < passed {
			return c, true
		}
		line = after
	}
	return crumb{}, false
}
