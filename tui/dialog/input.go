package dialog

import (
	"unicode"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/internal/cleantext"
	"lens/tui/theme"
	"lens/tui/ui"
)

// input is a line of text. It is edited by Bubbles' textinput and drawn here: the cursor of textinput counts characters
// where it should count cells.
type input struct {
	text     textinput.Model
	selected bool // all of the text: what is typed or deleted next replaces it
}

const (
	promptWidth = 2       // of what stands before the text
	longest     = 8 << 10 // characters
)

func newInput(c *ui.Context, text string) input {
	i := input{text: textinput.New()}
	if c.Editing != nil {
		i.text.KeyMap = *c.Editing
	}
	keys := &i.text.KeyMap
	for _, none := range []*key.Binding{
		&keys.Paste, // it would read the clipboard of the host; the terminal's paste works
		&keys.AcceptSuggestion, &keys.NextSuggestion, &keys.PrevSuggestion,
	} {
		none.SetEnabled(false)
	}
	i.text.CharLimit = longest
	i.text.SetVirtualCursor(false)
	i.text.Focus()
	i.set(text)
	return i
}

// value returns the text.
func (i *input) value() string { return i.text.Value() }

// set replaces the text, with the cursor behind it.
func (i *input) set(text string) {
	i.text.SetValue(clean(text))
	i.text.CursorEnd()
}

// selectAll selects the text.
func (i *input) selectAll() { i.selected = i.value() != "" }

// replace empties the line for what replaces the selected text, and reports whether nothing else is left to do: a key
// that deletes has deleted all of it.
func (i *input) replace(msg tea.Msg) (done bool) {
	m, isKey := msg.(tea.KeyPressMsg)
	keys := &i.text.KeyMap
	deletes := isKey && key.Matches(m, keys.DeleteCharacterBackward, keys.DeleteCharacterForward, keys.DeleteWordBackward)
	if !isKey || m.Text != "" || deletes {
		i.set("")
	}
	return deletes
}

// edit handles a key or a paste.
func (i *input) edit(msg tea.Msg) {
	if i.selected {
		i.selected = false
		if i.replace(msg) {
			return
		}
	}
	switch m := msg.(type) {
	case tea.KeyPressMsg:
		if key.Matches(m, i.text.KeyMap.DeleteWordForward) {
			i.deleteWord()
			return
		}
		m.Text = clean(m.Text)
		msg = m
	case tea.PasteMsg:
		m.Content = clean(m.Content)
		msg = m
	}
	i.text, _ = i.text.Update(msg)
	if text := cleantext.Columns(i.value()); text != i.value() { // half of a character is left
		i.text.SetValue(text)
	}
}

// deleteWord deletes the word after the cursor, and the spaces before it. Ours, because that of textinput v2.2.1 panics
// where only one character or only spaces follow.
func (i *input) deleteWord() {
	text, at := []rune(i.value()), i.text.Position()
	end := at
	for end < len(text) && unicode.IsSpace(text[end]) {
		end++
	}
	for end < len(text) && !unicode.IsSpace(text[end]) {
		end++
	}
	i.text.SetValue(string(text[:at]) + string(text[end:]))
	i.text.SetCursor(at)
}

func clean(text string) string { return cleantext.Columns(cleantext.Text(text)) }

// column returns where in View the cursor stands, and how many cells of the text are out of view at the left.
func (i *input) column(width int) (at, hidden int) {
	at = ansi.StringWidth(string([]rune(i.value())[:i.text.Position()]))
	hidden = max(0, at-max(1, width-promptWidth-1)+1)
	return promptWidth + at - hidden, hidden
}

// view draws the line in width cells, with placeholder while it is empty.
func (i *input) view(width int, placeholder string, th theme.Theme) string {
	room := max(1, width-promptWidth-1)
	_, hidden := i.column(width)
	text := ansi.Cut(i.value(), hidden, hidden+room)
	if text == "" {
		text = th.Dim.Render(th.Fit(placeholder, min(room, ansi.StringWidth(placeholder))))
	}
	if i.selected {
		text = th.Selection.Render(text)
	}
	return th.Fit(th.Accent.Render(th.Glyphs.Path+" ")+text, width)
}
