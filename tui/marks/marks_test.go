package marks_test

import (
	"slices"
	"testing"

	"lens/retrieval"
	"lens/tui/marks"
)

func TestFind(t *testing.T) {
	for name, c := range map[string]struct {
		query, line string
		want        [][2]int
	}{
		"in any form":               {"cancel", "Cancel the cancellation", [][2]int{{0, 6}, {11, 23}}},
		"counted in cells":          {"select", "世界 select", [][2]int{{5, 11}}},
		"in scripts without spaces": {"分岐", "最初に完了した分岐を選ぶ", [][2]int{{14, 18}}},
		"no query":                  {"  ", "cancel", nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got := marks.Find(retrieval.NewWords(c.query), c.line); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
