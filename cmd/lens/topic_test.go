package main

import (
	"strings"
	"testing"

	tui "lens/tui/app"
)

func TestKeyLines_StandInColumns(t *testing.T) {
	all := tui.Bindings(t.Context())
	column := -1
	for i, line := range keyLines(all) {
		at := strings.LastIndex(line, "  "+all[i].Does)
		if column < 0 {
			column = at
		}
		if at != column || !strings.HasPrefix(line, "  "+all[i].Name+" ") || !strings.Contains(line, "  "+all[i].Keys+" ") {
			t.Errorf("what %s does is in column %d, not %d: %q", all[i].Name, at, column, line)
		}
	}
}
