package lock

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
	"lens/tui/ui"
)

// door unlocks with 1234.
type door struct{ tries []string }

func (d *door) Lock() error { return nil }

func (d *door) Unlock(ctx context.Context, pin string) error {
	d.tries = append(d.tries, pin)
	if pin != "1234" {
		return errors.New("that is not the PIN")
	}
	return ctx.Err()
}

func shown(d *door) (*Screen, *ui.Context) {
	c := &ui.Context{Ctx: context.Background(), Now: time.Now, Theme: theme.New(theme.Dark, colorprofile.TrueColor)}
	s := New(c, d)
	s.SetSize(80, 24)
	s.Show()
	return s, c
}

func (s *Screen) typed(keys string) (last tea.Cmd) {
	for _, r := range keys {
		last = s.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return last
}

func (s *Screen) pressed(code rune, mod tea.KeyMod) tea.Cmd {
	return s.Update(tea.KeyPressMsg{Code: code, Mod: mod})
}

func text(s *Screen) string { return ansi.Strip(strings.Join(s.View(), "\n")) }

func TestScreen_Unlocks(t *testing.T) {
	d := &door{}
	s, c := shown(d)
	s.typed("99")
	s.Update(s.pressed(tea.KeyEnter, 0)())
	if !s.IsShown() || !strings.Contains(text(s), "that is not the PIN") || len(c.Posted()) > 0 {
		t.Errorf("after a wrong PIN:\n%s", text(s))
	}
	s.typed("98")
	s.pressed(tea.KeyEscape, 0)
	s.Update(tea.PasteMsg{Content: "1234\r\n"})
	if got := text(s); !strings.Contains(got, "PIN ••••\n") && !strings.Contains(got, "PIN •••• ") || strings.Contains(got, "1234") {
		t.Errorf("the PIN is not hidden:\n%s", got)
	}
	try := s.pressed(tea.KeyEnter, 0)
	if !strings.Contains(text(s), "Unlocking…") || s.pressed(tea.KeyEnter, 0) != nil {
		t.Error("a second try begins before the first is over")
	}
	s.Update(try())
	if s.IsShown() || !slices.Equal(c.Posted(), []any{Unlocked{}}) || !slices.Equal(d.tries, []string{"99", "1234"}) {
		t.Errorf("it is shown: %v, tried %q", s.IsShown(), d.tries)
	}
}

func TestScreen_Cancel(t *testing.T) {
	d := &door{}
	s, c := shown(d)
	s.typed("1234")
	try := s.pressed(tea.KeyEnter, 0)
	if s.pressed('c', tea.ModCtrl) != nil || !strings.Contains(text(s), "Canceled") {
		t.Error("ctrl+c does not cancel a try")
	}
	if s.Update(try()); !s.IsShown() || len(c.Posted()) > 0 {
		t.Error("a canceled try unlocks")
	}
	quit := s.pressed('c', tea.ModCtrl)
	if _, ok := quit().(tea.QuitMsg); !ok {
		t.Error("with nothing to cancel, ctrl+c does not quit")
	}
}

func TestScreen_FillsEverySize(t *testing.T) {
	s, _ := shown(&door{})
	s.Say(strings.Repeat("too many tries ", 20))
	s.typed(strings.Repeat("1", 100))
	for _, size := range [][2]int{{40, 8}, {59, 14}, {80, 24}, {200, 60}} {
		s.SetSize(size[0], size[1])
		lines := s.View()
		if len(lines) != size[1] {
			t.Errorf("%v: %d lines", size, len(lines))
		}
		for _, line := range lines {
			if w := ansi.StringWidth(line); w != size[0] {
				t.Errorf("%v: a line of %d cells: %q", size, w, line)
			}
		}
		if x, y := s.Cursor(); x >= size[0] || y >= size[1] {
			t.Errorf("%v: the cursor stands at %d, %d", size, x, y)
		}
	}
}
