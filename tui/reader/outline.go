package reader

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/theme"
)

// The rail beside the text has a cell for each turn of the conversation. Where there is room it becomes an outline: how
// each turn begins.

// outline is the rail, and the matches that it marks.
type outline struct {
	found   *retrieval.Peek    // whose matches are marked
	matches map[uuid.UUID]bool // of found

	rail   []string // as drawn, a line a row
	railOf railKey  // what it was drawn of
}

// railKey is all that the drawn rail depends on.
type railKey struct {
	path    *retrieval.Path
	at      int
	found   *retrieval.Peek
	finding *map[uuid.UUID]bool
	height  int
	columns columns
	theme   theme.Name
	glyphs  theme.Glyphs
}

// SetFound sets the search whose matches the rail marks, nil for none.
func (r *Reader) SetFound(found *retrieval.Peek) {
	if found == r.outline.found {
		return
	}
	r.outline.found, r.matches = found, map[uuid.UUID]bool{}
	if found != nil {
		for i := range found.Matches {
			r.matches[found.Matches[i].TurnID] = true
		}
	}
}

// place returns the place of the open turn on the path, -1 if that is not known.
func (r *Reader) place() int { return r.path.at(r.opened) }

// requestPath asks for the path of the open turn. While another turn is read, the open one is that from before.
func (r *Reader) requestPath() tea.Cmd {
	if r.opened == nil || r.opened.TurnID != r.wanted {
		return nil
	}
	return r.path.request(r.ui, r.source, r.opened)
}

// columns says where in the pane the text and the rail are.
type columns struct{ left, prose, gap, rail, opening int }

// The widths of the columns, in cells.
const (
	mostProse    = 96
	leastOpening = 16
	mostOpening  = 80 // more is read as text, not at a glance
	leastRailed  = 24 // a narrower pane has no rail
)

// columns divides the width of the pane. They do not depend on the text, so that nothing is drawn twice.
func (r *Reader) columns() columns {
	if r.width < leastRailed {
		return columns{prose: max(0, r.width)}
	}
	c := columns{prose: min(mostProse, r.width-2), gap: 1, rail: 1}
	if beside := r.width - mostProse - 5; beside >= leastOpening {
		c.gap, c.rail, c.opening = 3, 2, min(mostOpening, beside-min(3, beside-leastOpening))
	}
	spare := r.width - c.prose - c.gap - c.rail - c.opening
	c.left = min(spare, 2) + max(0, spare-4)/2
	return c
}

// railLines returns the rail, a line a row of the pane, without the gap.
func (r *Reader) railLines(c columns) []string {
	key := railKey{
		r.path.known, r.place(), r.outline.found, r.find.turns, r.height, c, r.ui.Theme.Name, r.ui.Theme.Glyphs,
	}
	if key != r.railOf {
		r.railOf, r.rail = key, r.drawRail(c, key.at)
	}
	return r.rail
}

func (r *Reader) drawRail(c columns, at int) []string {
	th := r.ui.Theme
	lines := make([]string, r.height)
	first, turns := 0, []retrieval.PathTurn(nil)
	if at >= 0 && len(r.path.turns()) > 1 {
		first = r.railTop(at)
		turns = r.path.turns()[first:min(first+r.height, len(r.path.turns()))]
	}
	for i := range lines {
		if i >= len(turns) {
			lines[i] = strings.Repeat(" ", c.rail+c.opening)
			continue
		}
		hit := r.isMarked(turns[i].TurnID)
		sign, look := th.Rule.Render(th.Glyphs.Vertical), th.Faint
		switch {
		case first+i == at:
			sign, look = th.Accent.Render(th.Glyphs.Here), th.Bold
		case i == 0 && first > 0, i == r.height-1 && first+r.height < len(r.path.turns()):
			sign = th.Rule.Render(th.Glyphs.Beyond)
			if hit {
				sign = th.Mark.Render(th.Glyphs.Worded)
			}
		case hit:
			sign, look = th.Mark.Render(th.Glyphs.Worded), theme.Style{}
		}
		lines[i] = sign
		if c.opening > 0 {
			lines[i] += " " + look.Render(th.Fit(turns[i].Opening, c.opening))
		}
	}
	return lines
}

// isMarked reports whether a turn has a hit: of what one finds in the conversation, else of the search.
func (r *Reader) isMarked(turn uuid.UUID) bool {
	if r.find.turns != nil {
		return (*r.find.turns)[turn]
	}
	return r.matches[turn]
}

// railTop returns the place of the first turn on the rail: with more turns than rows it follows the open one.
func (r *Reader) railTop(at int) int {
	return max(0, min(at-r.height/2, len(r.path.turns())-r.height))
}

// clickRail goes to the turn in a cell of the rail, and reports whether there is one.
func (r *Reader) clickRail(x, y int) bool {
	c, at := r.columns(), r.place()
	if c.rail == 0 || x < c.left+c.prose+c.gap || at < 0 || y < 0 {
		return false
	}
	to := r.railTop(at) + y
	if to >= len(r.path.turns()) || to == at {
		return false
	}
	r.turnTo(&r.path.turns()[to].TurnID, "")
	return true
}

// beside puts the rail beside the lines of the text.
func (r *Reader) beside(lines []string) []string {
	c := r.columns()
	if c.rail == 0 {
		return r.ui.Theme.Block(lines, r.width, r.height)
	}
	rail := r.railLines(c)
	left, gap := strings.Repeat(" ", c.left), strings.Repeat(" ", c.gap)
	end := strings.Repeat(" ", max(0, r.width-c.left-c.prose-c.gap-c.rail-c.opening))
	block := make([]string, r.height)
	for i := range block {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		block[i] = left + r.ui.Theme.Fit(line, c.prose) + gap + rail[i] + end
	}
	return block
}
