package app

import (
	"bytes"
	"fmt"
	"regexp"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
)

// profiled renders the story for a color profile.
func profiled(profile colorprofile.Profile, environ []string, w, h int) string {
	e := newFake(1200)
	d := drive(Options{Archive: over(e), Terminal: Terminal{Environ: environ}}, w, h)
	d.send(tea.ColorProfileMsg{Profile: profile})
	d.search("cancel").keys(story)
	var got bytes.Buffer
	_, _ = (&colorprofile.Writer{Forward: &got, Profile: profile}).WriteString(d.drawn())
	return got.String()
}

func TestScreens_FewerColors(t *testing.T) {
	for _, size := range sizes {
		for name, c := range map[string]struct {
			profile colorprofile.Profile
			environ []string
			foreign *regexp.Regexp // must not be in the output
		}{
			"16 colors": {
				colorprofile.ANSI,
				[]string{"TERM=xterm", "LANG=en_US.UTF-8"},
				regexp.MustCompile(`\x1b\[[0-9;]*[34]8[;:]`),
			},
			"NO_COLOR": {
				colorprofile.ASCII,
				[]string{"TERM=xterm", "LANG=en_US.UTF-8", "NO_COLOR=yes"},
				regexp.MustCompile(`\x1b\[([0-9;]*;)?(3[0-8]|4[0-8]|9[0-7])[;:m]`),
			},
		} {
			t.Run(fmt.Sprintf("%dx%d %s", size.w, size.h, name), func(t *testing.T) {
				got := profiled(c.profile, c.environ, size.w, size.h)
				if found := c.foreign.FindString(got); found != "" {
					t.Errorf("%q is written", found)
				}
				golden.RequireEqual(t, got)
				full := profiled(colorprofile.TrueColor, c.environ, size.w, size.h)
				if besideThePlot(full) != besideThePlot(got) {
					t.Errorf("the text differs from full color:\n%s", ansi.Strip(full))
				}
			})
		}
	}
}

// besideThePlot returns the text of a screen but for the bars and their legend: without a color for the area, it has
// another glyph, and so have bars that are partly in view. Nor has it the ground behind a line.
func besideThePlot(screen string) string {
	return regexp.MustCompile(`(?m)^.{5}[│┤] .*$|\S+ (matches|all turns|incomplete)| +$`).ReplaceAllString(ansi.Strip(screen), "")
}
