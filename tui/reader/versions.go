package reader

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/theme"
	"lens/tui/ui"
)

// The versions of a turn: edited questions, and regenerated answers. They stand beside who speaks: ‹ 2/3 ›.

// versions are the versions of one side of a turn, and the one that is open.
type versions struct {
	turns []uuid.UUID
	at    int
}

// questionsOf returns the versions of a turn's question on a path, none if it is the only one.
func questionsOf(t *retrieval.Turn, p *path) versions {
	at := p.at(t)
	if at < 0 {
		return versions{}
	}
	turns := p.turns()[at].Questions
	return versions{turns, max(0, slices.Index(turns, t.TurnID))}
}

// answersOf returns the answers to a turn's question, none if it is the only one.
func answersOf(t *retrieval.Turn) versions {
	at, of := t.Answer()
	v := versions{make([]uuid.UUID, of), at}
	for i, a := range t.Answers {
		v.turns[i] = a.TurnID
	}
	return v
}

// step returns the next version, after the last the first; for -1 the previous one.
func (v versions) step(by int) uuid.UUID { return v.turns[(v.at+by+len(v.turns))%len(v.turns)] }

// sign returns how the versions are shown beside who speaks.
func (v versions) sign(th theme.Theme) string {
	if len(v.turns) < 2 {
		return ""
	}
	return fmt.Sprintf("%s %d/%d %s", th.Glyphs.Around[0], v.at+1, len(v.turns), th.Glyphs.Around[1])
}

// nextVersion shows the next answer to the question, after the last one the next version of the question.
func (r *Reader) nextVersion() tea.Cmd {
	if r.opened == nil {
		return nil
	}
	answers, questions := answersOf(r.opened), questionsOf(r.opened, &r.path)
	switch isLast := answers.at == len(answers.turns)-1; {
	case len(answers.turns) > 1 && (!isLast || len(questions.turns) < 2):
		r.switchTo(answers.step(1))
	case len(questions.turns) > 1:
		r.switchTo(questions.step(1))
	default:
		r.ui.Post(ui.Notify("Only one version of this turn"))
	}
	return nil
}

// switchTo shows another version of the open turn, in its place.
func (r *Reader) switchTo(id uuid.UUID) {
	r.goTo(id)
	r.ui.Post(Turned{id})
}

// signed puts the signs of versions into the lines in view.
func (r *Reader) signed(lines []string, width int) []string {
	for _, side := range r.sides() {
		if row := side.line - r.page.Offset(); row >= 0 && row < len(lines) {
			lines = slices.Clone(lines)
			sign := r.ui.Theme.Dim.Render(side.sign(r.ui.Theme))
			before := ansi.Truncate(lines[row], max(0, width-theme.Width(sign)-2), r.ui.Theme.Glyphs.Ellipsis)
			lines[row] = before + "  " + sign
		}
	}
	return lines
}

// side is who speaks, with more than one version.
type side struct {
	versions
	line int // of the page
}

func (r *Reader) sides() (all []side) {
	if r.opened == nil || r.opened.Chunk != nil {
		return nil
	}
	for _, s := range []side{{questionsOf(r.opened, &r.path), 0}, {answersOf(r.opened), r.page.text.Answer}} {
		if len(s.turns) > 1 {
			all = append(all, s)
		}
	}
	return all
}

// clickVersion goes to the version before or after, where the sign of versions is clicked.
func (r *Reader) clickVersion(x, y int) bool {
	window := r.page.Window()
	for _, s := range r.sides() {
		if row := s.line - r.page.Offset(); row != y || row >= len(window) {
			continue
		}
		sign := theme.Width(s.sign(r.ui.Theme))
		c := divide(r.width)
		from := c.left + min(theme.Width(window[y]), max(0, c.prose-sign-2)) + 2
		switch {
		case x < from || x >= from+sign:
		case x < from+sign/2:
			r.switchTo(s.step(-1))
			return true
		default:
			r.switchTo(s.step(1))
			return true
		}
	}
	return false
}
