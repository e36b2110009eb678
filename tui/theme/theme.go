// Package theme has the semantic tokens of the explorer: colors by meaning, and the glyphs it draws with.
//
// The rules are:
//
//   - Text keeps the terminal's own foreground and background; a theme only accents.
//   - Color is never the only signal: a glyph, a word, bold or underline repeats it.
//   - A theme is an immutable value. Components draw with the one of the moment, ui.Context.Theme.
package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// Name names a theme.
type Name string

// The themes, in the order of Next.
const (
	Dark  Name = "dark"
	Light Name = "light"
	Mono  Name = "mono"  // no color: bold, faint, underline and reverse
	ASCII Name = "ascii" // Lens itself draws ASCII only
)

var names = []Name{Dark, Light, Mono, ASCII}

// Theme is a set of tokens.
type Theme struct {
	Name Name

	Dim      Style    // secondary text
	Bold     Style    // pane titles, who speaks
	Focus    Style    // the title of the focused pane
	Accent   Style    // keys in hints, the prompt
	Bar      Style    // bars of a histogram
	Lines    [4]Style // of several queries
	Selected Style    // the bars under the cursor or the brush, and the rail
	Faded    Style    // bars of bins that are only partly in view, and of superseded results
	Baseline Style    // all turns, behind the bars
	Cursor   Style    // the row under the cursor of a list
	Hit      Style    // words of the query
	OK       Style
	Warn     Style
	Error    Style

	Glyphs Glyphs
}

// Parse returns the theme with a name; false if there is none.
func Parse(name string) (Name, bool) {
	for _, n := range names {
		if string(n) == name {
			return n, true
		}
	}
	return "", false
}

// Next returns the theme after n.
func (n Name) Next() Name {
	for i, known := range names {
		if n == known {
			return names[(i+1)%len(names)]
		}
	}
	return Dark
}

// New returns a theme for a terminal with a color profile. With 16 colors it picks them by meaning, not by distance.
func New(name Name, profile colorprofile.Profile) Theme {
	t := plain(name)
	if name == Mono {
		return t
	}
	pick := lipgloss.Complete(profile)
	shade := func(ansi, ansi256, dark, light string) color.Color {
		exact := dark
		if name == Light {
			exact = light
		}
		return pick(lipgloss.Color(ansi), lipgloss.Color(ansi256), lipgloss.Color(exact))
	}
	choose := func(dark, light string) string {
		if name == Light {
			return light
		}
		return dark
	}
	bar := shade(choose("6", "4"), choose("74", "24"), "#5fafd7", "#005f87")
	strong := shade("3", choose("214", "130"), "#ffaf00", "#af5f00")
	quiet := shade(choose("8", "7"), choose("240", "250"), "#6c6c6c", "#a8a8a8")
	t.Accent, t.Bar, t.Selected = t.Accent.in(bar), t.Bar.in(bar), t.Selected.in(strong)
	t.Faded = t.Faded.in(shade(choose("6", "4"), choose("66", "110"), "#48788f", "#7fa5b8"))
	t.Baseline = t.Baseline.in(quiet)
	t.Lines = [4]Style{
		t.Bar,
		t.Lines[1].in(shade("5", choose("176", "90"), "#d787d7", "#870087")),
		t.Lines[2].in(shade("2", choose("114", "28"), "#87d787", "#008700")),
		t.Lines[3].in(shade("1", choose("209", "124"), "#ff875f", "#af0000")),
	}
	t.Hit = t.Hit.in(shade("3", choose("221", "94"), "#ffd75f", "#875f00"))
	t.OK, t.Warn, t.Error = t.OK.in(lipgloss.Color("2")), t.Warn.in(lipgloss.Color("3")), t.Error.in(lipgloss.Color("1"))
	return t
}

// plain returns a theme without colors.
func plain(name Name) Theme {
	plain := lipgloss.NewStyle()
	usual, faint, bold := styled(plain), styled(plain.Faint(true)), styled(plain.Bold(true))
	t := Theme{
		Name:     name,
		Dim:      faint,
		Bold:     bold,
		Focus:    styled(plain.Bold(true).Reverse(true)),
		Accent:   bold,
		Bar:      usual,
		Lines:    [4]Style{usual, usual, usual, usual},
		Selected: bold,
		Faded:    faint,
		Baseline: faint,
		Cursor:   bold,
		Hit:      styled(plain.Underline(true)),
		OK:       usual,
		Warn:     usual,
		Error:    bold,
		Glyphs:   unicode,
	}
	if name == ASCII {
		t.Glyphs = ascii
	}
	return t
}
