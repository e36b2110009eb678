package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/dialog"
	"lens/tui/theme"
	"lens/tui/turn"
	"lens/tui/ui"
)

// Export from the explorer: to the clipboard, a file, an editor or a pager. Exported text is as clean as text on the
// screen.

// carried returns the turns to export: the marked ones, else the open one.
func (m *model) carried() []uuid.UUID {
	var ids []uuid.UUID
	for id := range m.marked {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	if len(ids) == 0 && m.reader.Opened() != nil {
		ids = append(ids, m.reader.Opened().TurnID)
	}
	return ids
}

// openCopy lists what can be copied from the open turn and the marked ones.
func (m *model) openCopy() tea.Cmd {
	if m.reader.Opened() == nil {
		m.notice = "No turn selected"
		return nil
	}
	t := m.reader.Opened()
	var items []dialog.Item
	add := func(label, right string, do func() tea.Cmd) {
		items = append(items, dialog.Item{Label: label, Right: right, Do: do})
	}
	text := func(text string) func() tea.Cmd { return func() tea.Cmd { return m.copyCmd(text) } }
	if n := len(m.marked); n > 0 {
		label := theme.Count(n, "marked turn", "marked turns") + " as Markdown"
		add(label, "", func() tea.Cmd { return m.copyTurnsCmd(m.carried()) })
	}
	add("Turn as Markdown", "", func() tea.Cmd { return m.copyTurnsCmd([]uuid.UUID{t.TurnID}) })
	if strings.TrimSpace(t.User) != "" {
		add("Question", "", text(t.User))
	}
	if strings.TrimSpace(t.Assistant) != "" {
		add("Answer", "", text(t.Assistant))
	}
	code, links := turn.Parts(t.Assistant)
	for _, c := range code {
		add("Code: "+ui.Line(strings.TrimSpace(c.Text)), ui.Line(c.Language), text(c.Text))
	}
	for _, l := range links {
		add("Link: "+ui.Line(l.URL), ui.Line(l.Text), text(l.URL))
	}
	add("Turn ID", t.TurnID.String()[:8], text(t.TurnID.String()))
	return m.openMenu(dialog.MenuOptions{Title: "Copy", None: "Nothing matches", Items: items})
}

// copyCode copies the block of code in view, or the next one below.
func (m *model) copyCode() tea.Cmd {
	if m.reader.Opened() == nil {
		m.notice = "No turn selected"
		return nil
	}
	code, _ := turn.Parts(m.reader.Opened().Assistant)
	if len(code) == 0 {
		m.notice = "No code in this turn"
		return nil
	}
	return m.copyCmd(code[min(m.reader.CodeInView(), len(code)-1)].Text)
}

// openLinks lists the links of the turn. Selecting one copies it: Lens opens neither the network nor a browser by
// itself.
func (m *model) openLinks() tea.Cmd {
	if m.reader.Opened() == nil {
		m.notice = "No turn selected"
		return nil
	}
	_, links := turn.Parts(m.reader.Opened().Assistant)
	if len(links) == 0 {
		m.notice = "No links in this turn"
		return nil
	}
	var items []dialog.Item
	for _, l := range links {
		items = append(items, dialog.Item{
			Label: ui.Line(cmp.Or(l.Text, l.URL)),
			Right: ui.Line(l.URL),
			Do:    func() tea.Cmd { return m.copyCmd(l.URL) },
		})
	}
	return m.openMenu(dialog.MenuOptions{Title: "Links: enter copies", None: "No such link", Items: items})
}

// askExport asks for a file and saves the marked turns, or the open one, to it.
func (m *model) askExport() tea.Cmd {
	ids := m.carried()
	if len(ids) == 0 {
		m.notice = "No turn selected"
		return nil
	}
	suggested := "lens-" + m.ui.Day(m.ui.Now()) + ".md"
	save := func(path string) (tea.Cmd, string) {
		if strings.TrimSpace(path) == "" {
			return nil, "Enter a file name"
		}
		return m.writeCmd(strings.TrimSpace(path), ids), ""
	}
	return m.pick(dialog.PickerOptions{
		PromptOptions: dialog.PromptOptions{
			Label:  "Save " + theme.Count(len(ids), "turn", "turns"),
			Hint:   "name of a new file",
			Text:   suggested,
			Answer: save,
		},
		NewFile: true,
		Remark:  m.opts.FileTypes,
	})
}

// openEditor and openPager show the marked turns, or the open one, in the user's editor or pager.
func (m *model) openEditor() tea.Cmd { return m.hand(editorOf(m.env), m.editCmd) }
func (m *model) openPager() tea.Cmd  { return m.hand(pagerOf(m.env), m.pageCmd) }

func (m *model) hand(program []string, cmd func([]string, []uuid.UUID) tea.Cmd) tea.Cmd {
	ids := m.carried()
	if len(ids) == 0 {
		m.notice = "No turn selected"
		return nil
	}
	return cmd(program, ids)
}

func editorOf(env tea.EnvMsg) []string {
	return strings.Fields(cmp.Or(env.Getenv("VISUAL"), env.Getenv("EDITOR"), "vi"))
}

func pagerOf(env tea.EnvMsg) []string {
	return strings.Fields(cmp.Or(env.Getenv("PAGER"), "less"))
}
