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
	"strings"

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
	Name   Name
	Shaded bool // there is no color for the area: it is drawn with a glyph

	Dim       Style       // secondary text
	Faint     Style       // what is hardly read: the grid, the months of an axis
	Rule      Style       // lines between panes
	Bold      Style       // pane titles, who speaks
	Key       Style       // keys in hints
	Accent    Style       // the prompt, what is chosen
	Bar       Style       // bars of a histogram
	Lines     [6]Style    // of several queries
	Selected  Style       // the bars under the cursor or the brush, and the rail
	Faded     Style       // bars of bins that are only partly in view, and of superseded results
	Area      Style       // all turns, behind the bars
	Ground    Style       // a background in the color of the area
	Overlay   Style       // the ground of a dialog
	Levels    [5]Style    // of a heat map: none, and four quarters
	Chosen    [5]Style    // the same, of what is chosen
	grounds   [2][5]Style // both as grounds, below the half of a cell
	Mark      Style       // the match that is read, on the rail
	You       Style       // the name of who asked
	Cursor    Style       // the row under the cursor of a list
	Row       Style       // the ground of the row under the cursor, behind what it says
	Selection Style       // text that the next letter replaces
	Hit       Style       // words of the query
	Code      Style       // inside a sentence
	Listing   Style       // a block of code, on a ground of its own if there is color
	Syntax    [5]Style    // in such a block: keywords, texts, numbers, comments, calls
	OK        Style
	Warn      Style
	Error     Style

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
	p := palette{pick: lipgloss.Complete(profile), light: name == Light}
	t.Shaded = t.Shaded || profile < colorprofile.ANSI256
	usual := styled(lipgloss.NewStyle())
	if !t.Shaded {
		t.Dim = usual.in(p.color(tone{"7", "248", "#a2a2aa"}, tone{"8", "240", "#5a5a62"}))
		t.Faint = usual.in(p.color(tone{"8", "245", "#86868f"}, tone{"8", "242", "#6e6e78"}))
		t.Rule = usual.in(p.color(tone{"8", "237", "#3a3a42"}, tone{"7", "252", "#cfcfd6"}))
		t.Overlay = usual.over(p.color(tone{"0", "234", "#1b1d21"}, tone{"15", "231", "#ffffff"}))
		t.Ground = usual.over(p.color(tone{"8", "236", "#2e333b"}, tone{"7", "254", "#e1e6ec"}))
	}
	bar := p.color(tone{"6", "74", "#6fa3cc"}, tone{"4", "67", "#3577a8"})
	accent := p.color(tone{"3", "215", "#f0a94b"}, tone{"3", "130", "#b85c00"})
	t.Key = t.Key.in(accent)
	t.Bar, t.Accent, t.Selected = t.Bar.in(bar), t.Accent.in(accent), t.Selected.in(accent)
	t.Faded = usual.in(p.color(tone{"6", "67", "#557a97"}, tone{"4", "110", "#709ec1"}))
	t.Area = usual.in(p.color(tone{"8", "236", "#2e333b"}, tone{"7", "254", "#e1e6ec"}))
	if name == ASCII { // thin glyphs in a dark color are lost
		t.Faded, t.Area = t.Bar, t.Faint
	}
	t.Levels, t.Chosen = p.heat(&t)
	for i := range t.Levels {
		t.grounds[0][i] = usual.over(t.Levels[i].look.GetForeground())
		t.grounds[1][i] = usual.over(t.Chosen[i].look.GetForeground())
	}
	t.Mark = t.Mark.in(p.color(tone{"11", "223", "#ffdf9e"}, tone{"5", "125", "#a32d6b"}))
	t.You = usual.in(p.color(tone{"2", "115", "#86c3a4"}, tone{"2", "29", "#1f7a52"}))
	t.Lines = [6]Style{
		t.Bar,
		t.Lines[1].in(p.color(tone{"5", "175", "#d98fb0"}, tone{"5", "132", "#b0457a"})),
		t.Lines[2].in(p.color(tone{"2", "108", "#8fbf7f"}, tone{"2", "65", "#3f8a3a"})),
		t.Lines[3].in(p.color(tone{"6", "140", "#b39ae0"}, tone{"6", "61", "#6d4fc0"})),
		t.Lines[4].in(p.color(tone{"3", "73", "#58b7b0"}, tone{"3", "30", "#0f8079"})),
		t.Lines[5].in(p.color(tone{"1", "179", "#cdb37a"}, tone{"1", "94", "#8a6a1a"})),
	}
	p.inkCode(&t)
	t.Hit = t.Hit.in(p.color(tone{"3", "223", "#ffdf9e"}, tone{"3", "58", "#4a3200"}))
	if !t.Shaded {
		t.Row = usual.over(p.color(tone{"8", "235", "#26292f"}, tone{"7", "255", "#eef2f6"}))
		t.Hit = usual.in(p.color(tone{"3", "223", "#ffdf9e"}, tone{"3", "58", "#4a3200"})).
			over(p.color(tone{"3", "58", "#4a3b17"}, tone{"11", "229", "#ffe7a3"}))
	}
	t.OK, t.Warn = t.You, usual.in(accent)
	t.Error = t.Error.in(p.color(tone{"1", "174", "#e07a72"}, tone{"1", "124", "#b3322a"}))
	return t
}

