package chat

import (
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/rivo/uniseg"

	"lens/internal/cleantext"
	"lens/tui/theme"
)

// Question is the input: text of several lines, in Bubbles' textarea. That edits runes, where people see characters of
// one or more of them; so steps and deletions are repeated here until a whole character is done.
type Question struct {
	area  textarea.Model
	width int // in cells; the textarea's own may be smaller
}

const (
	promptWidth = 2
	longest     = 8 << 10 // bytes
	mostRows    = 64      // that textarea draws; View shows fewer
	mostLines   = 10_000  // more than are ever typed
)

// selecting are the modifiers that select by words.
const selecting = tea.ModCtrl | tea.ModShift

// edits are the commands that edit the question. Each stands for a key of textarea, whatever its own keys are. They
// have the IDs and the keys of those that edit the query, where there are such.
var edits = []struct {
	id, keys, group string
	key             tea.KeyPressMsg
}{
	{"line-down", "down", "", tea.KeyPressMsg{Code: tea.KeyDown}},
	{"clear", "ctrl+u", "clear", tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl}},
	{"delete-word", "ctrl+w alt+backspace", "delete word", tea.KeyPressMsg{Code: 'w', Mod: tea.ModCtrl}},
	{"delete-to-end", "ctrl+k", "delete to end", tea.KeyPressMsg{Code: 'k', Mod: tea.ModCtrl}},
	{"delete-back", "backspace ctrl+h", "", tea.KeyPressMsg{Code: tea.KeyBackspace}},
	{"delete", "delete ctrl+d", "", tea.KeyPressMsg{Code: tea.KeyDelete}},
	{"left", "left ctrl+b", "", tea.KeyPressMsg{Code: tea.KeyLeft}},
	{"right", "right ctrl+f", "", tea.KeyPressMsg{Code: tea.KeyRight}},
	{"word-left", "alt+b ctrl+left alt+left", "word left/right", tea.KeyPressMsg{Code: tea.KeyLeft, Mod: tea.ModAlt}},
	{"word-right", "alt+f ctrl+right alt+right", "word left/right", tea.KeyPressMsg{Code: tea.KeyRight, Mod: tea.ModAlt}},
	{"to-start", "home ctrl+a", "line start/end", tea.KeyPressMsg{Code: tea.KeyHome}},
	{"to-end", "end ctrl+e", "line start/end", tea.KeyPressMsg{Code: tea.KeyEnd}},
	{"to-first-line", "ctrl+home", "", tea.KeyPressMsg{Code: tea.KeyHome, Mod: tea.ModCtrl}},
	{"to-last-line", "ctrl+end", "", tea.KeyPressMsg{Code: tea.KeyEnd, Mod: tea.ModCtrl}},
	{"select-left", "shift+left", "", tea.KeyPressMsg{Code: tea.KeyLeft, Mod: tea.ModShift}},
	{"select-right", "shift+right", "", tea.KeyPressMsg{Code: tea.KeyRight, Mod: tea.ModShift}},
	{"select-up", "shift+up", "", tea.KeyPressMsg{Code: tea.KeyUp, Mod: tea.ModShift}},
	{"select-down", "shift+down", "", tea.KeyPressMsg{Code: tea.KeyDown, Mod: tea.ModShift}},
	{"select-word-left", "ctrl+shift+left alt+shift+left", "", tea.KeyPressMsg{Code: tea.KeyLeft, Mod: selecting}},
	{"select-word-right", "ctrl+shift+right alt+shift+right", "", tea.KeyPressMsg{Code: tea.KeyRight, Mod: selecting}},
	{"select-all", "alt+a", "select all, copy", tea.KeyPressMsg{Code: 'g', Mod: tea.ModCtrl}},
}

func newQuestion() Question {
	q := Question{area: textarea.New()}
	a := &q.area
	a.ShowLineNumbers = false
	// The text leaves a cell at the right: textarea exceeds its width by one where a wide character follows narrow ones.
	a.Prompt = strings.Repeat(" ", promptWidth+1)
	a.DynamicHeight, a.MaxHeight, a.MaxContentHeight, a.MaxWidth = true, mostRows, mostLines, 0
	a.KeyMap.Paste.SetEnabled(false) // it would read the clipboard of the host; the terminal's paste works
	a.KeyMap.CopySelection.SetEnabled(false)
	plain := textarea.StyleState{Selection: lipgloss.NewStyle().Reverse(true)}
	a.SetStyles(textarea.Styles{Focused: plain, Blurred: plain})
	a.SetVirtualCursor(false)
	a.Focus() // the chat gives it keys only while it has the focus
	return q
}

// Text returns the text.
func (q *Question) Text() string { return q.area.Value() }

// Selected returns the selected text, "" for none.
func (q *Question) Selected() string { return q.area.SelectedText() }

// Insert inserts text of any number of lines in place of the selection, unless the question would become too long.
func (q *Question) Insert(text string) {
	clean := strings.ReplaceAll(cleantext.Columns(cleantext.Text(text)), "\t", " ")
	if len(q.Text())-len(q.Selected())+len(clean) > longest {
		return
	}
	q.area.DeleteSelection()
	q.area.InsertString(clean)
	q.mend()
}

// Clear removes the text.
func (q *Question) Clear() { q.area.Reset() }

