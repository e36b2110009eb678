// Package proof shows what the offline retriever answers: how careful it was to be, on a slider, the answer with its sources, and what it was
// made sure of. It is pure.
package proof

import (
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
}

// Page is what is shown, and how it is chosen from. Levels are not empty.
type Page struct {
	Question string
	Levels   []string
	Level    int // index into Levels
	Answer   *Answer
	Said     string // in place of an answer: why there is none yet, or none

	cursor int // of Answer.Hits
}

// Slide moves the slider by n, and reports whether that changed the level.
func (p *Page) Slide(n int) bool {
	to := max(0, min(p.Level+n, len(p.Levels)-1))
	changed := to != p.Level
	p.Level = to
	return changed
}

// Show takes in an answer.
func (p *Page) Show(a *Answer) { p.Answer, p.Said, p.cursor = a, "", 0 }

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

// View draws the page in exactly height lines of width cells.
func (p *Page) View(width, height int, th theme.Theme) []string {
	lines := []string{th.Focus.Render(" Offline ") + " " + th.Fit(th.Quoted(p.Question), width-10), p.slider(th), ""}
	if p.Answer == nil {
		return th.Block(append(lines, wrapped(p.Said, width)...), width, height)
	}
	lines = append(lines, wrapped(p.Answer.Text, width)...)
	if len(p.Answer.Hits) > 0 {
		lines = append(lines, "")
	}
	for i, h := range p.Answer.Hits {
		style := th.Bold
		if i == p.cursor {
			style = th.Selected
		}
		lines = append(lines, style.Render(th.Fit(h.Cited, width)), th.Dim.Render(th.Fit("  "+h.Says, width)))
	}
	return th.Block(append(lines, "", th.Dim.Render(th.Fit(p.Answer.Basis, width))), width, height)
}

// slider shows all levels on a line, the one that is chosen standing out.
func (p *Page) slider(th theme.Theme) string {
	stops := make([]string, len(p.Levels))
	for i, level := range p.Levels {
		stops[i] = th.Dim.Render(" " + level + " ")
		if i == p.Level {
			stops[i] = th.Selected.Render("[" + level + "]")
		}
	}
	rail := th.Dim.Render(strings.Repeat(th.Glyphs.Horizontal, 2))
	return "security " + strings.Join(stops, rail)
}

func wrapped(text string, width int) []string {
	return strings.Split(ansi.Hardwrap(ansi.Wrap(text, max(1, width), ""), max(1, width), true), "\n")
}