// inkCode sets the styles of code of a theme that has its other colors.
func (p palette) inkCode(t *Theme) {
	usual := styled(lipgloss.NewStyle())
	code := p.color(tone{"", "235", "#202328"}, tone{"", "255", "#eff1f4"})
	// On that ground, light inks are a tenth darker than elsewhere, for the same contrast.
	call := p.color(tone{"6", "74", "#6fa3cc"}, tone{"4", "67", "#2f6994"})
	text := p.color(tone{"2", "115", "#86c3a4"}, tone{"2", "29", "#1c6e4a"})
	purple := p.color(tone{"6", "140", "#b39ae0"}, tone{"6", "61", "#6d4fc0"})
	number := p.color(tone{"3", "179", "#cdb37a"}, tone{"3", "94", "#7c5f17"})
	t.Code = usual.in(call)
	t.Syntax = [5]Style{
		usual.in(purple), usual.in(text), usual.in(number), t.Dim.italic(), usual.in(call),
	}
	if !t.Shaded {
		t.Code, t.Listing = t.Code.over(code), usual.over(code)
		for i := range t.Syntax {
			t.Syntax[i] = t.Syntax[i].over(code)
		}
	}
}

// heat has the colors of a heat map, dark and light: none, and four quarters.
var heat = [5][2]tone{
	{{"8", "236", "#26292f"}, {"7", "254", "#ebedf0"}},
	{{"4", "24", "#264a63"}, {"4", "152", "#b9d5ea"}},
	{{"4", "31", "#34698c"}, {"4", "110", "#7fb1d6"}},
	{{"12", "74", "#4f8fba"}, {"4", "67", "#4488bb"}},
	{{"15", "117", "#86c4f0"}, {"0", "24", "#1a5a8a"}},
}

// chosenHeat has those of the quarters of what is chosen: more and more of the accent.
var chosenHeat = [4][2]tone{
	{{"3", "94", "#6e4f29"}, {"3", "223", "#e6c49e"}},
	{{"3", "136", "#9a6d34"}, {"3", "180", "#d9a266"}},
	{{"3", "172", "#c58b40"}, {"3", "172", "#c97b2b"}},
	{{"3", "215", "#f0a94b"}, {"3", "130", "#b85c00"}},
}

