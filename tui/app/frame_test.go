package app

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"lens/retrieval"
	"lens/tui/lock"
	"lens/tui/ui/uitest"
)

// mustFill fails unless the frame has exactly the size of the screen, by every way of counting cells.
func (d *driver) mustFill(t interface{ Fatalf(string, ...any) }) {
	content := d.View().Content
	lines := strings.Split(content, "\n")
	if len(lines) != d.height {
		t.Fatalf("%d lines on a screen of %d:\n%s", len(lines), d.height, ansi.Strip(content))
	}
	for _, line := range lines {
		if n, wc := ansi.StringWidth(line), ansi.StringWidthWc(line); n > d.width || n != wc {
			t.Fatalf("a line has %d cells by clusters, %d by runes, of %d: %q", n, wc, d.width, line)
		}
	}
	d.mustHoldItsPanes(t)
}

// mustHoldItsPanes fails if a pane exceeds the screen, overlaps another, or has a line of the wrong width, which
// would shift the panes to its right.
func (d *driver) mustHoldItsPanes(t interface{ Fatalf(string, ...any) }) {
	taken := map[[2]int]string{}
	for _, p := range d.frame() {
		if p.at.x < 0 || p.at.y < 0 || p.at.x+p.at.w > d.width || p.at.y+p.at.h > d.height || len(p.lines) != p.at.h {
			t.Fatalf("%s with %d lines at %v on a screen of %dx%d", p.id, len(p.lines), p.at, d.width, d.height)
		}
		for y, line := range p.lines {
			if n := ansi.StringWidth(line); n != p.at.w {
				t.Fatalf("%s is %d wide and has a line of %d: %q", p.id, p.at.w, n, line)
			}
			for x := range p.at.w {
				cell := [2]int{p.at.x + x, p.at.y + y}
				if other, ok := taken[cell]; ok && !p.over {
					t.Fatalf("%s lies on %s", p.id, other)
				}
				taken[cell] = p.id
			}
		}
	}
}

// Random keys at random sizes never panic, and every frame fills the screen exactly.
func TestFrame_AnyKeysAtAnySize(t *testing.T) {
	letters := strings.Split("hlwbgGnNvioHL[]a0%jkmJKuUzT/?12345aceloprt+-<>EIBCFxsfdy.:", "")
	all := append(letters, "enter", "enter", "tab", "esc", "backspace", "space", "/")
	all = append(all, strings.Fields("shift+tab up down left right shift+left shift+right home end pgup pgdown delete "+
		"ctrl+c ctrl+d ctrl+u ctrl+n ctrl+x ctrl+w ctrl+k ctrl+l ctrl+z alt+b alt+f")...)
	rapid.Check(t, func(t *rapid.T) {
		e := newFake(rapid.SampledFrom([]int{0, 1, 2, 40, 250}).Draw(t, "turns"))
		e.before = func(context.Context, string) error {
			if rapid.IntRange(0, 19).Draw(t, "fault") == 0 {
				return fmt.Errorf("a fault that takes a rather long sentence to be explained to a person")
			}
			return nil
		}
		v := &easyVault{}
		d := drive(everything(e, v), rapid.IntRange(1, 150).Draw(t, "width"), rapid.IntRange(1, 50).Draw(t, "height"))
		d.mustFill(t)
		for range rapid.IntRange(1, 25).Draw(t, "presses") {
			switch rapid.IntRange(0, 9).Draw(t, "event") {
			case 0:
				d.send(tea.WindowSizeMsg{Width: rapid.IntRange(1, 150).Draw(t, "width"), Height: rapid.IntRange(1, 50).Draw(t, "height")})
			case 1:
				if v.locked = rapid.IntRange(0, 4).Draw(t, "lock") == 0; v.locked {
					d.ui.Post(lock.Locked{})
					d.send(nil)
				}
			case 2:
				d.search(rapid.SampledFrom([]string{"cancel", "apple", "トマト", "zzz"}).Draw(t, "query"))
			default:
				d.send(uitest.Key(rapid.SampledFrom(all).Draw(t, "key")))
			}
			d.mustFill(t)
		}
	})
}

// easyVault unlocks with any PIN.
type easyVault struct{ locked bool }

func (v *easyVault) Unlock(context.Context, string) error { v.locked = false; return nil }
func (v *easyVault) Lock() error                          { v.locked = true; return nil }

