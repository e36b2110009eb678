package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lens/tui/menu"
	"lens/tui/querybar"
)

// choice is a menu over the panes. It closes before the selected action runs.
type choice struct {
	menu.Menu
	choose func(m *model, id string) tea.Cmd
	// also has further actions by key. The menu stays open if one returns a refusal.
	also map[string]func(m *model, id string) (cmd tea.Cmd, refusal string)
}

// openChoice opens a menu.
func (m *model) openChoice(list menu.Menu, choose func(*model, string) tea.Cmd) tea.Cmd {
	return m.openOverlay(&choice{list, choose, nil})
}

func (c *choice) place(w, h int) rect {
	return amid(w, h, max(58, c.Width()+2), min(tallest, max(6, c.Rows())+1))
}

func (c *choice) cursor() (x, y int) {
	x, y = c.Cursor()
	return x + 1, y
}

func (c *choice) view(m *model, r rect) []string {
	return m.framed(r, func(w, h int) []string { return c.View(w, h, m.ui.Theme) })
}

func (c *choice) paste(_ *model, text string) { c.Edit(func(b *querybar.Bar) { b.Insert(text) }) }

func (c *choice) scroll(n int) { c.Move(n) }

func (c *choice) hints() []hint {
	return []hint{{keys: "up down", does: "move"}, {keys: "enter", does: "select"}, {keys: "esc", does: "close"}}
}

// click selects the item at a line.
func (c *choice) click(m *model, y int) tea.Cmd {
	if !c.Point(y) {
		return nil
	}
	return c.take(m, c.choose)
}

func (c *choice) press(m *model, pressed tea.KeyPressMsg) tea.Cmd {
	switch name := pressed.String(); name {
	case "esc", "ctrl+g":
		m.closeOverlay()
	case "enter":
		return c.take(m, c.choose)
	case "down", "ctrl+n", "tab":
		c.Move(1)
	case "up", "ctrl+p", "shift+tab":
		c.Move(-1)
	case "pgdown":
		c.Move(m.height / 2)
	case "pgup":
		c.Move(-m.height / 2)
	default:
		if do, ok := c.also[name]; ok {
			return c.takeAlso(m, do)
		}
		if change := editOf(m.keys.query, name); change != nil {
			c.Edit(change)
		} else if pressed.Text != "" {
			c.paste(m, pressed.Text)
		}
	}
	return nil
}

// take closes the menu and applies do to the item under the cursor.
func (c *choice) take(m *model, do func(*model, string) tea.Cmd) tea.Cmd {
	item, ok := c.Chosen()
	if !ok {
		return nil
	}
	m.closeOverlay()
	return do(m, item.ID)
}

func (c *choice) takeAlso(m *model, do func(*model, string) (tea.Cmd, string)) tea.Cmd {
	item, ok := c.Chosen()
	if !ok {
		return nil
	}
	cmd, refusal := do(m, item.ID)
	switch {
	case refusal != "":
		m.notice = refusal
	case m.over == overlay(c):
		m.closeOverlay()
	}
	return cmd
}

func spokenAll(keys []string) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = spoken(k)
	}
	return out
}

// openPalette lists the commands of this pane and the global ones, with their keys.
func (m *model) openPalette() tea.Cmd {
	here := m.focus
	if here == paneQuery {
		here = paneHistogram
	}
	all := slices.Concat(m.keys.of(here), m.keys.global)
	var items []menu.Item
	for _, c := range all {
		if c.ID != "commands" && c.IsOffered() {
			items = append(items, menu.Item{
				ID:    c.ID,
				Label: strings.ReplaceAll(c.ID, "-", " "),
				Right: strings.Join(spokenAll(c.Keys()), " "),
			})
		}
	}
	return m.openChoice(menu.New("Commands", "No such command", items), func(m *model, name string) tea.Cmd {
		m.focus = here
		at := slices.IndexFunc(all, func(c command) bool { return c.ID == name })
		return all[at].Do()
	})
}
