package chart

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func curveOf(width, rows int, values ...float64) Curve {
	c := Curve{Columns: Equal(len(values), width), Glyphs: &Unicode, Bars: make([]Bar, len(values))}
	for i, v := range values {
		c.Bars[i] = Bar{Value: v}
		c.Scale.Top = max(c.Scale.Top, v)
	}
	c.Scale.Rows = rows
	return c
}

func TestCurve_GoesStraightFromMiddleToMiddle(t *testing.T) {
	got := strings.Join(curveOf(12, 3, 0, 12, 0).Draw(), "\n")
	want := "     ⣴⣦     \n   ⢀⣾⣿⣿⣷⡀   \n⣀⣀⣠⣿⣿⣿⣿⣿⣿⣄⣀⣀"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestCurve_InkTellsTheCursorAndTheEdge(t *testing.T) {
	c := curveOf(12, 3, 0, 12, 0)
	c.Bars[1].Chosen = true
	c.Styles = BarStyles{
		Plain: Style{"p", ""}, Chosen: Style{"c", ""}, Faded: Style{"f", ""}, Grid: Style{"g", ""},
	}
	if got := c.Draw()[2]; got != "g⣀⣀p⣠f⣿c⣿⣿⣿⣿f⣿p⣄g⣀⣀" {
		t.Errorf("the last line is %q", got)
	}
}

// Any curve fills its rectangle, and says how high it is.
func TestCurve_FillsItsRectangle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0, 1000), 0, 200).Draw(t, "values")
		width, rows := rapid.IntRange(1, 120).Draw(t, "width"), rapid.IntRange(1, 16).Draw(t, "rows")
		c := curveOf(width, rows, values...)
		lines := c.Draw()
		for _, line := range lines {
			if n := utf8.RuneCountInString(line); n != width {
				t.Fatalf("a line has %d cells of %d", n, width)
			}
		}
		for x, covered := range c.Covered() {
			if covered < 0 || covered > rows || len(lines) != rows {
				t.Fatalf("column %d has %d lines of %d", x, covered, rows)
			}
		}
	})
}
