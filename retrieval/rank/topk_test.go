package rank

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSelection_EqualsSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.IntRange(0, 20), 0, 300).Draw(t, "scores")
		switch rapid.SampledFrom([]string{"as drawn", "ascending", "descending"}).Draw(t, "order") {
		case "ascending":
			slices.Sort(scores)
		case "descending":
			slices.Sort(scores)
			slices.Reverse(scores)
		}
		top := selection{k: rapid.IntRange(0, 40).Draw(t, "k")}
		var all []rowScore
		for i, score := range scores {
			top.add(int32(i), float64(score))
			all = append(all, rowScore{int32(i), float64(score)})
		}
		if len(top.kept) > max(0, 2*top.k) {
			t.Fatalf("kept %d rows for k = %d", len(top.kept), top.k)
		}
		slices.SortFunc(all, compareScores)
		if got := top.sorted(); !slices.Equal(got, all[:min(top.k, len(all))]) {
			t.Fatalf("got %v", got)
		}
	})
}
