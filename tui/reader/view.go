package reader

import (
	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
	"lens/tui/ui"
)

// mostNamed is how many cells the line above the text has for what is looked for.
const mostNamed = 16

// Head returns the title of the conversation and a remark about the place in it, for the line above the text.
func (r *Reader) Head() (title, remark string) {
	switch {
	case r.showsStored():
		return "", "as stored"
	case r.opened == nil:
		return "", ""
	}
	remark = r.path.position(r.opened)
	if r.IsFinding() {
		text := ansi.Truncate(ui.Line(r.find.text), mostNamed, r.ui.Theme.Glyphs.Ellipsis)
		return r.opened.Title, r.ui.Theme.Remarks(r.ui.Theme.Quoted(text), r.hitsInView(), remark)
	}
	return r.opened.Title, remark
}

// Lines returns how many lines the open turn takes, 0 while none is shown.
func (r *Reader) Lines() int {
	if r.opened == nil || r.showsStored() {
		return 0
	}
	return r.page.Len()
}

// Below says how much of the turn is below, "" for nothing.
func (r *Reader) Below() string {
	if n := len(r.page.text.Lines) - r.page.Offset() - len(r.readable()); n > 0 && r.opened != nil && !r.showsStored() {
		return theme.Count(n, "line", "lines") + " below"
	}
	return ""
}

// View draws the text.
func (r *Reader) View() []string {
	switch {
	case r.showsStored():
	case r.isUnreadable():
		return r.ui.Theme.Block(r.unreadableLines(), r.width, r.height)
	case r.opened == nil:
		return r.ui.Theme.Block([]string{"", r.ui.Theme.Dim.Render(r.invitation)}, r.width, r.height)
	}
	if r.showsStored() {
		return r.ui.Theme.Block(r.page.Window(), r.width, r.height)
	}
	return r.withRail(signed(r.ui.Theme, r.sides(), r.readable(), divide(r.width).prose))
}

// readable returns the lines in view, without a last one that says who answers: it says nothing without the answer.
func (r *Reader) readable() []string {
	lines := r.page.Window()
	if last := len(lines) - 1; r.page.Below() > 0 && last > 0 && r.page.Offset()+last == r.page.text.Answer {
		return lines[:last]
	}
	return lines
}

// unreadableLines says why the turn cannot be read, and how to see its stored data.
func (r *Reader) unreadableLines() []string {
	lines := append([]string{"", "Can't read this turn"}, r.ui.FailureLines(r.failed.Message, r.failed.Hint)...)
	if r.opts.Storage == nil {
		return lines
	}
	key := r.ui.Key("turn.toggle-raw")
	if !r.focused {
		key = r.ui.Key("turn") + ", then " + key
	}
	return append(lines, r.ui.Theme.Key.Render(key)+r.ui.Theme.Dim.Render(" shows the stored data"))
}
