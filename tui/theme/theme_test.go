package theme_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
)

func TestNumber_Formats(t *testing.T) {
	for n, want := range map[int][2]string{
		0: {"0", "0"}, 999: {"999", "999"}, 1000: {"1,000", "1,000"}, 9999: {"9,999", "9,999"}, 12_400: {"12,400", "12.4k"},
		124_999: {"124,999", "124k"}, 1_250_000: {"1,250,000", "1.2M"}, -1234: {"-1,234", "-1,234"},
	} {
		if got := theme.Number(n); got != want[0] {
			t.Errorf("Number(%d) = %q", n, got)
		}
		if got := theme.Short(n); got != want[1] {
			t.Errorf("Short(%d) = %q", n, got)
		}
	}
	for share, want := range map[float64]string{0: "0%", 0.004: "0.4%", 0.0994: "9.9%", 0.0996: "10%", 0.26: "26%", 1: "100%"} {
		if got := theme.Percent(share); got != want {
			t.Errorf("Percent(%v) = %q", share, got)
		}
	}
	if got := theme.Count(1, "match", "matches") + ", " + theme.Count(0, "match", "matches"); got != "1 match, 0 matches" {
		t.Error(got)
	}
}

func TestFit_IsExact(t *testing.T) {
	th := theme.New(theme.Mono, colorprofile.ASCII)
	for _, s := range []string{"", "short", "a text that is too long", "世界世界世界世界", "\x1b[1mbold and too long\x1b[m"} {
		for width := range 12 {
			if got := ansi.StringWidth(th.Fit(s, width)); got != width {
				t.Errorf("Fit(%q, %d) has %d cells", s, width, got)
			}
			if got := ansi.StringWidth(th.Spread(s, "end", width)); got != width {
				t.Errorf("Spread(%q, %d) has %d cells", s, width, got)
			}
		}
	}
	if got := th.Spread("left", "right", 12); got != "left   right" {
		t.Errorf("%q", got)
	}
	if got := th.Remarks("", "a", "", "b"); got != "a · b" {
		t.Errorf("%q", got)
	}
}

func TestTheme_NextCyclesThroughNames(t *testing.T) {
	name := theme.Dark
	var seen []string
	for range 4 {
		seen = append(seen, string(name))
		if parsed, ok := theme.Parse(string(name)); !ok || parsed != name {
			t.Errorf("%s cannot be parsed", name)
		}
		name = name.Next()
	}
	if strings.Join(seen, " ") != "dark light mono ascii" || name != theme.Dark {
		t.Errorf("%v, then %s", seen, name)
	}
}

func TestTheme_SixteenColorsByMeaning(t *testing.T) {
	bar := theme.New(theme.Dark, colorprofile.ANSI).Bar.Render("x")
	if !strings.Contains(bar, "\x1b[36m") {
		t.Errorf("a bar is %q", bar)
	}
	if light := theme.New(theme.Light, colorprofile.ANSI).Bar.Render("x"); !strings.Contains(light, "\x1b[34m") {
		t.Errorf("on light it is %q", light)
	}
	if full := theme.New(theme.Dark, colorprofile.TrueColor).Bar.Render("x"); !strings.Contains(full, "38;2;111;163;204") {
		t.Errorf("in full color it is %q", full)
	}
}

