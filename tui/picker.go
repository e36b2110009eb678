package tui

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lens/tui/querybar"
	"lens/tui/theme"
	"lens/tui/ui"
)

// picker asks for a path. It can be typed, dropped or pasted, or picked from the folder typed so far.
type picker struct {
	question
	folders bool // only folders are listed: asks for a file to export to

	of     string  // the folder to list, as typed
	in     string  // the same, for display
	all    []entry // its entries
	wrong  string  // why nothing is listed
	shown  []entry // the entries that begin like the typed name
	cursor int     // index into shown; -1: use the typed path
	top    int
	gen    int
}

// entry is a file or folder.
type entry struct {
	name   string
	folder bool
	size   int64
}

// foldedMsg delivers the entries of a folder.
type foldedMsg struct {
	gen int
	in  string // the folder, for display
	all []entry
	err error
}

// pick asks for a path.
func (m *model) pick(label, hint, text string, folders bool, answer func(*model, string) (tea.Cmd, string)) tea.Cmd {
	q := question{label: label, hint: hint, bar: querybar.New(text), answer: answer}
	return m.openOverlay(&picker{question: q, folders: folders, cursor: -1})
}

func (p *picker) place(w, h int) rect { return amid(w, h, 74, 16) }

// pickerHead is the number of lines above the entries.
const pickerHead = 4

func (p *picker) view(m *model, r rect) []string {
	return m.framed(r, func(w, h int) []string {
		remark := ui.Line(p.in)
		if p.folders {
			remark = m.ui.Theme.Remarks(remark, m.opts.FileTypes)
		}
		remark = m.ui.Theme.Dim.Render(m.ui.Theme.Fit(remark, max(0, w-2)))
		if p.wrong != "" {
			remark = m.ui.Theme.Warn.Render(p.wrong)
		}
		if p.refused != "" {
			remark = m.ui.Theme.Warn.Render(p.refused)
		}
		lines := []string{
			m.ui.Theme.Focus.Render(m.ui.Theme.Spread(" "+p.label, "enter accepts, tab completes, esc closes ", w)),
			" " + p.bar.View(w-1, true, p.hint, "", m.ui.Theme),
			" " + remark, "",
		}
		if len(p.shown) == 0 {
			lines = append(lines, m.ui.Theme.Dim.Render("  No files to show. Type a path"))
		}
		room := max(1, h-pickerHead)
		p.top = max(0, min(p.top, len(p.shown)-room))
		p.top = max(min(p.top, max(0, p.cursor)), p.cursor-room+1)
		for i := p.top; i < min(len(p.shown), p.top+room); i++ {
			lines = append(lines, p.shown[i].row(i == p.cursor, w, m.ui.Theme))
		}
		return m.ui.Theme.Block(lines, w, h)
	})
}

