package welcome_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lens/tui/dialog"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
	"lens/tui/welcome"
)

func newPage(opts welcome.Options, width, height int) (*welcome.Page, *ui.Context) {
	c := uitest.Context(theme.Dark)
	c.KeyOf = func(id string) string { return map[string]string{"welcome.import": "enter", "welcome.found": "i"}[id] }
	p := welcome.New(c, opts)
	p.SetSize(width, height)
	return p, c
}

func TestPage_StepsFillTheArchive(t *testing.T) {
	p, _ := newPage(welcome.Options{Archive: "~/lens/\x1b]0;evil\x07.db", Imports: true}, 80, 24)
	uitest.MustShow(t, p.View(),
		"Your archive is empty", "enter                       import an export",
		"lens import <export.zip>", "nothing leaves this machine", "lens demo", "archive: ~/lens/␛]0;evil␇.db",
	)
	if strings.Contains(strings.Join(p.View(), ""), "\x1b]") {
		t.Error("the archive's name reaches the terminal")
	}
}

func TestPage_FillsItsSize(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {69, 9}, {40, 6}, {200, 60}} {
		p, _ := newPage(welcome.Options{Imports: true}, size[0], size[1])
		uitest.MustFill(t, p.View(), size[0], size[1])
		if explained := strings.Contains(uitest.Text(p.View()), "invented chats"); explained != (size[0] >= 70) {
			t.Errorf("%v: the steps are explained: %v", size, explained)
		}
	}
}

func TestPage_EnterImports(t *testing.T) {
	p, c := newPage(welcome.Options{Imports: true}, 80, 24)
	enter := command(t, p, "import")
	if !slices.Equal(enter.Keys(), []string{"enter"}) || !enter.IsOffered() {
		t.Errorf("offered is %+v", enter)
	}
	enter.Do()
	if got := c.Posted(); !slices.Equal(got, []any{welcome.AskImport{}}) {
		t.Errorf("posted is %v", got)
	}
	p, _ = newPage(welcome.Options{}, 80, 24)
	if command(t, p, "import").IsOffered() || strings.Contains(uitest.Text(p.View()), "import an export") {
		t.Error("an import is offered where there is none")
	}
}

func command(t *testing.T, p *welcome.Page, id string) ui.Command {
	t.Helper()
	for _, c := range p.Commands() {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no command %s", id)
	return ui.Command{}
}

// lookingPage returns a page that has found n places.
func lookingPage(t *testing.T, n, width, height int) (*welcome.Page, *ui.Context) {
	t.Helper()
	looks := 0
	look := func(context.Context) (all []welcome.Found, err error) {
		looks++
		for i := range n {
			name := fmt.Sprintf("Tool %d", i)
			all = append(all, welcome.Found{Name: name, Path: "/h/" + name, Shown: "~/" + name + "\x1b]0;evil\x07", Facts: "212 files"})
		}
		return all, nil
	}
	p, c := newPage(welcome.Options{Archive: "~/lens.db", Imports: true, Look: look}, width, height)
	if p.Requests() != nil {
		t.Fatal("it looks while it is hidden")
	}
	p.SetShown(true)
	p.Update(p.Requests()())
	if p.Requests() != nil || looks != 1 {
		t.Errorf("it looked %d times", looks)
	}
	return p, c
}

func TestPage_OffersWhatIsOnTheMachine(t *testing.T) {
	p, c := lookingPage(t, 2, 120, 24)
	uitest.MustShow(t, p.View(), "On this machine, by name and size", "Tool 0", "~/Tool 1␛]0;evil␇", "212 files",
		"i                           import what is on this machine", "enter", "lens demo")
	command(t, p, "found").Do()
	menu := c.Posted()[0].(dialog.Open).Dialog
	menu.SetSize(120, 24)
	uitest.MustShow(t, menu.View(), "Both")
	for _, pressed := range uitest.Keys("enter") {
		menu.Update(pressed)
	}
	if got := c.Posted(); len(got) != 1 || !slices.Equal(got[0].(welcome.Import).Paths, []string{"/h/Tool 0", "/h/Tool 1"}) {
		t.Errorf("all: posted is %v", got)
	}
	command(t, p, "found").Do()
	menu = c.Posted()[0].(dialog.Open).Dialog
	for _, pressed := range uitest.Keys("down down enter") {
		menu.Update(pressed)
	}
	if got := c.Posted(); len(got) != 1 || !slices.Equal(got[0].(welcome.Import).Paths, []string{"/h/Tool 1"}) {
		t.Errorf("one: posted is %v", got)
	}
}

func TestPage_FoundFitsItsSize(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 20}, {59, 10}, {40, 6}} {
		p, _ := lookingPage(t, 9, size[0], size[1])
		uitest.MustFill(t, p.View(), size[0], size[1])
		if size[1] >= 10 {
			uitest.MustShow(t, p.View(), "Tool 0", "lens demo")
		}
		if all := strings.Contains(uitest.Text(p.View()), "Tool 8"); all != (size[1] >= 20) || all == strings.Contains(uitest.Text(p.View()), " of 9") {
			t.Errorf("%v: all are shown: %v\n%s", size, all, uitest.Text(p.View()))
		}
	}
}

func TestPage_OffersServers(t *testing.T) {
	asked := 0
	servers := func(context.Context) []string {
		asked++
		return []string{"Ollama answers at http://127.0.0.1:11434/v1: for chat llama3.2\x1b[31m. To use it, set OPENAI_BASE_URL=x."}
	}
	for _, size := range [][2]int{{120, 24}, {80, 24}, {40, 10}, {40, 6}} {
		asked = 0
		p, _ := newPage(welcome.Options{Archive: "~/lens.db", Servers: servers}, size[0], size[1])
		if p.Requests() != nil {
			t.Fatal("it asks while it is hidden")
		}
		p.SetShown(true)
		p.Update(p.Requests()())
		if p.Requests() != nil || asked != 1 {
			t.Errorf("it asked %d times", asked)
		}
		uitest.MustFill(t, p.View(), size[0], size[1])
		text := strings.Join(strings.Fields(uitest.Text(p.View())), " ")
		shown := strings.Contains(text, "for chat llama3.2␛[31m. To use it, set OPENAI_BASE_URL=x.")
		if shown != (size[1] == 24) || size[1] >= 10 && !strings.Contains(text, "lens demo") {
			t.Errorf("%v: all is shown: %v\n%s", size, shown, uitest.Text(p.View()))
		}
	}
}

func TestPage_FindsNothing(t *testing.T) {
	for name, look := range map[string]func(context.Context) ([]welcome.Found, error){
		"nothing there": func(context.Context) ([]welcome.Found, error) { return nil, nil },
		"an error":      func(context.Context) ([]welcome.Found, error) { return []welcome.Found{{Name: "x"}}, errors.New("no") },
	} {
		p, _ := newPage(welcome.Options{Imports: true, Look: look}, 80, 24)
		p.SetShown(true)
		p.Update(p.Requests()())
		if command(t, p, "found").IsOffered() || !strings.Contains(uitest.Text(p.View()), "Settings, Data controls") {
			t.Errorf("%s: the page is\n%s", name, uitest.Text(p.View()))
		}
	}
	p, _ := newPage(welcome.Options{Imports: true}, 80, 24)
	if p.SetShown(true); p.Requests() != nil {
		t.Error("it looks although it may not")
	}
}
