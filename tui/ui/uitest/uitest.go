// Package uitest drives a component of the explorer in its tests, as the app does, without an app. Only tests may
// import it.
package uitest

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
	"lens/tui/ui"
)

// Noon is when tests take place.
var Noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// Context returns a context with a theme, for which it is always Noon.
func Context(name theme.Name) *ui.Context {
	return &ui.Context{
		Ctx:   context.Background(),
		Now:   func() time.Time { return Noon },
		Theme: theme.New(name, colorprofile.TrueColor),
	}
}

// Text returns what a person reads in lines: without styles and trailing spaces.
func Text(lines []string) string {
	text := make([]string, len(lines))
	for i, line := range lines {
		text[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	return strings.TrimRight(strings.Join(text, "\n"), "\n")
}

// MustShow checks that lines have texts.
func MustShow(tb testing.TB, lines []string, wanted ...string) {
	tb.Helper()
	for _, w := range wanted {
		if text := Text(lines); !strings.Contains(text, w) {
			tb.Errorf("%q is not shown:\n%s", w, text)
		}
	}
}

// MustFill checks the number of lines, and that each has width cells.
func MustFill(tb testing.TB, lines []string, width, height int) {
	tb.Helper()
	if len(lines) != height {
		tb.Errorf("%d lines of %d", len(lines), height)
	}
	for _, line := range lines {
		if theme.Width(line) != width {
			tb.Errorf("%d cells of %d: %q", theme.Width(line), width, line)
		}
	}
}

// Do does what the command with an ID does.
func Do(tb testing.TB, commands []ui.Command, id string) tea.Cmd {
	tb.Helper()
	at := slices.IndexFunc(commands, func(c ui.Command) bool { return c.ID == id })
	if at < 0 {
		tb.Fatalf("no command %q", id)
	}
	return commands[at].Do()
}
