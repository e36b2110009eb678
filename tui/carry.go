package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/menu"
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
	pieces := map[string]string{"question": t.User, "answer": t.Assistant, "id": t.TurnID.String()}
	items := []menu.Item{{ID: "turn", Label: "Turn as Markdown"}}
	if n := len(m.marked); n > 0 {
		label := theme.Count(n, "marked turn", "marked turns") + " as Markdown"
		items = slices.Insert(items, 0, menu.Item{ID: "marked", Label: label})
	}
	for _, piece := range []string{"question", "answer"} {
		if strings.TrimSpace(pieces[piece]) != "" {
			items = append(items, menu.Item{ID: piece, Label: strings.ToUpper(piece[:1]) + piece[1:]})
		}
	}
	code, links := turn.Parts(t.Assistant)
	for i, c := range code {
		id := fmt.Sprint("code ", i)
		pieces[id] = c.Text
		label := "Code: " + ui.Line(strings.TrimSpace(c.Text))
		items = append(items, menu.Item{ID: id, Label: label, Right: ui.Line(c.Language)})
	}
	for i, l := range links {
		id := fmt.Sprint("link ", i)
		pieces[id] = l.URL
		items = append(items, menu.Item{ID: id, Label: "Link: " + ui.Line(l.URL), Right: ui.Line(l.Text)})
	}
	items = append(items, menu.Item{ID: "id", Label: "Turn ID", Right: t.TurnID.String()[:8]})
	return m.openChoice(menu.New("Copy", "Nothing matches", items), func(m *model, id string) tea.Cmd {
		switch id {
		case "turn":
			return m.copyTurnsCmd([]uuid.UUID{t.TurnID})
		case "marked":
			return m.copyTurnsCmd(m.carried())
		}
		return m.copyCmd(pieces[id])
	})
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
	var items []menu.Item
	for _, l := range links {
		items = append(items, menu.Item{ID: l.URL, Label: ui.Line(cmp.Or(l.Text, l.URL)), Right: ui.Line(l.URL)})
	}
	return m.openChoice(menu.New("Links: enter copies", "No such link", items), (*model).copyCmd)
}

// askExport asks for a file and saves the marked turns, or the open one, to it.
func (m *model) askExport() tea.Cmd {
	ids := m.carried()
	if len(ids) == 0 {
		m.notice = "No turn selected"
		return nil
	}
	suggested := "lens-" + m.ui.Day(m.ui.Now()) + ".md"
	label := "Save " + theme.Count(len(ids), "turn", "turns")
	return m.pick(label, "name of a new file", suggested, true, func(m *model, path string) (tea.Cmd, string) {
		if strings.TrimSpace(path) == "" {
			return nil, "Enter a file name"
		}
		return m.writeCmd(strings.TrimSpace(path), ids), ""
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
