// Package proof shows an offline answer: a slider for the security level, the answer with its sources, and how
// isolation was verified. It is pure.
package proof

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
)

// Hit is a turn or chunk that may support the answer. Its texts must be clean.
type Hit struct {
	ID    string
	Cited string // filename (modified YYYY-MM-DD)
	Says  string // its best answering sentence
}

// Answer is an offline answer. Its texts must be clean.
type Answer struct {
	Text  string
	Hits  []Hit
	Basis string // how isolation was verified, and where that is recorded

	Conclusions []Conclusion // that the user pinned before
}

// Conclusion is an answer that the user pinned. Its texts must be clean.
type Conclusion struct {
	On, Text string   // the day as YYYY-MM-DD, and the answer
	Cited    []string // as Hit.Cited
}

// Page is the content and the position in it. Levels must not be empty.
type Page struct {
	Question string
	Levels   []string
	Level    int // index into Levels
	Answer   *Answer
	Said     string // shown while there is no answer

	cursor int // index into Answer.Hits
	top    int // the first line of the answer that is shown
	reads  int // how many lines of it the last View showed
	unread int // how many lines of it are below those
}

// Slide moves the slider by n and reports whether the level changed.
func (p *Page) Slide(n int) bool {
	to := max(0, min(p.Level+n, len(p.Levels)-1))
	changed := to != p.Level
	p.Level = to
	return changed
}

// Show sets the answer.
func (p *Page) Show(a *Answer) { p.Answer, p.Said, p.cursor, p.top = a, "", 0, 0 }

// Scroll moves by n pages of the last View in the answer.
func (p *Page) Scroll(n int) {
	p.top = max(0, p.top+min(n*max(1, p.reads-1), p.unread))
}

// Move moves the cursor by n hits.
func (p *Page) Move(n int) {
	if p.Answer != nil {
		p.cursor = max(0, min(p.cursor+n, len(p.Answer.Hits)-1))
	}
}

// Chosen returns the hit under the cursor; false when there is none.
func (p *Page) Chosen() (Hit, bool) {
	if p.Answer == nil || len(p.Answer.Hits) == 0 {
		return Hit{}, false
	}
	return p.Answer.Hits[p.cursor], true
}

// roomy is the height from which parts are separated by empty lines.
const roomy = 9

// View draws the page in exactly height lines of width cells. The verification and the hit under the cursor are
// always visible; the answer scrolls above them.
func (p *Page) View(width, height int, th theme.Theme) []string {
	gap := []string{""}[:max(0, min(1, height/roomy))]
	title := th.Focus.Render(" Offline ") + " " + th.Fit(th.Quoted(p.Question), width-10)
	lines := append([]string{title, p.slider(th)}, gap...)
	if p.Answer == nil {
		return th.Block(append(lines, wrapped(p.Said, width)...), width, height)
	}
	basis := append(gap[:len(gap):len(gap)], th.Dim.Render(th.Fit(p.Answer.Basis, width)))
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
func (p *Page) text(width int, th theme.Theme) []string {
	lines := wrapped(p.Answer.Text, width)
	for _, c := range p.Answer.Conclusions {
		lines = append(append(lines, ""), wrapped("You concluded on "+c.On+": "+c.Text, width)...)
		for _, cited := range c.Cited {
			lines = append(lines, th.Dim.Render(th.Fit("  "+cited, width)))
		}
	}
	return lines
}

// hits returns two lines a hit.
func (p *Page) hits(width int, th theme.Theme) (lines []string) {
	for i, h := range p.Answer.Hits {
		style := th.Bold
		if i == p.cursor {
			style = th.Selected
		}
		lines = append(lines, style.Render(th.Fit(h.Cited, width)), th.Dim.Render(th.Fit("  "+h.Says, width)))
	}
	return lines
}

// read returns the visible lines of text, at most room of them. The last one says how many follow.
func (p *Page) read(text []string, room int, th theme.Theme) []string {
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
func (p *Page) slider(th theme.Theme) string {
	stops := make([]string, len(p.Levels))
	for i, level := range p.Levels {
		stops[i] = th.Dim.Render(level)
		if i == p.Level {
			stops[i] = th.Selected.Render("[" + level + "]")
		}
	}
	return "Security: " + strings.Join(stops, " ")
}

func wrapped(text string, width int) []string {
	return strings.Split(ansi.Hardwrap(ansi.Wrap(text, max(1, width), ""), max(1, width), true), "\n")
}
