//go:build unix

package bench

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/philippgille/chromem-go"

	"lens/internal/simd"
	"lens/store"
	"lens/store/vecindex"
	"lens/store/vecindex/vectest"
)

// top is the number of requested neighbors.
const top = 100

// contender finds the rows of [lo, hi) that are nearest to a query. The ordinal of row i is i+1.
type contender struct {
	name    string
	wall    bool // measure wall-clock time
	partial bool // can search a range of rows
	memory  int64
	search  func(query []float32, lo, hi int) []store.Neighbor
}

// writeIndex puts rows of a source into a file, and returns it opened.
func writeIndex(tb testing.TB, source *vectest.Generator, dim, rows int) (*vecindex.Index, string) {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "vectors.idx")
	ords := make([]store.Ord, rows)
	for i := range ords {
		ords[i] = store.Ord(i + 1)
	}
	must(tb, vecindex.Write(path, vecindex.Contents{
		Dim: dim, Ords: ords, Keys: make([]int64, rows),
		Rows: func(yield func([]byte, error) bool) {
			var v []float32
			for range rows {
				v = source.Next(v)
				if !yield(store.Halves(v), nil) {
					return
				}
			}
		},
	}))
	x, err := vecindex.Open(path)
	must(tb, err)
	tb.Cleanup(func() { must(tb, x.Close()) })
	return x, path
}

func twoStage(tb testing.TB, x *vecindex.Index, path string) contender {
	return contender{name: "two-stage", partial: true, memory: mapped(tb, path), search: func(query []float32, lo, hi int) []store.Neighbor {
		found, err := x.Search(context.Background(), query, vecindex.RowRange{Lo: lo, Hi: hi}, top)
		must(tb, err)
		return found
	}}
}

// exactHalves is the reference for all others.
func exactHalves(tb testing.TB, x *vecindex.Index) contender {
	return contender{name: "exact f16", partial: true, memory: int64(2 * x.Dim * x.Len()), search: func(query []float32, lo, hi int) []store.Neighbor {
		return ranked(lo, hi, func(row int) float64 {
			similarity, err := x.Similarity(query, row)
			must(tb, err)
			return similarity
		})
	}}
}

// floats widens all rows of an index.
func floats(tb testing.TB, x *vecindex.Index) []float32 {
	all := make([]float32, 0, x.Len()*x.Dim)
	for row := range x.Len() {
		half, err := x.Halves(row)
		must(tb, err)
		for i := 0; i < len(half); i += 2 {
			all = append(all, store.Widen(uint16(half[i])|uint16(half[i+1])<<8))
		}
	}
	return all
}

func exactFloats(all []float32, dim int) contender {
	scores := make([]float32, len(all)/dim)
	return contender{name: "exact f32", partial: true, memory: int64(4 * len(all)), search: func(query []float32, lo, hi int) []store.Neighbor {
		simd.DotRows(scores[lo:hi], query, all[lo*dim:hi*dim])
		return ranked(lo, hi, func(row int) float64 { return float64(scores[row]) })
	}}
}

func naiveGo(all []float32, dim int) contender {
	return contender{name: "naive Go", partial: true, memory: int64(4 * len(all)), search: func(query []float32, lo, hi int) []store.Neighbor {
		return ranked(lo, hi, func(row int) float64 {
			var sum float32
			for i, x := range all[row*dim : (row+1)*dim] {
				sum += x * query[i]
			}
			return float64(sum)
		})
	}}
}

// chromemGo cannot search a range of rows: it filters by equal strings.
func chromemGo(tb testing.TB, all []float32, dim int) contender {
	before := heap()
	collection, err := chromem.NewDB().CreateCollection("turns", nil, func(context.Context, string) ([]float32, error) {
		return nil, fmt.Errorf("nothing to embed")
	})
	must(tb, err)
	for row := range len(all) / dim {
		doc := chromem.Document{ID: strconv.Itoa(row + 1), Embedding: all[row*dim : (row+1)*dim : (row+1)*dim]}
		must(tb, collection.AddDocument(tb.Context(), doc))
	}
	return contender{name: "chromem-go", memory: heap() - before + int64(4*len(all)), search: func(query []float32, _, _ int) []store.Neighbor {
		results, err := collection.QueryEmbedding(context.Background(), query, top, nil, nil)
		must(tb, err)
		found := make([]store.Neighbor, len(results))
		for i, r := range results {
			ord, err := strconv.Atoi(r.ID)
			must(tb, err)
			found[i] = store.Neighbor{Ord: store.Ord(ord), Similarity: float64(r.Similarity)}
		}
		return found
	}}
}

// ranked keeps the top rows by score in a sorted list: after the first few thousand, few rows enter it.
func ranked(lo, hi int, score func(row int) float64) []store.Neighbor {
	found := make([]store.Neighbor, 0, top+1)
	least := math.Inf(-1)
	for row := lo; row < hi; row++ {
		s := score(row)
		if s <= least && len(found) == top {
			continue
		}
		n := store.Neighbor{Ord: store.Ord(row + 1), Similarity: s}
		at, _ := slices.BinarySearchFunc(found, n, func(a, b store.Neighbor) int {
			return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Ord, b.Ord))
		})
		found = slices.Insert(found, at, n)
		found = found[:min(len(found), top)]
		least = found[len(found)-1].Similarity
	}
	return found
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// mapped returns the size of a file, which memory may have to hold as a whole.
func mapped(tb testing.TB, path string) int64 {
	info, err := os.Stat(path)
	must(tb, err)
	return info.Size()
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// opening returns the shortest of several times for opening the index.
func opening(tb testing.TB, path string) time.Duration {
	quickest := time.Hour
	for range 5 {
		begun := time.Now()
		x, err := vecindex.Open(path)
		must(tb, err)
		quickest = min(quickest, time.Since(begun))
		must(tb, x.Close())
	}
	return quickest
}
