package app

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
)

var sizes = []struct{ w, h int }{{120, 40}, {80, 24}, {59, 14}, {39, 7}}

// story is the state in the goldens: a query, a brush, and an open turn.
const story = "1 g n n v l l l"

func themed(name string, w, h int) *driver {
	d := explore(newFake(1200), w, h)
	for string(d.ui.Theme.Name) != name {
		d.keys("T t")
	}
	d.footer.Say("")
	return d
}

func TestScreens(t *testing.T) {
	for _, size := range sizes {
		for _, theme := range []string{"dark", "mono", "ascii"} {
			t.Run(fmt.Sprintf("%dx%d-%s", size.w, size.h, theme), func(t *testing.T) {
				d := themed(theme, size.w, size.h).search("cancel").keys(story)
				content := d.drawn()
				if theme != "dark" {
					content = ansi.Strip(content)
				}
				golden.RequireEqual(t, content)
			})
		}
	}
}

func TestScreens_States(t *testing.T) {
	for name, c := range map[string]struct {
		w, h int
		keys string
	}{
		"activity of everything":     {100, 24, ""},
		"no match in this window":    {100, 24, "search:zzz 1 g enter"},
		"a turn on a small screen":   {59, 14, "search:lentils 2 enter"},
		"a maximized turn":           {80, 24, "search:tokio 2 enter z"},
		"the list on a small screen": {46, 12, "search:cancel 2 j"},
		"the least screen":           {40, 8, "search:cancel 1"},
		"share of all turns":         {100, 24, "search:apple 1 %"},
		"hours":                      {120, 30, "search:cancel 1 g n enter n enter"},
		"a line":                     {100, 24, "search:apple 1 C"},
		"info":                       {120, 40, "search:cancel 5"},
		"info in a tab":              {80, 24, "search:cancel 5"},
		"info on a small screen":     {59, 14, "search:cancel 5"},
		"a chord":                    {80, 24, "search:cancel T"},
		"help":                       {120, 40, "?"},
		"help scrolled":              {80, 24, "? down down down"},
	} {
		t.Run(name, func(t *testing.T) {
			d := themed("dark", c.w, c.h)
			if m := regexp.MustCompile(`^search:(\S+) (.*)`).FindStringSubmatch(c.keys); m != nil {
				d.search(m[1]).keys(m[2])
			} else {
				d.keys(c.keys)
			}
			golden.RequireEqual(t, d.screen())
		})
	}
}

func TestTheme_NoColor(t *testing.T) {
	color := regexp.MustCompile(`\x1b\[[0-9;]*\b(3[0-8]|4[0-8]|9[0-7])\b`)
	d := themed("mono", 120, 40).search("cancel").keys(story)
	if found := color.FindString(d.drawn()); found != "" {
		t.Errorf("mono draws in color: %q", found)
	}
	if d := themed("dark", 120, 40); !color.MatchString(d.drawn()) {
		t.Error("dark draws without color: this test finds nothing")
	}
}

func TestTheme_ASCIIOnly(t *testing.T) {
	d := themed("ascii", 120, 40).search("garden").keys(story)
	d.search("apple").keys(story)
	for _, r := range d.screen() {
		if r > 126 {
			t.Fatalf("%q is drawn:\n%s", r, d.screen())
		}
	}
}

func TestScreens_Dialogs(t *testing.T) {
	for name, keys := range map[string]string{"palette": ": m a x", "filters": "f", "copy": "Y", "question": "1 t 2 0 enter", "bookmarks": "b enter B"} {
		for _, size := range sizes[:3] {
			t.Run(fmt.Sprintf("%s %dx%d", name, size.w, size.h), func(t *testing.T) {
				d := themed("dark", size.w, size.h).search("reqwest").keys("2 " + keys)
				d.mustFill(t)
				golden.RequireEqual(t, ansi.Strip(d.drawn()))
			})
		}
	}
}

func TestScreens_Comparison(t *testing.T) {
	for name, keys := range map[string]string{"rows": "", "lines": "C"} {
		for _, size := range sizes[:3] {
			t.Run(fmt.Sprintf("%s %dx%d", name, size.w, size.h), func(t *testing.T) {
				d := themed("dark", size.w, size.h).search("lentils").keys("1 p enter").search("apple").keys("1 p enter g n n " + keys)
				d.footer.Say("")
				d.mustFill(t)
				golden.RequireEqual(t, ansi.Strip(d.drawn()))
			})
		}
	}
}
