package timeline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lens/tui/histogram"
	"lens/tui/theme"
)

// The line above the chart: the path of windows, the bins, and what is under the cursor. When room is short, the least
// useful words go first.

// title is what the line says.
type title struct {
	th      theme.Theme
	focused bool
	crumbs  []crumb
	bins    string // "by week"; "": there are none
	unit    string // "week"
	cursor  cursorWords
	legends []string // of the bars, longest first
	scaled  []string // those that say how high the area is
	area    string   // of the area behind them alone
	rows    bool     // each query has its own, whose scale the legend tells
	lines   bool     // several queries are compared: what is under the cursor is their legend
}

func (t *Timeline) title() title {
	l := title{th: t.ui.Theme, focused: t.in.Focused, crumbs: t.crumbs(), bins: t.Bins(), unit: t.zoom.Unit().Words()}
	if !t.zoom.IsEmpty() {
		l.cursor = t.cursorWords()
		l.lines, l.rows = t.compares(), t.form() == Rows
		l.addLegends(t)
	}
	return l
}

// compares reports whether the chart has a line for each of several queries.
func (t *Timeline) compares() bool { return t.form() == Lines && !t.zoom.Brushes }

// incomplete is what the legend calls bins that are partly in view.
const incomplete = " incomplete"

// explains reports whether the line has room to say what the tone of bins means that are partly in view.
func (l title) explains(width int) bool {
	return strings.HasSuffix(ansi.Strip(l.line(width)), incomplete)
}

// addLegends adds what names the bars and the area behind them, where there are both, and the bins that are partly in
// view. Of rows it says which scale these have.
func (l *title) addLegends(t *Timeline) {
	c, th := t.Chart(), t.ui.Theme
	if t.form() == Rows {
		scales := []string{"each row on its own scale", "own scales"}
		if t.look.OneScale {
			scales = []string{"all rows on one scale", "one scale"}
		}
		l.legends = []string{th.Dim.Render(th.Remarks(scales[0], t.ui.Key("pinned")+" lists them"))}
		for _, scale := range scales {
			l.legends = append(l.legends, th.Dim.Render(scale))
		}
		return
	}
	highest, parts := 0, false
	for _, b := range c.Bins {
		highest, parts = max(highest, b.Baseline), parts || b.Partial && b.Count > 0
	}
	if c.Stale || t.form() == Lines {
		return
	}
	if c.Vague {
		th.Bar = th.Faded
	}
	bar, area, part := histogram.Samples(th)
	part += th.Dim.Render(incomplete)
	parts = parts && !c.Vague
	if !c.Baselined || c.Share || t.form() != Bars || highest == 0 {
		if parts {
			l.legends = []string{part, ""}
		}
		return
	}
	l.area = area + th.Dim.Render(" all turns")
	brief := bar + th.Dim.Render(" "+c.Noun+"  ") + l.area
	long := brief + th.Dim.Render(" (to "+theme.Short(highest)+")")
	l.scaled, l.legends = []string{long}, []string{long, brief}
	if parts {
		l.scaled = []string{long + "  " + part, long}
		l.legends = []string{long + "  " + part, brief + "  " + part, long, brief}
	}
}

// cursorWords is what is under the cursor, in three lengths.
type cursorWords struct{ long, brief, least string }

// cursorWords describes the bin under the cursor, or the brush, longest first.
func (t *Timeline) cursorWords() cursorWords {
	c, th := t.Chart(), t.ui.Theme
	if t.compares() {
		series := t.series(c)
		each := (t.width+2)/max(1, len(series)) - 10 // for a name, beside its sample and its value
		brief := legend(series, c, max(1, min(8, each)), th)
		return cursorWords{legend(series, c, 24, th), brief, brief}
	}
	if c.Stale || t.in.Searching && t.in.Peek == nil {
		return cursorWords{}
	}
	if brushed := c.BrushWords(th); brushed != "" {
		return cursorWords{brushed, brushed, brushed}
	}
	above := ""
	for _, p := range t.peaks() {
		if p.From <= c.Cursor && c.Cursor < p.To {
			above = lift(p)
		}
	}
	sign := ""
	if !slices.Contains(c.Read, c.Cursor) { // else the rail has another one there
		sign = histogram.Glyphs(th).CursorMark + " "
	}
	long := sign + c.Words(c.Cursor, th)
	c.Baselined = false
	least := sign + c.Words(c.Cursor, th)
	if t.form() == Rows { // of which the counts are those of the first
		return cursorWords{least, least, least}
	}
	return cursorWords{th.Remarks(long, above), th.Remarks(least, above), least}
}

