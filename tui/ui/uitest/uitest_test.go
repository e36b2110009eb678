package uitest_test

import (
	"fmt"
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
)

func TestKey_Notation(t *testing.T) {
	for _, name := range []string{
		"a", "G", "東", "+", "enter", "space", "ctrl+x", "ctrl++", "alt+enter", "shift+left", "ctrl+shift+right",
	} {
		if got := uitest.Key(name); got.Keystroke() != name {
			t.Errorf("%s is %s", name, got.Keystroke())
		}
	}
	for name, text := range map[string]string{"G": "G", "space": " ", "enter": "", "ctrl+x": "", "+": "+"} {
		if got := uitest.Key(name); got.Text != text {
			t.Errorf("%s types %q", name, got.Text)
		}
	}
}

// counter asks for the next number until it has three.
type counter struct {
	ui   *ui.Context
	n    int
	busy bool
}

func (c *counter) Update(msg tea.Msg) tea.Cmd {
	if n, ok := msg.(int); ok {
		c.n, c.busy = n, false
		c.ui.Post(n)
	}
	return nil
}

func (c *counter) Requests() tea.Cmd {
	if c.busy || c.n == 3 {
		return nil
	}
	c.busy = true
	return tea.Batch(func() tea.Msg { return nil }, func() tea.Msg { return c.n + 1 })
}

func (c *counter) View() []string { return []string{fmt.Sprintf("%d  ", c.n)} }

func TestDriver_DoesWhatFollows(t *testing.T) {
	c := &counter{ui: uitest.Context(theme.ASCII)}
	d := uitest.Drive(c.ui, c)
	heard := 0
	d.Hear = func(any) { heard++ }
	if d.Run(nil); d.Text() != "3" || heard != 3 || !slices.Equal(d.Posted(), []any{1, 2, 3}) || len(d.Posted()) > 0 {
		t.Errorf("shown is %q, heard %d messages", d.Text(), heard)
	}
	c.n, d.Hold = 0, true
	if d.Press("x"); c.n != 0 || len(d.Held) != 1 {
		t.Errorf("at %d with %d commands held", c.n, len(d.Held))
	}
}
