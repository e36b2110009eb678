package marks

import (
	"slices"
	"testing"
)

func TestWords_Find(t *testing.T) {
	for name, c := range map[string]struct {
		query, line string
		want        [][2]int
	}{
		"in any case, and longer words":      {"cancel", "Cancel the cancellation", [][2]int{{0, 6}, {11, 23}}},
		"not inside a word":                  {"age", "garage age", [][2]int{{7, 10}}},
		"short words match whole words only": {"go", "go gone", [][2]int{{0, 2}}},
		"counted in cells":                   {"select", "世界 select", [][2]int{{5, 11}}},
		"in scripts without spaces":          {"分岐", "最初に完了した分岐を選ぶ", [][2]int{{14, 18}}},
		"no query":                           {"  ", "cancel", nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Of(c.query).Find(c.line); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
