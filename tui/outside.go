package tui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/atotto/clipboard"
	"github.com/google/uuid"

	"lens/tui/dialog"
	"lens/tui/theme"
	"lens/tui/ui"
)

// The commands that reach outside the explorer: clipboard, files, other programs. Their results are shown as notices.

// saidMsg is a notice.
type saidMsg string

// copiedMsg is text to copy through the terminal, with OSC 52.
type copiedMsg string

// textOf returns turns as clean Markdown, or as a file with this name has them.
func (m *model) textOf(ids []uuid.UUID, file string) (string, error) {
	if m.opts.Write == nil {
		return "", errors.New("exporting is not available here")
	}
	var out bytes.Buffer
	err := m.opts.Write(m.ui.Ctx, &out, file, ids)
	return out.String(), err
}

// copyCmd copies text. Over SSH, or without a clipboard tool, it goes through the terminal, which does not confirm
// whether it accepted the text: so the notice offers a file, too.
func (m *model) copyCmd(text string) tea.Cmd {
	remote := m.env.Getenv("SSH_TTY") != "" || m.env.Getenv("SSH_CONNECTION") != ""
	return m.ui.Tasks.Command(func() tea.Msg {
		if remote || clipboard.Unsupported || clipboard.WriteAll(text) != nil {
			return copiedMsg(text)
		}
		return saidMsg("Copied " + amount(text))
	})
}

func (m *model) copyTurnsCmd(ids []uuid.UUID) tea.Cmd {
	return m.ui.Tasks.Command(func() tea.Msg {
		text, err := m.textOf(ids, "")
		if err != nil {
			return troubledMsg{"copying", "Couldn't copy", err}
		}
		return m.copyCmd(text)()
	})
}

// takeCopied copies text through the terminal.
func (m *model) takeCopied(text string) tea.Cmd {
	m.notice = "Copied " + amount(text) + " (or press w to save)"
	return tea.SetClipboard(text)
}

func amount(text string) string {
	return theme.Count(strings.Count(strings.TrimRight(text, "\n"), "\n")+1, "line", "lines")
}

// writeCmd writes turns to a new file, in the format that its extension stands for.
func (m *model) writeCmd(path string, ids []uuid.UUID) tea.Cmd {
	return m.ui.Tasks.Command(func() tea.Msg {
		path = expanded(path)
		text, err := m.textOf(ids, path)
		if err != nil {
			return troubledMsg{"saving a file", "Couldn't save", err}
		}
		switch err := create(path, text); {
		case errors.Is(err, fs.ErrExist):
			return saidMsg(ui.Line(path) + " exists. Choose another name")
		case err != nil:
			return saidMsg("Couldn't save: " + ui.Line(err.Error()))
		}
		return saidMsg("Saved " + theme.Count(len(ids), "turn", "turns") + " to " + ui.Line(path))
	})
}

// expanded replaces a leading ~/ with the home folder.
func expanded(path string) string {
	rest, ok := strings.CutPrefix(path, "~/")
	home, err := os.UserHomeDir()
	if !ok || err != nil {
		return path
	}
	return filepath.Join(home, rest)
}

// mostEntries bounds how many entries of a folder are listed.
const mostEntries = 5000

// folders reads folders for the picker.
type folders struct{}

// Entries lists a folder by name, subfolders first. "" stands for ~/Downloads, or home if that does not exist.
func (folders) Entries(_ context.Context, folder string) (in string, entries []dialog.Entry, err error) {
	in = expanded(folder)
	if folder == "" {
		in = expanded("~/Downloads")
		if info, err := os.Stat(in); err != nil || !info.IsDir() {
			in = expanded("~/")
		}
	}
	dir, err := os.Open(in)
	if err != nil {
		return in, nil, err
	}
	defer func() { _ = dir.Close() }()
	names, err := dir.Readdirnames(mostEntries)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(in, name)); err == nil { // follows links
			entries = append(entries, dialog.Entry{Name: name, Folder: info.IsDir(), Size: info.Size()})
		}
	}
	slices.SortFunc(entries, func(a, b dialog.Entry) int {
		if a.Folder != b.Folder {
			return map[bool]int{true: -1, false: 1}[a.Folder]
		}
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return in, entries, err
}

// create writes a new file that only the user can read, and removes it if writing fails. It never overwrites.
func create(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(path)
	}
	return err
}

// handMsg is a program that is ready to take over the screen.
type handMsg struct {
	run  *exec.Cmd
	done func() // after it has ended
	err  error
}

// editCmd opens turns in an editor, in a private temporary file that is removed afterwards. The file is in
// XDG_RUNTIME_DIR if that is set, which is in memory, so that killing Lens leaves nothing on the disk.
func (m *model) editCmd(program []string, ids []uuid.UUID) tea.Cmd {
	memory := m.env.Getenv("XDG_RUNTIME_DIR")
	return m.ui.Tasks.Command(func() tea.Msg {
		text, err := m.textOf(ids, "")
		if err != nil {
			return handMsg{err: err}
		}
		dir, err := os.MkdirTemp(memory, "lens-")
		if err != nil {
			dir, err = os.MkdirTemp("", "lens-")
		}
		if err != nil {
			return handMsg{err: err}
		}
		file := filepath.Join(dir, "turns.md")
		done := func() { _ = os.RemoveAll(dir) }
		if err := create(file, text); err != nil {
			done()
			return handMsg{err: err}
		}
		return handMsg{run: exec.Command(program[0], append(program[1:], file)...), done: done}
	})
}

// pageCmd shows turns in a pager, which reads them from a pipe.
func (m *model) pageCmd(program []string, ids []uuid.UUID) tea.Cmd {
	return m.ui.Tasks.Command(func() tea.Msg {
		text, err := m.textOf(ids, "")
		if err != nil {
			return handMsg{err: err}
		}
		run := exec.Command(program[0], program[1:]...)
		run.Stdin = strings.NewReader(text)
		return handMsg{run: run, done: func() {}}
	})
}

// takeHand runs a program on the screen until it ends.
func (m *model) takeHand(msg handMsg) tea.Cmd {
	if msg.err != nil {
		m.complain("opening turns", "Couldn't open the turns", msg.err)
		return nil
	}
	name := filepath.Base(msg.run.Path)
	return tea.ExecProcess(msg.run, func(err error) tea.Msg {
		msg.done()
		if err != nil {
			return saidMsg(name + " failed: " + ui.Line(err.Error()))
		}
		return nil
	})
}
