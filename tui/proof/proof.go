// Package proof shows what the offline retriever answers: how careful it was to be, on a slider, the answer with its sources, and what it was
// made sure of. It is pure.
package proof

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
)

// Hit is a turn or chunk that the answer may rest on. Its texts are clean.
type Hit struct {
	ID    string
	Cited string // filename (modified YYYY-MM-DD)
	Says  string // its sentence that answers best
}

// Answer is what was answered. Its texts are clean.
type Answer struct {
	Text  string
	Hits  []Hit
	Basis string // what was verified, and that it is recorded

	Conclusions []Conclusion // that the person drew before
}

// Conclusion is an answer that the person pinned. Its texts are clean.
type Conclusion struct {
	On, Text string   // YYYY-MM-DD, and what it says
	Cited    []string // as of a Hit
}

// Page is what is shown, and how it is chosen from. Levels are not empty.
type Page struct {
	Question string
	Levels   []string
	Level    int // index into Levels
	Answer   *Answer
	Said     string // in place of an answer: why there is none yet, or none

	cursor int // of Answer.Hits
	top    int // line of what was answered that is shown first
	reads  int // lines of it that were shown together
	unread int // lines of it behind them
}

// Slide moves the slider by n, and reports whether that changed the level.
func (p *Page) Slide(n int) bool {
	to := max(0, min(p.Level+n, len(p.Levels)-1))
	changed := to != p.Level
	p.Level = to
	return changed
}

// Show takes in an answer.
func (p *Page) Show(a *Answer) { p.Answer, p.Said, p.cursor, p.top = a, "", 0, 0 }

// Scroll moves on by n screens in what was answered, as it was last drawn.
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

// roomy is the height from which on there are empty lines between the parts.
const roomy = 9

// View draws the page in exactly height lines of width cells. What was verified is always in sight, and so is the hit under the cursor; what
// was answered scrolls above them.
func (p *Page) View(width, height int, th theme.Theme) []string {
	gap := []string{""}[:max(0, min(1, height/roomy))]
	lines := append([]string{th.Focus.Render(" Offline ") + " " + th.Fit(th.Quoted(p.Question), width-10), p.slider(th)}, gap...)
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

// text returns all lines of what was answered.
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

// hits returns two lines for each.
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

// read returns the lines of text that are shown, at most so many, the last of which says how much is behind them.
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

// slider shows all levels on a line, the one that is chosen standing out.
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
