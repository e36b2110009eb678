package vecindex

import (
	"testing"
	"time"
)

// benchIndex is an index with a plane of bits, and queries to it.
func benchIndex(tb testing.TB, dim, rows int) (x *Index, queries [][]float32) {
	x, source := inMemory(tb, dim, rows)
	for range 16 {
		queries = append(queries, source.Query())
	}
	return x, queries
}

func BenchmarkSearch(b *testing.B) {
	for _, shape := range []struct {
		name      string
		dim, rows int
	}{{"384x20000", 384, 20_000}, {"3072x5000", 3072, 5000}} {
		x, queries := benchIndex(b, shape.dim, shape.rows)
		for name, part := range map[string]int{"all": 1, "1%": 100} {
			b.Run(shape.name+"/"+name, func(b *testing.B) {
				for n := 0; b.Loop(); n++ {
					_, err := x.Search(b.Context(), queries[n%len(queries)], RowRange{Hi: shape.rows / part}, 100)
					must(b, err)
				}
			})
		}
	}
}

// quickest is the least time that a search of a window takes.
func quickest(t *testing.T, x *Index, queries [][]float32, w RowRange) time.Duration {
	least := time.Hour
	for range 3 {
		for _, query := range queries {
			begun := time.Now()
			_, err := x.Search(t.Context(), query, w, 100)
			must(t, err)
			least = min(least, time.Since(begun))
		}
	}
	return least
}

// The margins are wide: a narrow window takes a tenth of the time of the whole, and two stages take a fourth of the time
// of ranking every row.
func TestSearch_NarrowWindowIsFaster(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT COMPARED with -short: the race detector slows our own code down, and none of the assembly")
	}
	x, queries := benchIndex(t, minSignsDim, 12_000)
	whole := quickest(t, x, queries, RowRange{Hi: x.Len()})
	narrow := quickest(t, x, queries, RowRange{Lo: x.Len() / 2, Hi: x.Len()/2 + x.Len()/100})
	here := RowRange{Hi: x.Len(), Keep: NewSet(x.Len())}
	for row := 0; row < x.Len(); row += 100 {
		here.Keep.Add(row)
	}
	scattered := quickest(t, x, queries, here)
	x.plane = nil
	every := quickest(t, x, queries, RowRange{Hi: x.Len()})
	t.Logf("1%% %v, 1%% scattered %v, whole %v, every row %v", narrow, scattered, whole, every)
	if narrow > whole || scattered > whole || whole > every {
		t.Errorf("1%% %v, 1%% scattered %v, whole %v, every row %v", narrow, scattered, whole, every)
	}
}
