// Package theme holds the semantic tokens of the explorer: colours by what they mean, and the few glyphs it draws with.
//
// The rules are:
//
//   - Text has the terminal's own foreground and background: a theme only accents.
//   - Nothing is told by colour alone: whatever a colour says, a glyph, a word, bold or underline says too.
//   - A theme is a value without state. Panes get it as an argument and keep none.
package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// Name names a theme.
type Name string

// The themes, in the order in which Next goes round.
const (
	Dark  Name = "dark"
	Light Name = "light"
	Mono  Name = "mono"  // no colour: bold, faint, underline and reverse
	ASCII Name = "ascii" // no character beyond ASCII in what Lens draws itself
)

var names = []Name{Dark, Light, Mono, ASCII}

// Theme is a set of tokens.
type Theme struct {
	Name Name

	Dim      lipgloss.Style // what matters less
	Bold     lipgloss.Style // pane titles, who speaks
	Focus    lipgloss.Style // the title of the pane that gets the keys
	Accent   lipgloss.Style // keys in hints, the prompt
	Bar      lipgloss.Style // bars of a histogram
	Selected lipgloss.Style // the bars under the cursor or the brush, and the rail
	Faded    lipgloss.Style // bars of bins that are only partly in view, and of superseded results
	Baseline lipgloss.Style // marks of all turns behind the bars
	Cursor   lipgloss.Style // the row under the cursor of a list
	Hit      lipgloss.Style // words of the query
	OK       lipgloss.Style
	Warn     lipgloss.Style
	Error    lipgloss.Style

	Glyphs Glyphs
}

// Parse returns the theme of a name, false when there is none.
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

// New makes a theme for a terminal with so many colours: where there are but 16, the nearest by meaning are taken, not by distance.
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
	t.Accent, t.Bar, t.Selected = t.Accent.Foreground(bar), t.Bar.Foreground(bar), t.Selected.Foreground(strong)
	t.Faded = t.Faded.Foreground(shade(choose("6", "4"), choose("66", "110"), "#48788f", "#7fa5b8"))
	t.Baseline = t.Baseline.Foreground(quiet)
	t.Hit = t.Hit.Foreground(shade("3", choose("221", "94"), "#ffd75f", "#875f00"))
	t.OK, t.Warn, t.Error = t.OK.Foreground(lipgloss.Color("2")), t.Warn.Foreground(lipgloss.Color("3")), t.Error.Foreground(lipgloss.Color("1"))
	return t
}

// plain returns what a theme has besides colours.
func plain(name Name) Theme {
	style := lipgloss.NewStyle
	t := Theme{
		Name: name, Dim: style().Faint(true), Bold: style().Bold(true), Focus: style().Bold(true).Reverse(true), Accent: style().Bold(true),
		Selected: style().Bold(true), Faded: style().Faint(true), Baseline: style().Faint(true), Cursor: style().Bold(true),
		Hit: style().Underline(true), Error: style().Bold(true), Glyphs: unicode,
	}
	if name == ASCII {
		t.Glyphs = ascii
	}
	return t
}
