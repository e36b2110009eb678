package proof

import (
	"fmt"
	"slices"
	"strings"

	"lens/tui/theme"
)

// page is the content and the position in it. levels must not be empty.
type page struct {
	question string
	levels   []string
	level    int // index into levels
	answer   *Answer
	said     string // shown while there is no answer

	cursor int // index into answer.Hits
	top    int // the first line of the answer that is shown
	reads  int // how many lines of it the last view showed
	unread int // how many lines of it are below those
}

// slide moves the slider by n.
func (p *page) slide(n int) { p.level = max(0, min(p.level+n, len(p.levels)-1)) }

// show sets the answer.
func (p *page) show(a *Answer) { p.answer, p.said, p.cursor, p.top = a, "", 0, 0 }

// scroll moves by n pages of the last view in the answer.
func (p *page) scroll(n int) {
	p.top = max(0, p.top+min(n*max(1, p.reads-1), p.unread))
}

// move moves the cursor by n hits.
func (p *page) move(n int) {
	if p.answer != nil {
		p.cursor = max(0, min(p.cursor+n, len(p.answer.Hits)-1))
	}
}

// chosen returns the hit under the cursor; false when there is none.
func (p *page) chosen() (Hit, bool) {
	if p.answer == nil || len(p.answer.Hits) == 0 {
		return Hit{}, false
	}
	return p.answer.Hits[p.cursor], true
}

// roomy is the height from which parts are separated by empty lines.
const roomy = 9

// view draws the page in exactly height lines of width cells. The verification and the hit under the cursor are
// always visible; the answer scrolls above them.
func (p *page) view(width, height int, th theme.Theme) []string {
	gap := []string{""}[:max(0, min(1, height/roomy))]
	lines := append([]string{p.slider(th)}, gap...)
	if p.answer == nil {
		return th.Block(append(lines, wrapped(p.said, width)...), width, height)
	}
	basis := append(gap[:len(gap):len(gap)], th.Dim.Render(th.Fit(p.answer.Basis, width)))
	lines = lines[:max(0, min(len(lines), height-len(basis)-2))] // a hit has two
	text, hits := p.text(width, th), p.hits(width, th)
	room := max(0, height-len(lines)-len(basis))
	if len(hits) > 0 {
		text = append(text, gap...)
	}
	forHits := min(len(hits), room, max(2, room/2, room-len(text)))
	lines = append(lines, p.read(text, room-forHits, th)...)
	first := max(0, min(2*p.cursor, 2*p.cursor+2-forHits))
	lines = append(lines, hits[first:first+forHits]...)
	return th.Block(append(lines, basis...), width, height)
}

// text returns all lines of the answer.
func (p *page) text(width int, th theme.Theme) []string {
	lines := wrapped(p.answer.Text, width)
	for _, c := range p.answer.Conclusions {
		lines = append(append(lines, ""), wrapped("You concluded on "+c.On+": "+c.Text, width)...)
		for _, cited := range c.Cited {
			lines = append(lines, th.Dim.Render(th.Fit("  "+cited, width)))
		}
	}
	return lines
}

// hits returns two lines a hit.
func (p *page) hits(width int, th theme.Theme) (lines []string) {
	for i, h := range p.answer.Hits {
		style := th.Bold
		if i == p.cursor {
			style = th.Selected
		}
		lines = append(lines, style.Render(th.Fit(h.Cited, width)), th.Dim.Render(th.Fit("  "+h.Says, width)))
	}
	return lines
}

// read returns the visible lines of text, at most room of them. The last one says how many follow.
func (p *page) read(text []string, room int, th theme.Theme) []string {
	room = min(room, len(text))
	p.top = min(p.top, len(text)-room)
	p.reads, p.unread = room, len(text)-room-p.top
	shown := slices.Clone(text[p.top : p.top+room])
	if room > 1 && p.unread > 0 {
		shown[room-1] = th.Dim.Render(fmt.Sprintf("%s %d more lines (pgdown)", th.Glyphs.Ellipsis, p.unread+1))
	}
	return shown
}

// slider draws all levels on a line and highlights the chosen one.
func (p *page) slider(th theme.Theme) string {
	stops := make([]string, len(p.levels))
	for i, level := range p.levels {
		stops[i] = th.Dim.Render(level)
		if i == p.level {
			stops[i] = th.Selected.Render("[" + level + "]")
		}
	}
	return "Security: " + strings.Join(stops, " ")
}

func wrapped(text string, width int) []string {
	return theme.Wrapped(text, width)
}