// Each level of a heat map can be seen, and one without turns has none where it is chosen, too.
func TestHeat_IsLegible(t *testing.T) {
	th := theme.New(theme.ASCII, colorprofile.TrueColor)
	if got := th.Heat(1, false, false); got != th.Bar.Render(":") {
		t.Errorf("in ASCII, few are %q", got)
	}
	if got := th.Heat(0, false, false); got != th.Faint.Render(".") {
		t.Errorf("in ASCII, none are %q", got)
	}
	for _, th := range []theme.Theme{
		theme.New(theme.Mono, colorprofile.TrueColor), theme.New(theme.ASCII, colorprofile.ASCII),
		theme.New(theme.Dark, colorprofile.ASCII), theme.New(theme.Dark, colorprofile.ANSI),
	} {
		if got := th.Heat(3, false, true); !strings.Contains(got, "\x1b[1;4") {
			t.Errorf("%s: without shades of a color, what is chosen is %q, without a line below it", th.Name, got)
		}
	}
	if got := theme.New(theme.Mono, colorprofile.ASCII).Heat(4, false, false); got != "\x1b[2m█\x1b[m" {
		t.Errorf("without color, what is not chosen is as bright as what is: %q", got)
	}
	for _, name := range []theme.Name{theme.Dark, theme.Light} {
		th := theme.New(name, colorprofile.TrueColor)
		if th.Heat(0, false, true) != th.Heat(0, false, false) || th.Heat(1, false, true) == th.Heat(1, false, false) {
			t.Errorf("%s: what is chosen does not tell none from few", name)
		}
		looks := map[string]bool{}
		for level := range 5 {
			looks[th.Heat(level, false, true)] = true
		}
		if len(looks) != 5 {
			t.Errorf("%s: what is chosen has %d levels of heat", name, len(looks))
		}
	}
}

func TestGlyphs_AreOneCell(t *testing.T) {
	for _, name := range []theme.Name{theme.Dark, theme.ASCII} {
		g := theme.New(name, colorprofile.ASCII).Glyphs
		all := []string{g.Vertical, g.Horizontal, g.Doing, g.Found, g.Near, g.Worded, g.Separator, g.Dash, g.Path, g.Pointer}
		for _, glyph := range all {
			if ansi.StringWidth(glyph) != 1 || ansi.StringWidthWc(glyph) != 1 || name == theme.ASCII && glyph[0] > 126 {
				t.Errorf("%s: %q", name, glyph)
			}
		}
	}
}

// What is behind a line stays behind its styles, and ends with it.
func TestStyle_Under(t *testing.T) {
	th := theme.New(theme.Dark, colorprofile.TrueColor)
	line := th.Bold.Render("bold") + " plain " + th.Hit.Render("hit") + " end"
	under := th.Row.Under(line)
	if ansi.Strip(under) != ansi.Strip(line) {
		t.Errorf("the text is %q", ansi.Strip(under))
	}
	const ground = "48;2;38;41;47m"
	for _, before := range []string{"\x1b[1mbold", " plain", " end"} {
		if at := strings.Index(under, before); !strings.HasSuffix(under[:at], ground) {
			t.Errorf("before %q is %q", before, under[:at])
		}
	}
	if !strings.HasSuffix(under, "\x1b[m") {
		t.Errorf("it goes on behind %q", under)
	}
	if none := theme.New(theme.Mono, colorprofile.TrueColor); none.Row.Under(line) != line {
		t.Error("without color, the line changes")
	}
}

// Two cells in one line have both of their colors, and one without the other has no ground.
func TestHeatHalves_HaveBothColors(t *testing.T) {
	th := theme.New(theme.Dark, colorprofile.TrueColor)
	none := theme.Shade{Level: -1}
	for _, c := range []struct {
		upper, lower theme.Shade
		text         string
		has, lacks   string
	}{
		{none, none, "  ", "", "\x1b"},
		{theme.Shade{Level: 1}, none, "▀▀", "38;2;38;74;99", "48;"},
		{none, theme.Shade{Level: 1}, "▄▄", "38;2;38;74;99", "48;"},
		{theme.Shade{Level: 1}, theme.Shade{Level: 4}, "▀▀", "48;2;134;196;240", ""},
		{theme.Shade{Level: 1}, theme.Shade{Level: 4, Chosen: true}, "▀▀", "48;2;240;169;75", ""},
	} {
		got := th.HeatHalves(c.upper, c.lower, 2)
		if ansi.Strip(got) != c.text || !strings.Contains(got, c.has) || c.lacks != "" && strings.Contains(got, c.lacks) {
			t.Errorf("%v over %v is %q", c.upper, c.lower, got)
		}
	}
}