// line returns the line in a width.
func (l title) line(width int) string {
	if l.bins == "" {
		return l.th.Fit(l.th.Pointer(l.focused)+l.th.Bold.Render(allTime), width)
	}
	words := l.wordings()
	if l.rows {
		words = append(words, l.briefest()...)
	}
	brief := []wording{{strings.TrimSuffix(l.elided(), " "), l.cursor.least}} // the axis tells the bins, too
	for _, in := range []struct {
		words   []wording
		legends []string
		nearest int
	}{{words, l.scaled, aired}, {words, l.legends, 2}, {brief, l.legends, 2}, {words, []string{l.area}, 2}} {
		if line, ok := l.lineOf(in.words, in.legends, in.nearest, width); ok {
			return line
		}
	}
	if line, ok := l.lineOf(append(words, l.briefest()...), []string{""}, 0, width); ok {
		return line
	}
	return l.th.Fit(cmp.Or(l.pointed(l.cursor.least), l.path(l.last())), width)
}

// aired is how many cells are free before a legend where a shorter one would do.
const aired = 8

// lineOf returns the line in the first of some wordings that leaves room for one of the legends, the longest that is
// clearly apart. The last legend may be as near as so many cells.
func (l title) lineOf(all []wording, legends []string, nearest, width int) (string, bool) {
	for _, w := range all {
		room := width - theme.Width(w.left) - 2 - theme.Width(w.words)
		if room >= 0 && l.lines {
			return l.th.Spread(w.left, w.words, width), true
		}
		for i, legend := range legends {
			gap := aired
			if i == len(legends)-1 {
				gap = min(nearest, theme.Width(legend))
			}
			if room >= gap+theme.Width(legend) {
				return l.th.Spread(w.left+"  "+l.pointed(w.words), legend, width), true
			}
		}
	}
	return "", false
}

// pointed styles what is under the cursor: its time first of all.
func (l title) pointed(words string) string {
	name, counts, _ := strings.Cut(words, ": ")
	counts, remark, remarked := strings.Cut(counts, " "+l.th.Glyphs.Separator+" ")
	if name == "" {
		return ""
	}
	line := l.th.Accent.Bold().Render(name)
	if counts != "" {
		line += l.th.Accent.Plain().Render("  " + counts)
	}
	if remarked {
		line += l.th.Dim.Render(" " + l.th.Glyphs.Separator + " " + remark)
	}
	return line
}

// wording is one version of the title, with what is under the cursor beside it.
type wording struct{ left, words string }

// wordings returns the versions of the title that have room for a legend beside them, longest first.
func (l title) wordings() []wording {
	path, elided := l.path(l.crumbs), l.elided()
	bins, by, long, brief, least := l.dim(l.bins), l.dim("by "+l.unit), l.cursor.long, l.cursor.brief, l.cursor.least
	return []wording{
		{path + bins, long},
		{path + by, long},
		{elided + bins, long},
		{elided + by, long},
		{elided + by, brief},
		{elided + by, least},
	}
}

// briefest returns the versions that say less than the legend would beside them.
func (l title) briefest() []wording {
	last := l.path(l.last())
	return []wording{{last + l.dim("by "+l.unit), l.cursor.least}, {last, l.cursor.long}, {last, l.cursor.least}}
}

// dim styles what is said beside the path.
func (l title) dim(text string) string { return " " + l.th.Dim.Render(text) }

func (l title) last() []crumb { return l.crumbs[len(l.crumbs)-1:] }

// elided returns the path with its first and its last crumb.
func (l title) elided() string {
	if len(l.crumbs) <= 2 {
		return l.path(l.crumbs)
	}
	return l.path([]crumb{l.crumbs[0], {name: l.th.Glyphs.Ellipsis}, l.last()[0]})
}

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
	line := ansi.Strip(l.line(width))
	for i, c := range l.crumbs {
		lead := ""
		if i > 0 {
			lead = l.th.Glyphs.Path + " "
		}
		before, _, found := strings.Cut(line, lead+c.name+" ") // not within the name of another, as 2022 in May 2022
		if !found {
			continue
		}
		from := theme.Width(before + lead)
		if from <= x && x < from+theme.Width(c.name) {
			return c, true
		}
	}
	return crumb{}, false
}
