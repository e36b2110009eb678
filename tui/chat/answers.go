package chat

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/async"
	"lens/tui/ui"
)

// answers is the part of the chat above the input: the exchanges, whose answers it renders, and a note below them.
type answers struct {
	ui     *ui.Context
	said   *Transcript
	render Render

	rendering     async.Latest[int]
	note          string
	plain         bool // the note is all there is to read
	width, height int
}

// drawnMsg delivers rendered answers.
type drawnMsg struct {
	number  int
	drawing Drawing
}

// requests renders answers, one job at a time; the next job includes everything received meanwhile.
func (a *answers) requests() tea.Cmd {
	if a.width <= 0 || a.rendering.IsBusy() {
		return nil
	}
	todo, ok := a.said.Undrawn(column(a.width), a.ui.Theme)
	if !ok {
		return nil
	}
	_, number, ok := a.rendering.Ask(a.ui.Ctx, a.rendering.Key()+1, a.ui.Now())
	if !ok {
		return nil
	}
	render := a.render
	return a.ui.Tasks.Command(func() tea.Msg { return drawnMsg{number, todo.Draw(render)} })
}

func (a *answers) handle(msg drawnMsg) {
	if a.rendering.Accept(msg.number) {
		msg.drawing.Put()
	}
}

// forget drops the exchanges.
func (a *answers) forget() {
	a.rendering.Stop()
	*a.said = Transcript{}
}

// lay lays out the exchanges for view.
func (a *answers) lay() {
	a.said.Retry = a.ui.Key("chat.retry")
	a.said.Lay(column(a.width), a.height-len(a.noteLines()), a.ui.In(a.ui.Now()), a.ui.Theme)
}

// needs returns how many lines the last exchange takes in a width.
func (a *answers) needs(width int) int {
	return a.said.needs(column(width), a.ui.In(a.ui.Now()), a.ui.Theme)
}

// column returns the width of what is read, in a pane of a width: long lines are hard to read.
func column(width int) int {
	const mostProse = 96
	return min(width, mostProse)
}

// view draws the exchanges and the note.
func (a *answers) view() []string {
	th, note := a.ui.Theme, a.noteLines()
	if a.said.Last() == nil {
		return th.Block(append([]string{""}, note...), a.width, a.height)
	}
	return append(a.said.View(a.width, a.height-len(note), th), th.Block(note, a.width, len(note))...)
}

// noteLines returns the note in lines. A line is left for the exchanges.
func (a *answers) noteLines() []string {
	if a.note == "" {
		return nil
	}
	lines := strings.Split(ansi.Wrap(a.note, max(1, column(a.width)), ""), "\n")
	lines = lines[:min(len(lines), max(0, a.height-1))]
	for i, line := range lines {
		if !a.plain {
			lines[i] = a.ui.Theme.Dim.Render(line)
		}
	}
	return lines
}
