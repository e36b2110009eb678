package footer_test

import (
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/colorprofile"

	"lens/tui/footer"
	"lens/tui/theme"
	"lens/tui/ui/uitest"
)

func newLine(width int, h footer.Hints) *footer.Line {
	l := footer.New(uitest.Context(theme.Dark))
	l.SetSize(width, 1)
	l.SetHints(h)
	return l
}

// bound returns a binding for the footer.
func bound(keys, does string) key.Binding {
	return key.NewBinding(key.WithKeys(keys), key.WithHelp(keys, does))
}

func text(l *footer.Line) string { return uitest.Text(l.View()) }

var pane = []key.Binding{bound("h l", "bin"), bound("enter", "zoom into the brush"), bound("v", "brush")}

func TestLine_NoticeBesideDialogThenRemarkThenKeys(t *testing.T) {
	h := footer.Hints{
		Dialog: []key.Binding{bound("enter", "select"), bound("esc", "close")},
		Remark: "filter: unknown",
		Pane:   pane,
		Help:   bound("?", "help"),
	}
	l := newLine(80, h)
	l.Say("Pinned")
	for _, want := range []string{
		"  enter select   esc close" + strings.Repeat(" ", 80-26-6-2) + "Pinned", "  enter select   esc close", "  filter: unknown",
		"  h l bin   enter zoom into the brush   v brush   ? help",
	} {
		if got := text(l); got != want {
			t.Errorf("shown is %q, not %q", got, want)
		}
		switch {
		case l.Notice() != "":
			l.Say("")
		case len(h.Dialog) > 0:
			h.Dialog = nil
		default:
			h.Remark = ""
		}
		l.SetHints(h)
	}
}

func TestLine_KeysThatFit(t *testing.T) {
	for width, want := range map[int]string{
		80: "  h l bin   enter zoom into the brush   v brush   ? help",
		57: "  h l bin   enter zoom into the brush   v brush   ? help", // exactly
		56: "  h l bin   enter zoom into the brush   ? help",
		40: "  h l bin   v brush   ? help", // what is too long is left out, not what follows it
		23: "  h l bin   ? help",
		9:  "  ? help",
		4:  "  ?…",
	} {
		l := newLine(width, footer.Hints{Pane: pane, Help: bound("?", "help")})
		if got := text(l); got != want {
			t.Errorf("in %d cells it shows %q, not %q", width, got, want)
		}
	}
}

// How to close a dialog is said on any screen.
func TestLine_LastKeyOfADialogHasRoom(t *testing.T) {
	h := footer.Hints{Dialog: []key.Binding{bound("tab", "complete"), bound("enter", "accept"), bound("esc", "close")}}
	for width, want := range map[int]string{
		44: "  tab complete   enter accept   esc close",
		40: "  tab complete   esc close",
		12: "  esc close",
	} {
		if got := text(newLine(width, h)); got != want {
			t.Errorf("in %d cells it shows %q, not %q", width, got, want)
		}
	}
}

func TestLine_KeysThatFitBesideANotice(t *testing.T) {
	for width, want := range map[int]string{
		60: "  h l bin   v brush   ? help               Copied 14 lines",
		44: "  h l bin   ? help         Copied 14 lines",
		28: "  ? help   Copied 14 lines",
		20: "   Copied 14 lines",
		13: "   Copied …",
	} {
		l := newLine(width, footer.Hints{Pane: pane, Help: bound("?", "help")})
		if l.Say("Copied 14 lines"); strings.TrimRight(text(l), " ") != want {
			t.Errorf("in %d cells it shows %q, not %q", width, text(l), want)
		}
	}
}

// Only a failure is red, and only until the next notice.
func TestLine_FailureIsRed(t *testing.T) {
	l := newLine(60, footer.Hints{Pane: pane})
	red := func() bool {
		return strings.Contains(l.View()[0], theme.New(theme.Dark, colorprofile.TrueColor).Error.Before)
	}
	if l.Fail("Couldn't save"); !red() {
		t.Error("a failure is not red")
	}
	if l.Say("Saved"); red() {
		t.Error("a notice is red")
	}
}

// A notice is not read as one more key.
func TestLine_NoticeHasAGround(t *testing.T) {
	l := newLine(60, footer.Hints{Pane: pane})
	l.Say("Saved")
	if ground := theme.New(theme.Dark, colorprofile.TrueColor).Row.Before; !strings.HasSuffix(l.View()[0], ground+" Saved \x1b[m ") {
		t.Errorf("it is %q", l.View()[0])
	}
	l = footer.New(uitest.Context(theme.Mono))
	l.SetSize(60, 1)
	if l.Say("Saved"); !strings.HasSuffix(l.View()[0], "\x1b[7m Saved \x1b[m ") {
		t.Errorf("without color it is %q", l.View()[0])
	}
}

func TestLine_DisabledKeysAreLeftOut(t *testing.T) {
	off := bound("x", "explode")
	off.SetEnabled(false)
	l := newLine(80, footer.Hints{Pane: []key.Binding{off, bound("v", "brush")}})
	if got := text(l); got != "  v brush" {
		t.Errorf("shown is %q", got)
	}
}

func TestLine_NeverOverflows(t *testing.T) {
	wide := []key.Binding{bound("世 界", "wählen"), bound("ctrl+shift+x", "eine lange Beschreibung"), bound("👩‍🚀", "fly")}
	for width := range 90 {
		for _, h := range []footer.Hints{
			{Pane: wide, Help: bound("?", "help")},
			{Dialog: wide},
			{Remark: strings.Repeat("wide 世界 ", 20)},
		} {
			uitest.MustFill(t, newLine(width, h).View(), width, 1)
		}
	}
}
