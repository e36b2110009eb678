package tui

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
	"lens/tui/zoom"
)

// The title of the histogram: the path of windows, what is counted, and what is under the cursor. When room is short,
// the least useful words go first.

func (m *model) crumbView(r rect) []string {
	if m.timeline.Zoom().IsEmpty() {
		return []string{m.ui.Theme.Fit(m.title("All", paneHistogram), r.w)}
	}
	words, brief := m.cursorWords()
	for _, w := range m.crumbWordings() {
		right := words
		if w.brief {
			right = brief
		}
		if theme.Width(w.left)+2+theme.Width(right) <= r.w {
			return []string{m.ui.Theme.Spread(w.left, right, r.w)}
		}
	}
	crumbs := m.crumbs()
	return []string{m.ui.Theme.Fit(cmp.Or(brief, m.path(crumbs[len(crumbs)-1:])), r.w)}
}

// wording is one version of the title, with a long or brief description of the cursor beside it.
type wording struct {
	left  string
	brief bool
}

// crumbWordings returns the versions of the title, longest first.
func (m *model) crumbWordings() []wording {
	crumbs := m.crumbs()
	path, elided, last := m.path(crumbs), m.path(crumbs), m.path(crumbs[len(crumbs)-1:])
	if len(crumbs) > 2 {
		elided = m.path([]crumb{crumbs[0], {name: m.ui.Theme.Glyphs.Ellipsis}, crumbs[len(crumbs)-1]})
	}
	long, plain, short := m.tallyRemark()
	by, unit := "by "+m.timeline.Zoom().Unit().String(), m.timeline.Zoom().Unit().String()
	remarks := func(parts ...string) string { return " " + m.ui.Theme.Dim.Render(m.ui.Theme.Remarks(parts...)) }
	return []wording{
		{path + remarks(m.binRemark(), long), false},
		{path + remarks(m.binRemark(), plain), false},
		{path + remarks(by, plain), false},
		{elided + remarks(m.binRemark(), plain), false},
		{elided + remarks(by, plain), false},
		{elided + remarks(by, plain), true},
		{elided + remarks(by, short), true},
		{last + remarks(by, plain), true},
		{last + remarks(by, short), true},
		{last + remarks(unit, short), true},
		{last, false},
		{last, true},
	}
}

// path joins crumbs and styles the last one as a title.
func (m *model) path(crumbs []crumb) string {
	var path strings.Builder
	for _, c := range crumbs[:len(crumbs)-1] {
		path.WriteString(" " + c.name + " " + m.ui.Theme.Glyphs.Path)
	}
	return m.ui.Theme.Dim.Render(path.String()) + m.title(crumbs[len(crumbs)-1].name, paneHistogram)
}

// crumbAt returns the crumb that is drawn at a column, false for none.
func (m *model) crumbAt(x int) (crumb, bool) {
	line, passed := ansi.Strip(m.crumbView(m.layout().crumb)[0]), 0
	for _, c := range m.crumbs() {
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

// cursorWords describes the bin under the cursor, or the brush, in two lengths.
func (m *model) cursorWords() (long, brief string) {
	c := m.chart()
	if m.form == comparison && m.isSearching() && !m.timeline.Zoom().Brushes {
		return m.legend(c, 24), m.legend(c, 8)
	}
	if c.Stale || m.isSearching() && m.found.Peek == nil {
		return "", ""
	}
	if brushed := c.BrushWords(m.ui.Theme); brushed != "" {
		return brushed, brushed
	}
	long = c.Words(c.Cursor, m.ui.Theme)
	for _, p := range m.peaks(c.Bins) {
		if p.From <= c.Cursor && c.Cursor < p.To {
			long = m.ui.Theme.Remarks(long, lift(p))
		}
	}
	c.Baselined = false
	return long, c.Words(c.Cursor, m.ui.Theme)
}

// tallyRemark returns how many matches are in view, in three lengths.
func (m *model) tallyRemark() (long, plain, short string) {
	if m.found.Peek == nil || m.finder.IsStale() {
		return "", "", ""
	}
	if !m.found.IsSomething() {
		return m.browsedTally()
	}
	shown, total := m.tally()
	best, coverage := "", m.found.Peek.Coverage
	switch {
	case coverage.Faint:
		best = "nearest "
	case coverage.Truncated:
		best = "best "
	}
	if shown == total {
		short, plain = best+theme.Number(total), best+theme.Count(total, "match", "matches")
		if best != "" {
			plain = "the " + short
		}
		long = plain
		if m.found.Window != (zoom.Span{}) {
			long += " in this window"
		}
	} else {
		short = fmt.Sprintf("%s of %s%s", theme.Number(shown), best, theme.Number(total))
		full := short
		if best != "" {
			full = fmt.Sprintf("%s of the %s%s", theme.Number(shown), best, theme.Number(total))
		}
		plain, long = full+" matches", full+" matches in view"
	}
	if undated := m.found.Peek.Histogram.Undated; undated > 0 && m.timeline.Zoom().IsAll() {
		long += ", " + theme.Number(undated) + " undated"
	}
	return long, plain, short
}