// everything returns an explorer with every option set.
func everything(e *fakeEngine, v *easyVault) Options {
	return Options{
		Archive: &fakeArchive{open: func(context.Context) (Engine, error) {
			if v.locked {
				return nil, errLocked
			}
			return e, nil
		}},
		Lock: Lock{Vault: v}, Offline: true, Paths: Paths{Log: "/data/lens.log", Archive: "/data"},
		Storage: stores(func(context.Context, uuid.UUID, uuid.UUID) (string, error) { return `{"a": [1, "b"]}`, nil }),
		Jobs: &fakeJobs{imports: func(string) Work {
			return Work{Name: "importing", Do: func(context.Context, func(done, total int64)) (string, error) { return "imported", nil }}
		}},
	}
}

// hostile are texts that have broken other programs. Each contains "mark", to check that it is shown.
var hostile = []string{
	"mark\x1b]52;c;cm0gLXJmIC8=\x07", "mark\x1b]0;owned\x07", "mark\x1b]8;;file:///etc/passwd\x1b\\link\x1b]8;;\x1b\\", "mark\x1bPq#0;2;0;0;0\x1b\\",
	"mark\x1b[6n\x1b[c", "mark\u009b2J\u009d0;x\u009c", "mark\x1b]0;never ends", "mark\u202egnp.exe\u202c", "mark\u2066\u2069\u200f", "mark\u200b\u200d\u2060\ufeff",
	"mark\U000e0041\U000e0042\U000e007f", "mark" + strings.Repeat("x", 1<<20), "mark\x00\x01\x02", "mark\xff\xfe\xed\xa0\x80", "mark\r\rover\b\b\b",
	"mark\t\ttabs\v\f", "mark👩\u200d🚀👍🏽🇩🇪✍\ufe0f", "mark क्षि ﾊﾟ กำ", "mark" + strings.Repeat("\u0301", 5000), "mark &#27;]52;c;YQ==&#7; &rlm; &#x202e;",
	"mark <script>\x1b[31m</script>", "```\nmark\x1b[2J\n```", "mark [x](javascript:alert(1)) ![y](file:///z)",
}

func TestFrame_HostileTextKeepsTheLayout(t *testing.T) {
	for _, size := range sizes[:3] {
		for i, text := range hostile {
			if text = abridged(text); len(text) > 1<<14 && size.w != 80 {
				continue // slow, and the same
			}
			t.Run(fmt.Sprintf("%dx%d-%d", size.w, size.h, i), func(t *testing.T) {
				turns := 12
				if len(text) > 1<<10 {
					turns = 1 // each is opened
				}
				e := newFake(turns)
				for j := range e.turns {
					e.turns[j].Title, e.turns[j].User, e.turns[j].Assistant, e.turns[j].Model = text, text, text, text
				}
				d := explore(e, size.w, size.h).search("mark")
				d.mustBeHarmless(t)
				d.keys("2 enter")
				d.mustShow(t, "mark")
				d.mustBeHarmless(t)
				d.keys("m")
				d.mustBeHarmless(t)
				d.keys("G")
				d.mustBeHarmless(t)
			})
		}
	}
}

// mustBeHarmless fails if a frame has control sequences other than line ends and colors, or bidi or invisible
// characters.
func (d *driver) mustBeHarmless(t *testing.T) {
	t.Helper()
	d.mustFill(t)
	rest := d.View().Content
	for rest != "" {
		seq, _, n, _ := ansi.DecodeSequence(rest, ansi.NormalState, nil)
		rest = rest[n:]
		if strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m") {
			continue
		}
		for _, r := range seq {
			if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r >= 0xe0000 && r <= 0xe007f) {
				t.Fatalf("%q is on the screen", seq)
			}
		}
	}
}

func BenchmarkView(b *testing.B) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			d := explore(newFake(3000), size[0], size[1]).search("cancel").keys("2 enter")
			for b.Loop() {
				if d.View().Content == "" {
					b.Fatal("the screen is empty")
				}
			}
		})
	}
}

func BenchmarkZoomStep(b *testing.B) {
	d := explore(newFake(3000), 120, 40).search("cancel")
	b.ResetTimer()
	for b.Loop() {
		d.keys("h l")
		_ = d.View()
	}
}

var _ Engine = (*retrieval.Engine)(nil)
