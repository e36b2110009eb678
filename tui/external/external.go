// Package external is what leaves the explorer: text for the clipboard, turns for files, editors and pagers. It is as
// clean as text on the screen. Of all components only this one touches files and other programs.
package external

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/ui"
)

// Writer writes turns of the archive.
type Writer interface {
	// Write writes turns, safe for a terminal, in the format that the extension of file stands for; as Markdown if it
	// stands for none.
	Write(ctx context.Context, w io.Writer, file string, turns []uuid.UUID) error
	// FileTypes lists the extensions that stand for a format, for display.
	FileTypes() string
}

// Options configures an exporter. All are optional.
type Options struct {
	Writer Writer // nil: texts can be copied, but no turns

	Env tea.EnvMsg // says which editor and pager, and whether the clipboard is on another machine

	// Clipboard copies text on this machine; nil: with the tool that is installed.
	Clipboard func(text string) error

	Closed string                     // why no browser is opened: "offline"; "": one is
	Start  func(words []string) error // starts a program; nil: as a process
}

// Turns are what is exported: those that are marked, else the open one.
type Turns struct {
	Marked []uuid.UUID
	Open   *retrieval.Turn // clean; nil for none
	Code   int             // the index of its block of code that is in view, or below
	None   string          // what is said where there are none; "": that no turn is selected
}

// Exporter copies turns and their parts, saves them, and shows them in other programs.
type Exporter struct {
	ui    *ui.Context
	opts  Options
	turns Turns
}

// answerMsg is what a command returns, with its exporter. A lock replaces that, so that no text of the archive reaches
// the clipboard or the screen afterwards.
type answerMsg struct {
	from *Exporter
	tea.Msg
}

// What answers have.
type (
	saidMsg    string    // a notice
	failedMsg  ui.Failed // a failure for the list of errors
	writtenMsg string    // text to copy
	copiedMsg  string    // text to copy through the terminal, with OSC 52
)

// New returns an exporter without turns.
func New(c *ui.Context, opts Options) *Exporter { return &Exporter{ui: c, opts: opts} }

// SetTurns sets what is exported.
func (e *Exporter) SetTurns(t Turns) { e.turns = t }

// Commands returns what can be done with the marked turns or the open one, wherever the focus is.
func (e *Exporter) Commands() []ui.Command {
	return []ui.Command{
		ui.On("copy-turn", "y,t", "copy turn, code, link", e.copyChosen),
		ui.On("copy-code", "y,c", "copy turn, code, link", e.copyCode),
		ui.On("copy-link", "y,l", "copy turn, code, link", e.copyLink),
		ui.On("copy-answer", "y,a", "copy answer", e.copyAnswer),
		ui.On("copy", "Y y,y", "copy a part", e.openCopy),
		ui.On("editor", "e", "open in editor/pager", e.openEditor),
		ui.On("pager", "|", "open in editor/pager", e.openPager),
		ui.On("write", "w", "save to a file", e.askFile),
	}
}

// TurnCommands returns what can be done with the open turn while it has the focus.
func (e *Exporter) TurnCommands() []ui.Command {
	return []ui.Command{
		ui.On("links", "o", "links, original", e.openLinks),
	}
}

// Update handles what the commands of the exporter return.
func (e *Exporter) Update(msg tea.Msg) tea.Cmd {
	answer, ok := msg.(answerMsg)
	if ok && answer.from != e {
		return e.drop(answer)
	}
	switch msg := answer.Msg.(type) {
	case saidMsg:
		e.ui.Post(ui.Notify(msg))
	case failedMsg:
		e.ui.Post(ui.Failed(msg))
	case writtenMsg:
		return e.Copy(string(msg))
	case copiedMsg:
		return e.copyThroughTerminal(string(msg))
	case readyMsg:
		return e.run(msg)
	}
	return nil
}

// command is a command whose result only this exporter takes.
func (e *Exporter) command(work func() tea.Msg) tea.Cmd {
	return e.ui.Tasks.Command(func() tea.Msg { return answerMsg{e, work()} })
}

// drop removes what an answer to another exporter has left on the disk.
func (e *Exporter) drop(answer answerMsg) tea.Cmd {
	ready, ok := answer.Msg.(readyMsg)
	if !ok || ready.done == nil {
		return nil
	}
	return e.ui.Tasks.Command(func() tea.Msg {
		ready.done()
		return nil
	})
}

// chosen returns the turns to export: the marked ones, else the open one. Without any, it says so.
func (e *Exporter) chosen() []uuid.UUID {
	if len(e.turns.Marked) > 0 {
		return e.turns.Marked
	}
	if t := e.open(); t != nil {
		return []uuid.UUID{t.TurnID}
	}
	return nil
}

// open returns the open turn. If there is none, it says so.
func (e *Exporter) open() *retrieval.Turn {
	if e.turns.Open == nil {
		e.notify(cmp.Or(e.turns.None, "No turn selected"))
	}
	return e.turns.Open
}

func (e *Exporter) notify(sentence string) { e.ui.Post(ui.Notify(sentence)) }

// written returns turns as clean Markdown, or as a file with this name has them.
func (e *Exporter) written(ids []uuid.UUID, file string) (string, error) {
	if e.opts.Writer == nil {
		return "", errors.New("exporting is not available here")
	}
	var out strings.Builder
	err := e.opts.Writer.Write(e.ui.Ctx, &out, file, ids)
	return out.String(), err
}
