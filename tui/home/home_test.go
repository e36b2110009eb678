package home_test

import (
	"slices"
	"strings"
	"testing"

	"lens/tui/home"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
)

func newPage(opts home.Options, width, height int) (*home.Page, *ui.Context) {
	c := uitest.Context(theme.Dark)
	c.KeyOf = func(string) string { return "enter" }
	p := home.New(c, opts)
	p.SetSize(width, height)
	return p, c
}

func TestPage_StepsFillTheArchive(t *testing.T) {
	p, _ := newPage(home.Options{Archive: "~/lens/\x1b]0;evil\x07.db", Imports: true}, 80, 24)
	uitest.MustShow(t, p.View(),
		"Your archive is empty", "enter                       import an export",
		"lens import <export.zip>", "nothing leaves this machine", "lens demo", "archive: ~/lens/␛]0;evil␇.db",
	)
	if strings.Contains(strings.Join(p.View(), ""), "\x1b]") {
		t.Error("the archive's name reaches the terminal")
	}
}

func TestPage_FillsItsSize(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {69, 5}, {40, 6}, {200, 60}} {
		p, _ := newPage(home.Options{Imports: true}, size[0], size[1])
		uitest.MustFill(t, p.View(), size[0], size[1])
		if explained := strings.Contains(uitest.Text(p.View()), "import an export"); explained != (size[0] >= 70) {
			t.Errorf("%v: the steps are explained: %v", size, explained)
		}
	}
}

func TestPage_EnterImports(t *testing.T) {
	p, c := newPage(home.Options{Imports: true}, 80, 24)
	enter := p.Commands()[0]
	if !slices.Equal(enter.Keys(), []string{"enter"}) || !enter.IsOffered() {
		t.Errorf("offered is %+v", enter)
	}
	enter.Do()
	if got := c.Posted(); !slices.Equal(got, []any{home.AskImport{}}) {
		t.Errorf("posted is %v", got)
	}
	p, _ = newPage(home.Options{}, 80, 24)
	if p.Commands()[0].IsOffered() || strings.Contains(uitest.Text(p.View()), "import an export") {
		t.Error("an import is offered where there is none")
	}
}
