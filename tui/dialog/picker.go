package dialog

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lens/tui/async"
	"lens/tui/ui"
)

// Folders reads folders.
type Folders interface {
	// Entries lists a folder by name, its folders first, and returns its path for display. "" stands for where a
	// person's downloads are.
	Entries(ctx context.Context, folder string) (in string, entries []Entry, err error)
}

// Entry is a file or folder. Its name need not be clean.
type Entry struct {
	Name   string
	Folder bool
	Size   int64 // bytes
}

// PickerOptions says what to ask for.
type PickerOptions struct {
	PromptOptions
	NewFile bool   // asks for a file to create: only folders are listed
	Remark  string // shown behind the folder
}

// Picker asks for a path. It can be typed, dropped or pasted, or picked from the folder typed so far.
type Picker struct {
	Prompt
	folders Folders
	newFile bool
	remark  string

	listed async.Latest[listing]
	in     string         // the listed folder, for display
	all    []Entry        // its entries
	wrong  string         // why nothing is listed
	shown  ui.List[Entry] // the entries that begin like the typed name; on none: use the typed path
}

// listing identifies a request.
type listing struct {
	folder string // as typed; "": that of downloads
	made   bool
}

// listedMsg delivers the entries of a folder.
type listedMsg struct {
	number  int
	in      string
	entries []Entry
	err     error
}

// NewPicker returns a picker with the suggested path.
func NewPicker(c *ui.Context, folders Folders, opts PickerOptions) *Picker {
	return &Picker{
		Prompt:  *NewPrompt(c, opts.PromptOptions),
		folders: folders,
		newFile: opts.NewFile,
		remark:  opts.Remark,
		shown:   ui.List[Entry]{Optional: true},
	}
}

const (
	pickerHead   = 4 // the number of lines above the entries
	pickerHeight = 16
	pickerPage   = 8
)

// here is the working directory.
const here = "." + string(filepath.Separator)

// SetSize sets the size of the screen.
func (p *Picker) SetSize(width, height int) {
	p.Prompt.SetSize(width, height)
	_, room := p.Place().Inside()
	p.shown.SetPage(room - pickerHead)
}

// Place returns where the picker lies.
func (p *Picker) Place() Rect { return UpperMiddle(p.width, p.height, formWidth, pickerHeight) }

// Hints returns the keys for the footer.
func (p *Picker) Hints() []key.Binding {
	return append([]key.Binding{moves, completes}, p.Prompt.Hints()...)
}

// Requests asks for the entries of the typed folder.
func (p *Picker) Requests() tea.Cmd {
	folder := p.wanted()
	ctx, number, ok := p.listed.Ask(p.ui.Ctx, listing{folder, true}, p.ui.Now())
	if !ok {
		return nil
	}
	folders := p.folders
	return p.ui.Tasks.Command(func() tea.Msg {
		in, entries, err := folders.Entries(ctx, folder)
		return listedMsg{number, in, entries, err}
	})
}

// Closed ends the request.
func (p *Picker) Closed() { p.listed.Forget() }

// Update handles keys, pastes, clicks, the wheel, and the entries of folders.
func (p *Picker) Update(msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return p.press(msg)
	case tea.MouseClickMsg:
		if p.shown.Point(msg.Y - pickerHead) {
			return p.enter()
		}
	case tea.MouseWheelMsg:
		p.shown.Move(Notch(msg))
	case listedMsg:
		p.handle(msg)
	case tea.PasteMsg:
		p.text.edit(msg)
		p.narrow()
	}
	return nil, false
}

func (p *Picker) press(pressed tea.KeyPressMsg) (cmd tea.Cmd, done bool) {
	switch {
	case Browse(&p.shown, pressed, pickerPage):
	case key.Matches(pressed, completes):
		p.shown.MoveTo(max(0, p.shown.Cursor()))
		p.complete()
	case key.Matches(pressed, accepts):
		return p.enter()
	default:
		cmd, done = p.Prompt.Update(pressed)
		p.narrow()
	}
	return cmd, done
}

// enter opens the folder under the cursor, or accepts the file.
func (p *Picker) enter() (cmd tea.Cmd, done bool) {
	entry, ok := p.shown.Chosen()
	switch {
	case ok && (entry.Folder || p.newFile):
		p.complete()
		return nil, false
	case ok:
		p.text.set(p.path(entry))
	}
	return p.accept()
}

// complete types the entry under the cursor, and opens it if it is a folder.
func (p *Picker) complete() {
	entry, ok := p.shown.Chosen()
	if !ok {
		return
	}
	path := p.path(entry)
	switch _, name := p.typedFolder(); {
	case entry.Folder && p.newFile:
		path += "/" + name
	case entry.Folder:
		path += "/"
	}
	p.text.set(path)
	p.narrow()
}

// path returns the path of an entry in the form that was typed.
func (p *Picker) path(entry Entry) string {
	if folder, _ := p.typedFolder(); folder != "" || p.listed.Key().folder == here {
		return folder + entry.Name
	}
	return filepath.Join(p.in, entry.Name)
}

// typedFolder splits the typed path into a folder, with its last slash, and the beginning of a name.
func (p *Picker) typedFolder() (folder, name string) {
	text := p.text.value()
	at := strings.LastIndexFunc(text, func(r rune) bool { return r == '/' || r == filepath.Separator }) + 1
	return text[:at], text[at:]
}

// wanted returns the folder to list: "" for the default one while nothing is typed.
func (p *Picker) wanted() string {
	folder, name := p.typedFolder()
	if folder == "" && (name != "" || p.newFile) {
		return here
	}
	return folder
}

func (p *Picker) handle(msg listedMsg) {
	if !p.listed.Accept(msg.number) {
		return
	}
	p.in, p.all, p.wrong = msg.in, msg.entries, ""
	if msg.err != nil {
		p.wrong = "Can't read this folder"
	}
	p.narrow()
}

// narrow keeps the entries that begin like the typed name. Hidden ones need a typed dot.
func (p *Picker) narrow() {
	_, name := p.typedFolder()
	if p.newFile {
		name = ""
	}
	var shown []Entry
	for _, e := range p.all {
		hidden := strings.HasPrefix(e.Name, ".") && !strings.HasPrefix(name, ".")
		if !hidden && (e.Folder || !p.newFile) && strings.HasPrefix(strings.ToLower(e.Name), strings.ToLower(name)) {
			shown = append(shown, e)
		}
	}
	p.shown.Set(shown)
}

// View draws the picker.
func (p *Picker) View() []string {
	r, th := p.Place(), p.ui.Theme
	width, _ := r.Inside()
	remark := th.Dim.Render(th.Fit(th.Remarks(ui.Line(p.in), p.remark), max(0, width-2*len(gutter))))
	if p.wrong != "" {
		remark = th.Warn.Render(p.wrong)
	}
	if p.refused != "" {
		remark = th.Warn.Render(p.refused)
	}
	lines := []string{
		r.field(&p.text, p.opts.Hint, th),
		gutter + remark,
		"",
	}
	rows, first := p.shown.Window()
	if len(rows) == 0 {
		lines = append(lines, th.Dim.Render("  No files to show. Type a path"))
	}
	for i, e := range rows {
		label, right := ui.Line(e.Name), "folder"
		if e.Folder {
			label += "/"
		} else {
			right = sizeWords(e.Size)
		}
		lines = append(lines, r.row(label, "", th.Dim.Render(right), 0, first+i == p.shown.Cursor(), th))
	}
	return r.Framed(p.opts.Label, "", lines, th)
}

func sizeWords(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f kB", float64(n)/1e3)
}