func (e entry) row(chosen bool, width int, th theme.Theme) string {
	label, right := ui.Line(e.name), "folder "
	if e.folder {
		label += "/"
	} else {
		right = sizeWords(e.size) + " "
	}
	if chosen {
		return th.Spread(th.Cursor.Render(th.Glyphs.Pointer+" "+label), th.Dim.Render(right), width)
	}
	return th.Spread("  "+label, th.Dim.Render(right), width)
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

func (p *picker) scroll(n int) { p.move(n) }

func (p *picker) move(n int) { p.cursor = max(-1, min(p.cursor+n, len(p.shown)-1)) }

func (p *picker) hints() []hint {
	return append([]hint{{keys: "up down", does: "move"}, {keys: "tab", does: "complete"}}, p.question.hints()...)
}

// click accepts the entry at a line, as enter does.
func (p *picker) click(m *model, y int) tea.Cmd {
	at := p.top + y - pickerHead
	if y < pickerHead || at >= len(p.shown) {
		return nil
	}
	p.cursor = at
	return p.enter(m)
}

func (p *picker) press(m *model, pressed tea.KeyPressMsg) tea.Cmd {
	switch pressed.String() {
	case "down", "ctrl+n":
		p.move(1)
	case "up", "ctrl+p":
		p.move(-1)
	case "pgdown":
		p.move(8)
	case "pgup":
		p.move(-8)
	case "tab":
		p.cursor = max(p.cursor, min(0, len(p.shown)-1))
		p.complete()
	case "enter":
		return p.enter(m)
	default:
		cmd := p.question.press(m, pressed)
		p.narrow()
		return cmd
	}
	return nil
}

// enter opens the folder under the cursor, or accepts the file.
func (p *picker) enter(m *model) tea.Cmd {
	if p.cursor >= 0 && (p.shown[p.cursor].folder || p.folders) {
		p.complete()
		return nil
	}
	if p.cursor >= 0 {
		p.bar = querybar.New(p.path(p.shown[p.cursor]))
	}
	return p.take(m)
}

// take accepts the path in the bar.
func (p *picker) take(m *model) tea.Cmd {
	cmd, refusal := p.answer(m, p.bar.Text())
	if p.refused = refusal; refusal == "" && m.over == overlay(p) {
		m.closeOverlay()
	}
	return cmd
}

// complete copies the entry under the cursor into the bar and opens it if it is a folder.
func (p *picker) complete() {
	if p.cursor < 0 {
		return
	}
	e := p.shown[p.cursor]
	path := p.path(e)
	switch _, name := p.typedFolder(); {
	case e.folder && p.folders:
		path += "/" + name
	case e.folder:
		path += "/"
	}
	p.bar = querybar.New(path)
	p.narrow()
}

// path returns the path of an entry in the form that was typed.
func (p *picker) path(e entry) string {
	if folder, _ := p.typedFolder(); folder != "" || p.of == here {
		return folder + e.name
	}
	return filepath.Join(p.in, e.name)
}

// typedFolder splits the typed path into a folder, with its last slash, and the beginning of a name.
func (p *picker) typedFolder() (folder, name string) {
	text := p.bar.Text()
	at := strings.LastIndexFunc(text, func(r rune) bool { return r == '/' || r == filepath.Separator }) + 1
	return text[:at], text[at:]
}

// here is the working directory.
const here = "." + string(filepath.Separator)

// wanted returns the folder to list: "" for the default one while nothing is typed.
func (p *picker) wanted() string {
	folder, name := p.typedFolder()
	if folder == "" && (name != "" || p.folders) {
		return here
	}
	return folder
}

// chaseFolder requests the entries of the wanted folder.
func (m *model) chaseFolder() tea.Cmd {
	p, ok := m.over.(*picker)
	if !ok || p.gen > 0 && p.wanted() == p.of {
		return nil
	}
	p.of = p.wanted()
	p.gen++
	gen, folder := p.gen, p.of
	return m.ui.Tasks.Command(func() tea.Msg { return folded(gen, folder) })
}

func (msg foldedMsg) take(m *model) tea.Cmd {
	p, ok := m.over.(*picker)
	if !ok || p.gen != msg.gen {
		return nil
	}
	p.in, p.all, p.wrong = msg.in, msg.all, ""
	if msg.err != nil {
		p.wrong = "Can't read this folder"
	}
	p.narrow()
	return nil
}

// narrow keeps the entries that begin like the typed name. Hidden ones need a typed dot.
func (p *picker) narrow() {
	_, name := p.typedFolder()
	if p.folders {
		name = ""
	}
	p.shown, p.cursor, p.top = nil, -1, 0
	for _, e := range p.all {
		hidden := strings.HasPrefix(e.name, ".") && !strings.HasPrefix(name, ".")
		if !hidden && (e.folder || !p.folders) && strings.HasPrefix(strings.ToLower(e.name), strings.ToLower(name)) {
			p.shown = append(p.shown, e)
		}
	}
}
