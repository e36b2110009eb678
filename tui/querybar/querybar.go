// Package querybar is the input line of the query. It edits by grapheme cluster, and knows the column of the cursor,
// so that the terminal's own cursor is there and input methods open beside it. The text input of Bubbles counts
// characters instead, and puts that cursor in the wrong column behind wide ones.
package querybar

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"lens/internal/cleantext"
	"lens/tui/theme"
)

// MaxBytes is the longest accepted text.
const MaxBytes = 8 << 10

// Bar is a line of text with a cursor in it. The zero Bar is empty.
type Bar struct {
	before, after string // of the cursor
	hidden        int    // cells of before scrolled out at the left
	selected      bool   // all of the text: what is typed replaces it
}

// prompt stands before the text.
const prompt = "/ "

// New returns a bar with text, and the cursor after it.
func New(text string) Bar {
	var b Bar
	b.Insert(text)
	return b
}

// Text returns the text.
func (b Bar) Text() string { return b.before + b.after }

// Select selects the text, which the next letter then replaces. Moving the cursor keeps it.
func (b *Bar) Select() {
	b.End()
	b.selected = b.Text() != ""
}

// Deselect keeps the text, whatever is typed.
func (b *Bar) Deselect() { b.selected = false }

// drop deletes the text if it is selected, and reports whether it was.
func (b *Bar) drop() bool {
	was := b.selected
	if was {
		*b = Bar{}
	}
	return was
}

// Cursor returns the byte of the text before which the cursor stands.
func (b Bar) Cursor() int { return len(b.before) }

// Replace replaces what is between a byte and the cursor.
func (b *Bar) Replace(from int, text string) {
	whole := *b
	b.before = b.before[:min(from, len(b.before))]
	if room := len(b.before) + len(b.after); room+len(text) > MaxBytes {
		*b = whole
		return
	}
	b.Insert(text)
}

// Insert inserts text at the cursor as one clean line, unless it would exceed MaxBytes.
func (b *Bar) Insert(text string) {
	b.drop()
	clean := text
	if text != " " {
		clean = spaced(text)
	}
	if len(b.before)+len(b.after)+len(clean) <= MaxBytes {
		b.before += clean
	}
}

// spaced cleans text but keeps spaces at its ends, which separate words.
func spaced(text string) string {
	clean := cleantext.Columns(cleantext.Text(text))
	return strings.NewReplacer("\n", " ", "\t", " ").Replace(clean)
}

// Backspace deletes the character before the cursor.
func (b *Bar) Backspace() {
	if !b.drop() {
		b.before = b.before[:lastCharacter(b.before)]
	}
}

// Delete deletes the character after the cursor.
func (b *Bar) Delete() {
	if !b.drop() {
		b.after = b.after[firstCharacter(b.after):]
	}
}

// DeleteWord deletes back to the beginning of a word.
func (b *Bar) DeleteWord() {
	if !b.drop() {
		b.before = b.before[:wordStart(b.before)]
	}
}

// Clear deletes everything before the cursor.
func (b *Bar) Clear() {
	if !b.drop() {
		b.before, b.hidden = "", 0
	}
}

// ClearRight deletes everything after the cursor.
func (b *Bar) ClearRight() {
	if !b.drop() {
		b.after = ""
	}
}

// Left moves by a character.
func (b *Bar) Left() { b.cut(lastCharacter(b.before)) }

// Right moves by a character.
func (b *Bar) Right() { b.cut(len(b.before) + firstCharacter(b.after)) }

// WordLeft moves to the beginning of a word.
func (b *Bar) WordLeft() { b.cut(wordStart(b.before)) }

// WordRight moves behind the end of a word.
func (b *Bar) WordRight() {
	rest := strings.TrimLeftFunc(b.after, unicode.IsSpace)
	n := strings.IndexFunc(rest, unicode.IsSpace)
	if n < 0 {
		n = len(rest)
	}
	b.cut(len(b.before) + len(b.after) - len(rest) + n)
}

// Home moves to the beginning.
func (b *Bar) Home() { b.cut(0) }

// End moves to the end.
func (b *Bar) End() { b.cut(len(b.Text())) }

// cut puts the cursor at a byte.
func (b *Bar) cut(at int) {
	text := b.Text()
	b.before, b.after, b.selected = text[:at], text[at:], false
}

// View draws the bar in width cells: prompt, text, and a styled status at the right. placeholder shows while the text
// is empty.
func (b Bar) View(width int, focused bool, placeholder, status string, th theme.Theme) string {
	room := b.room(width, status)
	mark := th.Accent.Render(prompt)
	text := th.Dim.Render(th.Fit(placeholder, max(0, min(room, ansi.StringWidth(placeholder)))))
	b.scrollWithin(room)
	switch {
	case b.Text() == "":
	case focused:
		style := th.Bold
		if b.selected {
			style = th.Selection
		}
		text = style.Render(ansi.Cut(b.Text(), b.hidden, b.hidden+room))
	default: // not editing: the status matters more than the end of the text
		if n := ansi.StringWidth(status); n > 0 {
			room = min(room, max(width/2, width-len(prompt)-n-2))
		}
		text = th.Bold.Render(ansi.Truncate(b.Text(), room, th.Glyphs.Ellipsis))
	}
	return th.Spread(mark+text, status, width)
}

// Column returns the cursor's column, once the text is scrolled.
func (b Bar) Column() int { return len(prompt) + ansi.StringWidth(b.before) - b.hidden }

// Room returns how wide a status may be for View to show it in width cells.
func (b Bar) Room(width int, focused bool) int {
	text := ansi.StringWidth(b.Text())
	if !focused {
		return max(0, width-len(prompt)-min(text, width/2)-2)
	}
	return max(0, width-len(prompt)-text-4) // with the cursor behind the text
}

// room returns the width for the text between prompt and status.
func (b Bar) room(width int, status string) int {
	room := width - len(prompt) - 1
	if n := ansi.StringWidth(status); n > 0 && room-n-2 > ansi.StringWidth(b.Text()) {
		room -= n + 2
	}
	return max(1, room)
}

// Scroll scrolls the text so that View shows the cursor in width cells beside a status.
func (b *Bar) Scroll(width int, status string) { b.scrollWithin(b.room(width, status)) }

// scrollWithin keeps the cursor within room cells.
func (b *Bar) scrollWithin(room int) {
	at := ansi.StringWidth(b.before)
	b.hidden = min(b.hidden, at)
	if at-b.hidden >= room {
		b.hidden = at - room + 1
	}
	if ansi.StringWidth(b.Text()) < room {
		b.hidden = 0
	}
}

// firstCharacter returns the length of the first character of s in bytes.
func firstCharacter(s string) int {
	if s == "" {
		return 0
	}
	cluster, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return len(cluster)
}

// lastCharacter returns where the last character of s begins.
func lastCharacter(s string) int {
	at := 0
	for at < len(s) {
		n := firstCharacter(s[at:])
		if at+n >= len(s) {
			break
		}
		at += n
	}
	return at
}

// wordStart returns where the last word of s begins.
func wordStart(s string) int {
	words := strings.TrimRightFunc(s, unicode.IsSpace)
	last := strings.LastIndexFunc(words, unicode.IsSpace)
	if last < 0 {
		return 0
	}
	_, size := utf8.DecodeRuneInString(words[last:])
	return last + size
}
