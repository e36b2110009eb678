package external

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lens/tui/ui"
)

// readyMsg is a program that is ready to take over the screen.
type readyMsg struct {
	program *exec.Cmd
	done    func() // after it has ended, or if it is not started; nil: nothing is left
	err     error
}

// openEditor shows the marked turns, or the open one, in the user's editor, in a private temporary file that is removed
// afterwards. The file is in XDG_RUNTIME_DIR if that is set, which is in memory, so that killing Lens leaves nothing on
// the disk.
func (e *Exporter) openEditor() tea.Cmd {
	ids := e.chosen()
	if len(ids) == 0 {
		return nil
	}
	words := firstOf(e.opts.Env.Getenv("VISUAL"), e.opts.Env.Getenv("EDITOR"), "vi")
	memory := e.opts.Env.Getenv("XDG_RUNTIME_DIR")
	return e.command(func() tea.Msg {
		text, err := e.written(ids, "")
		if err != nil {
			return readyMsg{err: err}
		}
		dir, err := os.MkdirTemp(memory, "lens-")
		if err != nil {
			dir, err = os.MkdirTemp("", "lens-")
		}
		if err != nil {
			return readyMsg{err: err}
		}
		file := filepath.Join(dir, "turns.md")
		done := func() { _ = os.RemoveAll(dir) }
		if err := create(file, text); err != nil {
			done()
			return readyMsg{err: err}
		}
		return readyMsg{program: exec.Command(words[0], append(words[1:], file)...), done: done}
	})
}

// openPager shows the marked turns, or the open one, in the user's pager, which reads them from a pipe.
func (e *Exporter) openPager() tea.Cmd {
	ids := e.chosen()
	if len(ids) == 0 {
		return nil
	}
	words := firstOf(e.opts.Env.Getenv("PAGER"), "less")
	return e.command(func() tea.Msg {
		text, err := e.written(ids, "")
		if err != nil {
			return readyMsg{err: err}
		}
		program := exec.Command(words[0], words[1:]...)
		program.Stdin = strings.NewReader(text)
		return readyMsg{program: program}
	})
}

// firstOf returns the words of the first command line that is not blank.
func firstOf(lines ...string) []string {
	for _, line := range lines {
		if words := strings.Fields(line); len(words) > 0 {
			return words
		}
	}
	return nil
}

// run runs a program on the screen until it ends.
func (e *Exporter) run(msg readyMsg) tea.Cmd {
	if msg.err != nil {
		e.ui.Post(ui.Failed{Doing: "opening turns", Said: "Couldn't open the turns", Err: msg.err})
		return nil
	}
	return tea.ExecProcess(msg.program, e.ended(msg))
}

// ended returns what happens once a program has ended.
func (e *Exporter) ended(msg readyMsg) func(error) tea.Msg {
	return func(err error) tea.Msg {
		if msg.done != nil {
			msg.done()
		}
		if err != nil {
			return answerMsg{e, saidMsg(filepath.Base(msg.program.Path) + " failed: " + ui.Line(err.Error()))}
		}
		return nil
	}
}
