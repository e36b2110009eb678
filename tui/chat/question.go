package chat

import (
	"lens/tui/querybar"
	"lens/tui/theme"
)

// Question is the input: text of several lines.
type Question struct{ querybar.Bar }

// edits are the commands that edit the question. They have the IDs and the keys of those that edit the query.
var edits = []struct {
	id, keys, group string
	change          func(*Question)
}{
	{"clear", "ctrl+u", "clear", func(q *Question) { q.Bar.Clear() }},
	{"delete-word", "ctrl+w alt+backspace", "delete word", func(q *Question) { q.DeleteWord() }},
	{"delete-to-end", "ctrl+k", "delete to end", func(q *Question) { q.ClearRight() }},
	{"delete-back", "backspace ctrl+h", "", func(q *Question) { q.Backspace() }},
	{"delete", "delete ctrl+d", "", func(q *Question) { q.Delete() }},
	{"left", "left ctrl+b", "", func(q *Question) { q.Left() }},
	{"right", "right ctrl+f", "", func(q *Question) { q.Right() }},
	{"word-left", "alt+b ctrl+left alt+left", "word left/right", func(q *Question) { q.WordLeft() }},
	{"word-right", "alt+f ctrl+right alt+right", "word left/right", func(q *Question) { q.WordRight() }},
	{"to-start", "home ctrl+a", "line start/end", func(q *Question) { q.Home() }},
	{"to-end", "end ctrl+e", "line start/end", func(q *Question) { q.End() }},
}

// Insert inserts text at the cursor.
func (q *Question) Insert(text string) { q.InsertLines(text) }

// Clear removes the text.
func (q *Question) Clear() { *q = Question{} }

// promptWidth is the width of the prompt before the text.
const promptWidth = 2

// Rows returns how many lines View needs, at most limit.
func (q *Question) Rows(width, limit int) int {
	lines, _, _ := q.Lines(room(width))
	return max(1, min(len(lines), limit))
}

// room leaves a cell for the cursor behind the text.
func room(width int) int { return max(1, width-promptWidth-1) }

// Rise moves the cursor a line up, for -1 down; false when there is none.
func (q *Question) Rise(width, n int) bool { return q.Bar.Rise(room(width), n) }

// View draws the input in height lines of width cells and returns the position of the cursor. placeholder shows while
// the input is empty.
func (q *Question) View(
	width, height int, focused bool, placeholder string, th theme.Theme,
) (lines []string, x, y int) {
	text, x, y := q.Lines(room(width))
	top := max(0, min(y-height+1, len(text)-height))
	mark := th.Dim
	if focused {
		mark = th.Accent
	}
	for i := top; i < min(len(text), top+height); i++ {
		before := "  "
		if i == 0 {
			before = mark.Render(th.Glyphs.Path) + " "
		}
		lines = append(lines, before+text[i])
	}
	if q.Text() == "" {
		lines[0] += th.Dim.Render(placeholder)
	}
	return th.Block(lines, width, height), x + promptWidth, y - top
}
