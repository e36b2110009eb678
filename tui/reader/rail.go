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

// rail has the matches that it marks, and is drawn once for each view.
type rail struct {
	found   *retrieval.Peek    // whose matches are marked
	matches map[uuid.UUID]bool // of found

	lines []string // as drawn, a line a row
	of    railView // what they were drawn of
}

// railView is all that the drawn rail depends on beside its matches.
type railView struct {
	path    *retrieval.Path
	at      int // the open turn on the path, -1: there is no rail
	found   *retrieval.Peek
	finding *map[uuid.UUID]bool // marked instead of the matches
	height  int
	columns columns
	theme   theme.Name
	glyphs  theme.Glyphs
}

// setFound sets the search whose matches are marked, nil for none.
func (r *rail) setFound(found *retrieval.Peek) {
	if found == r.found {
		return
	}
	r.found, r.matches = found, map[uuid.UUID]bool{}
	if found != nil {
		for i := range found.Matches {
			r.matches[found.Matches[i].TurnID] = true
		}
	}
}

// draw returns the rail, a line a row of the pane, without the gap.
func (r *rail) draw(th theme.Theme, v railView) []string {
	v.found, v.theme, v.glyphs = r.found, th.Name, th.Glyphs
	if v != r.of {
		r.of, r.lines = v, v.lines(th, r.matches)
	}
	return r.lines
}

// top returns the place of the first turn on the rail: with more turns than rows it follows the open one.
func (v railView) top() int { return max(0, min(v.at-v.height/2, len(v.path.Turns)-v.height)) }

// turn returns the turn in a row, nil for the open one and where there is none.
func (v railView) turn(row int) *uuid.UUID {
	if v.at < 0 || row < 0 {
		return nil
	}
	to := v.top() + row
	if to >= len(v.path.Turns) || to == v.at {
		return nil
	}
	return &v.path.Turns[to].TurnID
}

func (v railView) lines(th theme.Theme, matches map[uuid.UUID]bool) []string {
	if v.finding != nil {
		matches = *v.finding
	}
	lines := make([]string, v.height)
	first, turns := 0, []retrieval.PathTurn(nil)
	if v.at >= 0 && len(v.path.Turns) > 1 {
		first = v.top()
		turns = v.path.Turns[first:min(first+v.height, len(v.path.Turns))]
	}
	for i := range lines {
		if i >= len(turns) {
			lines[i] = strings.Repeat(" ", v.columns.rail+v.columns.opening)
			continue
		}
		hit := matches[turns[i].TurnID]
		sign, look := th.Rule.Render(th.Glyphs.Vertical), th.Faint
		switch {
		case first+i == v.at:
			sign, look = th.Accent.Render(th.Glyphs.Here), th.Bold
		case i == 0 && first > 0, i == v.height-1 && first+v.height < len(v.path.Turns):
			sign = th.Rule.Render(th.Glyphs.Beyond)
			if hit {
				sign = th.Mark.Render(th.Glyphs.Found)
			}
		case hit:
			sign, look = th.Mark.Render(th.Glyphs.Found), theme.Style{}
		}
		lines[i] = sign
		if v.columns.opening > 0 {
			says := label(turns[i].Opening, v.columns.opening, th.Glyphs.Ellipsis)
			lines[i] += " " + look.Render(th.Fit(says, v.columns.opening))
		}
	}
	return lines
}

// SetFound sets the search whose matches the rail marks, nil for none.
func (r *Reader) SetFound(found *retrieval.Peek) { r.rail.setFound(found) }

// place returns the place of the open turn on the path, -1 if that is not known.
func (r *Reader) place() int { return r.path.at(r.opened) }

// requestPath asks for the path of the open turn. While another turn is read, the open one is that from before.
func (r *Reader) requestPath() tea.Cmd {
	if r.opened == nil || r.opened.TurnID != r.wanted {
		return nil
	}
	return r.path.request(r.ui, r.source, r.opened)
}

// railView returns what the rail shows now.
func (r *Reader) railView() railView {
	return railView{
		path: r.path.known, at: r.place(), finding: r.find.turns, height: r.height, columns: divide(r.width),
	}
}

// withRail puts the rail beside the lines of the text.
func (r *Reader) withRail(lines []string) []string {
	c := divide(r.width)
	if c.rail == 0 {
		return r.ui.Theme.Block(lines, r.width, r.height)
	}
	return c.join(r.ui.Theme, lines, r.rail.draw(r.ui.Theme, r.railView()))
}
