package lock

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lens/tui/theme"
	"lens/tui/ui/uitest"
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

// driver runs a screen without an app.
type driver struct {
	*Screen
	*uitest.Driver
}

func shown(d *door) driver {
	c := uitest.Context(theme.Dark)
	s := New(c, d)
	s.SetSize(80, 24)
	s.Show()
	return driver{s, uitest.Drive(c, s)}
}

func TestScreen_Unlocks(t *testing.T) {
	vault := &door{}
	d := shown(vault)
	d.Press("9 9 enter").MustShow(t, "that is not the PIN")
	if !d.IsShown() || len(d.Posted()) > 0 {
		t.Error("a wrong PIN unlocks")
	}
	d.Press("9 8 esc").Paste("1234\r\n")
	if got := d.Text(); !strings.Contains(got, "PIN ••••\n") || strings.Contains(got, "1234") {
		t.Errorf("the PIN is not hidden:\n%s", got)
	}
	d.Hold = true
	d.Press("enter").MustShow(t, "Unlocking…")
	if d.Press("enter"); len(d.Held) != 1 {
		t.Error("a second try begins before the first is over")
	}
	d.Hold = false
	d.Run(d.Held[0])
	if d.IsShown() || !slices.Equal(d.Posted(), []any{Unlocked{}}) || !slices.Equal(vault.tries, []string{"99", "1234"}) {
		t.Errorf("it is shown: %v, tried %q", d.IsShown(), vault.tries)
	}
}

func TestScreen_Cancel(t *testing.T) {
	d := shown(&door{})
	d.Hold = true
	d.Press("1 2 3 4 enter ctrl+c").MustShow(t, "Canceled")
	d.Hold = false
	if d.Run(d.Held[0]); !d.IsShown() || len(d.Posted()) > 0 {
		t.Error("a canceled try unlocks")
	}
	if _, ok := d.Update(uitest.Key("ctrl+c"))().(tea.QuitMsg); !ok || len(d.Held) != 1 {
		t.Error("with nothing to cancel, ctrl+c does not quit")
	}
}

func TestScreen_Cursor(t *testing.T) {
	for name, c := range map[string]struct {
		typed, keys string
		masks, at   int
	}{
		"nothing":           {"", "", 0, 0},
		"narrow characters": {"abc", "left", 3, 2},
		"wide characters":   {"東京の", "", 3, 3},
		"and back":          {"東京の", "left left", 3, 1},
		"deleted":           {"東京の", "backspace", 2, 2},
		"a mark":            {"e\u0301x", "left", 3, 2},
		"no end in view":    {strings.Repeat("x", 80), "", 23, 23},
		"its start":         {strings.Repeat("x", 80), "home right", 24, 1},
		"its middle":        {strings.Repeat("東", 80), "left left left", 24, 23},
	} {
		t.Run(name, func(t *testing.T) {
			d := shown(&door{})
			d.SetSize(29, 12)
			d.Paste(c.typed).Press(c.keys)
			x, y := d.Cursor()
			line := strings.Split(d.Text(), "\n")[y]
			if want := strings.TrimRight(" PIN "+strings.Repeat("•", c.masks), " "); line != want || x != len(" PIN ")+c.at {
				t.Errorf("drawn is %q with the cursor at %d, want %q", line, x-len(" PIN "), want)
			}
		})
	}
}

func TestScreen_FillsEverySize(t *testing.T) {
	d := shown(&door{})
	d.Say(strings.Repeat("too many tries ", 20))
	d.Paste(strings.Repeat("1", 100))
	for _, size := range [][2]int{{40, 8}, {59, 14}, {80, 24}, {200, 60}} {
		d.SetSize(size[0], size[1])
		uitest.MustFill(t, d.View(), size[0], size[1])
		if x, y := d.Cursor(); x >= size[0] || y >= size[1] {
			t.Errorf("%v: the cursor stands at %d, %d", size, x, y)
		}
	}
}
