package external

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/dialog"
	"lens/tui/theme"
	"lens/tui/ui"
)

// askFile asks for a file and saves the marked turns, or the open one, to it.
func (e *Exporter) askFile() tea.Cmd {
	ids := e.chosen()
	if len(ids) == 0 {
		return nil
	}
	save := func(path string) (tea.Cmd, string) {
		if strings.TrimSpace(path) == "" {
			return nil, "Enter a file name"
		}
		path = strings.TrimSpace(path)
		if _, err := os.Lstat(Folders{}.Path(path)); err == nil {
			return nil, exists(path)
		}
		return e.save(path, ids), ""
	}
	types := ""
	if e.opts.Writer != nil {
		types = e.opts.Writer.FileTypes()
	}
	picker := dialog.NewPicker(e.ui, Folders{}, dialog.PickerOptions{
		PromptOptions: dialog.PromptOptions{
			Label:  "Save " + theme.Count(len(ids), "turn", "turns"),
			Hint:   "name of a new file",
			Text:   unused("lens-"+e.ui.In(e.ui.Now()).Format(time.DateOnly), ".md"),
			Answer: save,
		},
		NewFile: true,
		Remark:  types,
	})
	e.ui.Post(dialog.Open{Dialog: picker})
	return nil
}

// exists says that a file is not overwritten.
func exists(path string) string { return ui.Line(path) + " exists. Choose another name" }

// unused returns the first name of a file that does not exist: lens-2026-11-22.md, then lens-2026-11-22-2.md.
func unused(name, extension string) string {
	free := name + extension
	for n := 2; n < mostEntries; n++ {
		if _, err := os.Lstat(free); err != nil {
			return free
		}
		free = fmt.Sprintf("%s-%d%s", name, n, extension)
	}
	return free
}

// save writes turns to a new file, in the format that its extension stands for.
func (e *Exporter) save(path string, ids []uuid.UUID) tea.Cmd {
	return e.command(func() tea.Msg {
		path = Folders{}.Path(path)
		text, err := e.written(ids, path)
		if err != nil {
			return failedMsg{Doing: "saving a file", Said: "Couldn't save", Err: err}
		}
		switch err := create(path, text); {
		case errors.Is(err, fs.ErrExist):
			return saidMsg(exists(path))
		case err != nil:
			return saidMsg("Couldn't save: " + ui.Line(err.Error()))
		}
		return saidMsg("Saved " + theme.Count(len(ids), "turn", "turns") + " to " + ui.Line(path))
	})
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

// mostEntries bounds how many entries of a folder are listed.
const mostEntries = 5000

// Folders reads the folders of this machine, for dialog.Picker.
type Folders struct{}

// Path returns the path that a typed one means: a leading ~/ is the home folder.
func (Folders) Path(typed string) string {
	rest, ok := strings.CutPrefix(typed, "~/")
	home, err := os.UserHomeDir()
	if !ok || err != nil {
		return typed
	}
	return filepath.Join(home, rest)
}

// Entries lists a folder by name, subfolders first. "" stands for ~/Downloads, or home if that does not exist.
func (f Folders) Entries(_ context.Context, folder string) (in string, entries []dialog.Entry, err error) {
	in = f.Path(folder)
	if folder == "" {
		in = f.Path("~/Downloads")
		if info, err := os.Stat(in); err != nil || !info.IsDir() {
			in = f.Path("~/")
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
