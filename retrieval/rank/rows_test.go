package rank_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"lens/retrieval/rank"
)

func TestRows_CountWithinWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int32Range(1, 300).Draw(t, "n")
		members := rapid.SliceOfDistinct(rapid.Int32Range(0, n-1), rapid.ID[int32]).Draw(t, "members")
		from := rapid.Int32Range(0, n).Draw(t, "from")
		w := rank.RowRange{From: from, To: rapid.Int32Range(from, n).Draw(t, "to")}
		rows := rank.NewRows(int(n))
		want := 0
		for _, row := range members {
			rows.Add(row)
			if row >= w.From && row < w.To {
				want++
			}
		}
		if got := rows.Count(w); got != want {
			t.Fatalf("%d rows, not %d", got, want)
		}
		slices.Sort(members)
		if all := slices.Collect(rows.All()); !slices.Equal(all, members) && len(members) > 0 {
			t.Fatalf("got %v, want %v", all, members)
		}
	})
}
