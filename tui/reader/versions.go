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

// The versions of a turn: edited questions, and regenerated answers. They stand beside who speaks: ‹ answer 2 of 3 ›.

// versions are the versions of one side of a turn, and the one that is open.
type versions struct {
	noun  string // of the side: "answer"
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
	return versions{"question", turns, max(0, slices.Index(turns, t.TurnID))}
}

// answersOf returns the answers to a turn's question, none if it is the only one.
func answersOf(t *retrieval.Turn) versions {
	at, of := t.Answer()
	v := versions{"answer", make([]uuid.UUID, of), at}
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
	return fmt.Sprintf("%s %s %d of %d %s", th.Glyphs.Around[0], v.noun, v.at+1, len(v.turns), th.Glyphs.Around[1])
}

// nextVersion shows the next answer to the question, after the last one the next version of the question.
func (r *Reader) nextVersion() tea.Cmd {
	if r.opened == nil {
		return nil
	}
	answers, questions := answersOf(r.opened), questionsOf(r.opened, &r.path)
	switch isLast := answers.at == len(answers.turns)-1; {
	case len(answers.turns) > 1 && (!isLast || len(questions.turns) < 2):
		r.turnTo(answers.step(1))
	case len(questions.turns) > 1:
		r.turnTo(questions.step(1))
	default:
		r.ui.Post(ui.Notify("This turn has only one version"))
	}
	return nil
}

// side is who speaks, with more than one version.
type side struct {
	versions
	row     int      // in view; it may be outside
	shorter []string // versions of its line, longest first
}

// sides returns the sides of the open turn that have versions.
func (r *Reader) sides() (all []side) {
	if r.opened == nil || r.opened.Chunk != nil {
		return nil
	}
	text := &r.page.text
	for _, s := range []side{{questionsOf(r.opened, &r.path), 0, text.Shorter}, {answersOf(r.opened), text.Answer, nil}} {
		if len(s.turns) > 1 {
			s.row -= r.page.Offset()
			all = append(all, s)
		}
	}
	return all
}

// beside returns the line of a side, or a shorter one where it leaves no room for the sign in a width.
func (s side) beside(line string, width int, th theme.Theme) string {
	room := max(0, width-theme.Width(s.sign(th))-2)
	for _, shorter := range s.shorter {
		if theme.Width(line) > room {
			line = shorter
		}
	}
	return ansi.Truncate(line, room, th.Glyphs.Ellipsis)
}

// signed puts the signs of versions into the lines in view.
func signed(th theme.Theme, sides []side, lines []string, width int) []string {
	for _, s := range sides {
		if s.row >= 0 && s.row < len(lines) {
			lines = slices.Clone(lines)
			lines[s.row] = s.beside(lines[s.row], width, th) + "  " + th.Dim.Render(s.sign(th))
		}
	}
	return lines
}

// versionAt returns the version before or after, where the sign of versions is in a cell of the lines in view. uuid.Nil
// is none.
func versionAt(th theme.Theme, sides []side, lines []string, width, x, y int) uuid.UUID {
	for _, s := range sides {
		if s.row != y || y < 0 || y >= len(lines) {
			continue
		}
		sign := theme.Width(s.sign(th))
		from := theme.Width(s.beside(lines[y], width, th)) + 2
		switch {
		case x < from || x >= from+sign:
		case x < from+sign/2:
			return s.step(-1)
		default:
			return s.step(1)
		}
	}
	return uuid.Nil
}
