package theme_test

import (
	"testing"

	"github.com/charmbracelet/colorprofile"

	"lens/tui/theme"
)

func TestEllipses_AreTheThemes(t *testing.T) {
	for name, want := range map[theme.Name]string{theme.Dark: "…so … it…", theme.ASCII: "..so … it.."} {
		if got := theme.New(name, colorprofile.ASCII).Ellipses("…so … it…"); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