// Press presses a key of textarea.
func (q *Question) Press(key tea.KeyPressMsg) {
	if !q.area.HasSelection() { // textarea keeps the anchor of an empty one, and later fails when its line is gone
		q.area.ClearSelection()
	}
	for range q.times(key) {
		q.area, _ = q.area.Update(key)
	}
	q.mend()
}

// times returns how many runes the character has that a key steps over or deletes.
func (q *Question) times(key tea.KeyPressMsg) int {
	before, after := q.around()
	switch key.Keystroke() {
	case "left", "shift+left":
		return max(1, len([]rune(last(before))))
	case "right", "shift+right":
		return max(1, len([]rune(first(after))))
	case "backspace", "delete":
		if q.area.HasSelection() {
			return 1
		}
		if key.Code == tea.KeyBackspace {
			return max(1, len([]rune(last(before))))
		}
		return max(1, len([]rune(first(after))))
	}
	return 1
}

// around returns the line of the cursor, divided there.
func (q *Question) around() (before, after string) {
	line := []rune(strings.Split(q.Text(), "\n")[q.area.Line()])
	at := min(q.area.Column(), len(line))
	return string(line[:at]), string(line[at:])
}

// mend replaces what is left of a character that was cut, and moves the cursor out of one that it is in.
func (q *Question) mend() {
	if text := cleantext.Columns(q.Text()); text != q.Text() {
		q.area.SetValue(text)
	}
	q.leaveCharacter()
	q.fit()
}

// leaveCharacter moves the cursor to the start of a character that it is in.
func (q *Question) leaveCharacter() {
	before, after := q.around()
	end := last(before)
	if end == "" || len(first(end+after)) == len(end) {
		return
	}
	if !q.area.HasSelection() {
		q.area.SetCursorColumn(len([]rune(before)) - len([]rune(end)))
		return
	}
	for range []rune(end) { // a selection ends where a key moves it
		q.area, _ = q.area.Update(tea.KeyPressMsg{Code: tea.KeyLeft, Mod: tea.ModShift})
	}
}

// first returns the first character of s, last the last one.
func first(s string) string {
	if s == "" {
		return ""
	}
	cluster, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return cluster
}

func last(s string) (cluster string) {
	for s != "" {
		cluster = first(s)
		s = s[len(cluster):]
	}
	return cluster
}

// SetWidth sets its width, in cells.
func (q *Question) SetWidth(width int) {
	q.width = width
	q.fit()
}

// fit gives the textarea the greatest width at which it draws its text whole. It counts fewer cells than the screen has
// for some characters (vowel signs of Bengali, hexagrams), and cuts the lines of those.
func (q *Question) fit() {
	width := q.width
	if uniseg.StringWidth(q.Text()) < ansi.StringWidth(q.Text()) {
		for width > promptWidth+2 && !isWhole(q.Text(), width) {
			width--
		}
	}
	q.area.SetWidth(width)
}

// isWhole reports whether a textarea of a width draws a text whole.
func isWhole(text string, width int) bool {
	q := newQuestion()
	q.area.MaxHeight = 0
	q.area.SetWidth(width)
	q.area.SetValue(text)
	spaceless := func(s string) string { return strings.Join(strings.Fields(s), "") }
	return spaceless(ansi.Strip(q.area.View())) == spaceless(text)
}

// Rows returns how many lines View needs, at most limit.
func (q *Question) Rows(limit int) int { return max(1, min(q.area.Height(), limit)) }

// View draws height lines of width cells around the cursor. placeholder shows while there is no text.
func (q *Question) View(width, height int, focused bool, placeholder string, th theme.Theme) []string {
	mark := th.Dim.Render(th.Glyphs.Path) + " "
	if focused {
		mark = th.Accent.Render(th.Glyphs.Path) + " "
	}
	if q.Text() == "" {
		return th.Block([]string{mark + th.Dim.Render(placeholder)}, width, height)
	}
	drawn := q.area
	drawn.SetPromptFunc(promptWidth, func(line textarea.PromptInfo) string {
		if line.LineNumber == 0 {
			return mark
		}
		return strings.Repeat(" ", promptWidth)
	})
	lines := strings.Split(drawn.View(), "\n")
	top := q.top(height)
	return th.Block(lines[min(top, len(lines)):min(top+height, len(lines))], width, height)
}

// top returns the first of the textarea's lines that View shows.
func (q *Question) top(height int) int {
	_, y := q.position()
	return max(0, min(y-height+1, q.area.Height()-height))
}

// position returns where the cursor stands in the textarea. Its column is counted here, as everything on the screen is:
// textarea counts some marks differently.
func (q *Question) position() (x, y int) {
	before, _ := q.around()
	row := []rune(before)[q.area.LineInfo().StartColumn:]
	return promptWidth + ansi.StringWidth(string(row)), q.area.Cursor().Y
}

// Cursor returns where the cursor stands in a View of a height.
func (q *Question) Cursor(height int) (x, y int) {
	x, y = q.position()
	return x, y - q.top(height)
}

// Point moves the cursor to a cell of a View of a height.
func (q *Question) Point(x, y, height int) {
	q.area.BeginSelection(x+1, y+q.top(height))
	q.area.EndSelection()
	q.mend()
}
