package retrieval

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"lens/retrieval/rank"
	"lens/store"
)

// drawCatalog draws a catalog in which ordinals do not follow time, and some are dead.
func drawCatalog(t *rapid.T) *store.Catalog {
	n := rapid.IntRange(1, 200).Draw(t, "turns")
	var rows []store.CatalogRow
	for i, at := range rapid.Permutation(upTo(n)).Draw(t, "times") {
		if rapid.IntRange(0, 9).Draw(t, "dead") > 0 {
			rows = append(rows, store.CatalogRow{Ord: store.Ord(i + 1), ID: uuid.NewSHA1(uuid.Nil, fmt.Append(nil, i)), Time: int64(at)})
		}
	}
	return store.NewCatalog(1, rows)
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func TestPostingListOf_AscendingWithoutDeadRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCatalog(t)
		var p store.Postings
		want := map[int32]uint32{}
		every := rapid.IntRange(1, 120).Draw(t, "every")
		for ord := 1; ord <= 210; ord += every { // some were added after the catalog was read
			count := rapid.Uint32Range(1, 9).Draw(t, "count")
			p.Ords, p.Counts = append(p.Ords, store.Ord(ord)), append(p.Counts, count)
			if row, alive := c.Row(store.Ord(ord)); alive {
				want[int32(row)] = count
			}
		}
		counts := slices.Clone(p.Counts)
		list := postingListOf(c, p)
		if !slices.IsSorted(list.Rows) || len(list.Rows) != len(want) || len(list.Counts) != len(want) {
			t.Fatalf("got %v, want %v", list, want)
		}
		for i, row := range list.Rows {
			if want[row] != list.Counts[i] {
				t.Fatalf("row %d: %d times, not %d", row, list.Counts[i], want[row])
			}
		}
		if !slices.Equal(counts, p.Counts) {
			t.Fatal("the postings were changed")
		}
	})
}

func TestIntersectAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lists := make([]rank.PostingList, rapid.IntRange(0, 4).Draw(t, "lists"))
		in := map[int32]int{}
		for i := range lists {
			lists[i].Rows = rapid.SliceOfDistinct(rapid.Int32Range(0, 40), rapid.ID[int32]).Draw(t, "rows")
			slices.Sort(lists[i].Rows)
			for _, row := range lists[i].Rows {
				in[row]++
			}
		}
		var want []int32
		for row, n := range in {
			if n == len(lists) {
				want = append(want, row)
			}
		}
		slices.Sort(want)
		if got := intersectAll(lists); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}