// heat returns the levels of a heat map, and those of what is chosen, of a theme that has its other colors.
func (p palette) heat(t *Theme) (levels, chosen [5]Style) {
	usual := styled(lipgloss.NewStyle())
	for i, level := range heat {
		levels[i], chosen[i] = usual.in(p.color(level[0], level[1])), t.Selected
		if t.Shaded {
			chosen[i] = t.Chosen[i].in(t.Selected.look.GetForeground())
		}
	}
	if t.Name == ASCII {
		levels = [5]Style{t.Faint, t.Bar, t.Bar, t.Bar, t.Bar}
	}
	if !t.Shaded {
		chosen[0] = levels[0] // a week without turns stays empty when it is chosen
		for i, level := range chosenHeat {
			chosen[i+1] = t.Selected.in(p.color(level[0], level[1]))
		}
	}
	return levels, chosen
}

// Heat draws a cell of a heat map, for a level from 0 to 4. A narrow one has its neighbors right beside it. Without
// color, levels differ by their glyphs.
func (t Theme) Heat(level int, narrow, chosen bool) string {
	style, glyph := t.Levels[level], t.Glyphs.Heat[level]
	if chosen {
		style = t.Chosen[level]
	}
	if !t.Shaded {
		glyph = t.Glyphs.Cell[0]
		if narrow {
			glyph = t.Glyphs.Cell[1]
		}
	}
	return style.Render(glyph)
}

// Shade is the look of a cell of a heat map: its level from 0 to 4, negative where there is no cell, and whether it is
// chosen.
type Shade struct {
	Level  int
	Chosen bool
}

// HeatHalves draws two cells of a heat map, one above the other, in width cells of one line. It needs color.
func (t Theme) HeatHalves(upper, lower Shade, width int) string {
	glyph, look := t.Glyphs.Halves[0], upper
	switch {
	case upper.Level < 0 && lower.Level < 0:
		return strings.Repeat(" ", width)
	case upper.Level < 0:
		glyph, look = t.Glyphs.Halves[1], lower
	}
	style, ground := t.Levels[look.Level], ""
	if look.Chosen {
		style = t.Chosen[look.Level]
	}
	if upper.Level >= 0 && lower.Level >= 0 {
		grounds := t.grounds[0]
		if lower.Chosen {
			grounds = t.grounds[1]
		}
		ground = grounds[lower.Level].Before
	}
	return ground + style.Render(strings.Repeat(glyph, width))
}

// palette picks the colors of a theme for a terminal.
type palette struct {
	pick  lipgloss.CompleteFunc
	light bool
}

// tone is one color, for terminals of 16, of 256 and of all colors.
type tone struct{ ansi, ansi256, exact string }

func (p palette) color(dark, light tone) color.Color {
	c := dark
	if p.light {
		c = light
	}
	return p.pick(lipgloss.Color(c.ansi), lipgloss.Color(c.ansi256), lipgloss.Color(c.exact))
}

// plain returns a theme without colors.
func plain(name Name) Theme {
	plain := lipgloss.NewStyle()
	usual, faint, bold := styled(plain), styled(plain.Faint(true)), styled(plain.Bold(true))
	chosen := styled(plain.Bold(true).Underline(true)) // of a shaded cell, bold cannot be seen
	t := Theme{
		Name:      name,
		Shaded:    name == Mono || name == ASCII,
		Dim:       faint,
		Faint:     faint,
		Rule:      faint,
		Bold:      bold,
		Key:       bold,
		Accent:    bold,
		Bar:       usual,
		Lines:     [6]Style{usual, usual, usual, usual, usual, usual},
		Selected:  bold,
		Levels:    [5]Style{faint, faint, faint, faint, faint},
		Chosen:    [5]Style{chosen, chosen, chosen, chosen, chosen},
		Faded:     faint,
		Area:      faint,
		Mark:      bold,
		You:       bold,
		Cursor:    bold,
		Selection: styled(plain.Reverse(true)),
		Hit:       styled(plain.Underline(true)),
		Code:      bold,
		Listing:   usual,
		Syntax:    [5]Style{usual, usual, usual, faint, usual},
		OK:        usual,
		Warn:      usual,
		Error:     bold,
		Glyphs:    unicode,
	}
	if name == ASCII {
		t.Glyphs = ascii
	}
	return t
}
