package timeline

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
)

// The line above the chart: the path of windows, what is counted, and what is under the cursor. When room is short,
// the least useful words go first.

// title is what the line says.
type title struct {
	th      theme.Theme
	focused bool
	crumbs  []crumb
	bins    string // "by week, auto"; "": there are none
	unit    string // "week"
	tally   tally
	cursor  string // what is under the cursor
	brief   string // the same, briefly
}

func (t *Timeline) title() title {
	l := title{th: t.ui.Theme, focused: t.in.Focused, crumbs: t.crumbs(), bins: t.Bins(), unit: t.zoom.Unit().String()}
	if !t.zoom.IsEmpty() {
		l.tally = t.in.tallyWords(t.zoom, l.th)
		l.cursor, l.brief = t.cursorWords()
	}
	return l
}

// cursorWords describes the bin under the cursor, or the brush, in two lengths.
func (t *Timeline) cursorWords() (long, brief string) {
	c, th := t.Chart(), t.ui.Theme
	if t.look.Form == Comparison && t.in.Searching && !t.zoom.Brushes {
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
	for _, w := range l.wordings() {
		right := l.cursor
		if w.brief {
			right = l.brief
		}
		if theme.Width(w.left)+2+theme.Width(right) <= width {
			return l.th.Spread(w.left, right, width)
		}
	}
	return l.th.Fit(cmp.Or(l.brief, l.path(l.last())), width)
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
	return []wording{
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
	}
}

func (l title) last() []crumb { return l.crumbs[len(l.crumbs)-1:] }

// path joins crumbs and styles the last one as a title.
func (l title) path(crumbs []crumb) string {
	var path strings.Builder
	for _, c := range crumbs[:len(crumbs)-1] {
		path.WriteString(" " + c.name + " " + l.th.Glyphs.Path)
	}
	return l.th.Dim.Render(path.String()) + l.th.Title(crumbs[len(crumbs)-1].name, l.focused)
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
