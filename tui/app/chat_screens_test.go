package app

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
)

func TestScreens_Chat(t *testing.T) {
	for _, size := range sizes[:3] {
		for _, theme := range []string{"dark", "mono", "ascii"} {
			t.Run(fmt.Sprintf("%dx%d-%s", size.w, size.h, theme), func(t *testing.T) {
				e := newFake(1200)
				d := chatting(e, investigation(e), size.w, size.h)
				for string(d.ui.Theme.Name) != theme {
					d.keys("T t")
				}
				d.asks("When did I first cancel?").mustFill(t)
				content := d.drawn()
				if theme != "dark" {
					content = ansi.Strip(content)
				}
				golden.RequireEqual(t, content)
			})
		}
	}
}

func TestTheme_ASCIIOnlyInTheChat(t *testing.T) {
	e := newFake(1200)
	d := chatting(e, investigation(e), 120, 40)
	for d.ui.Theme.Name != "ascii" {
		d.keys("T t")
	}
	d.search("apple").asks("When did I first cancel?").keys("z")
	for _, line := range d.draw(paneChat, d.layout().at[paneChat]) {
		if strings.ContainsFunc(ansi.Strip(line), func(r rune) bool { return r > 126 }) {
			t.Errorf("drawn is %q", line)
		}
	}
}

func BenchmarkView_Chat(b *testing.B) {
	e := newFake(3000)
	d := chatting(e, investigation(e), 120, 40)
	for range 20 {
		d.asks("When did I first cancel?")
	}
	for b.Loop() {
		if d.View().Content == "" {
			b.Fatal("the screen is empty")
		}
	}
}
