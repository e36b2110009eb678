package postgres

import (
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"lens/store"
	"lens/store/postgres/pgtest"
	"lens/store/storetest"
	"lens/store/vecindex/vectest"
)

// The archive of the vector benchmarks: one turn per hour, with vectors like those of a large model.
const benchDim, benchTop, benchQueries = 3072, 100, 50

// benchTurns is the number of turns: 50,000 with LENS_BENCH=full. A fifth of them is enough to use the index.
var benchTurns = map[bool]int{true: 50_000, false: 2000}[os.Getenv("LENS_BENCH") == "full"]

// BenchmarkVectors measures, on a private server with enough memory, the writing of vectors (rows/s), fetching their
// signs and building their index (s), and the time (ms) and recall (mean and worst) of searches one by one, by signs
// and by the index.
func BenchmarkVectors(b *testing.B) {
	server := pgtest.NewServer(b)
	admin := openAt(b, Options{URL: server.URL})
	admin.execSQL(b, "ALTER SYSTEM SET shared_buffers = '1GB'")
	server.Restart(b)
	url, source := server.Database(b), vectest.New(1, benchDim)
	signs, plain, judge := openAt(b, Options{URL: url}), openAt(b, Options{URL: url}), openAt(b, Options{URL: url})
	plain.indexMin, judge.indexMin = min(plain.indexMin, benchTurns/5), math.MaxInt
	plain.sketches.close()
	judge.sketches.close()
	c := storetest.Chat(benchTurns, "word")
	for i := range c.Turns {
		c.Turns[i].Time = hour(i)
	}
	must(b, put(b.Context(), plain, c))
	b.Run("COPY", func(b *testing.B) {
		for b.Loop() {
			b.ReportMetric(float64(benchTurns)/plain.fill(b, source, c.Turns).Seconds(), "rows/s")
		}
	})
	must(b, plain.Optimize(b.Context()))
	queries := make([][]float32, benchQueries)
	for i := range queries {
		queries[i] = source.Query()
	}
	plain.benchSearches(b, "exactly", judge, queries)
	b.Run("fetch-signs", func(b *testing.B) {
		for b.Loop() {
			began := time.Now()
			made, err := signs.makeSketch(b.Context(), nil)
			must(b, err)
			b.ReportMetric(time.Since(began).Seconds(), "s")
			signs.sketches.latest = made
		}
	})
	signs.benchSearches(b, "signs", judge, queries)
	b.Run("index", func(b *testing.B) {
		for b.Loop() {
			began := time.Now()
			must(b, plain.IndexVectors(b.Context(), nil))
			b.ReportMetric(time.Since(began).Seconds(), "s")
		}
	})
	plain.benchSearches(b, "indexed", judge, queries)
}

func hour(i int) time.Time { return time.Unix(int64(i)*3600, 0).UTC() }

// fill gives every turn a vector and returns the time spent in the store.
func (s *Store) fill(b *testing.B, source *vectest.Generator, turns []store.Turn) (spent time.Duration) {
	b.Helper()
	for page := range slices.Chunk(turns, 2048) {
		vectors := make([]store.Vector, len(page))
		for i := range page {
			vectors[i] = store.Vector{Turn: page[i].ID, Values: source.Next(nil)}
		}
		began := time.Now()
		must(b, s.Update(b.Context(), func(tx store.Tx) error {
			g, err := tx.PutGeneration(b.Context(), store.Generation{Provider: "p", Model: "m", Dim: benchDim, Recipe: 1})
			must(b, err)
			must(b, tx.PutVectors(b.Context(), g.ID, vectors))
			return tx.Activate(b.Context(), g.ID)
		}))
		spent += time.Since(began)
	}
	return spent
}

// benchSearches measures windows of several widths and sets of ordinals, and compares the results with those of a search one by one. Each
// query runs twice: first most of the found vectors must be fetched, then they are cached.
func (s *Store) benchSearches(b *testing.B, name string, judge *Store, queries [][]float32) {
	for _, w := range []struct {
		name  string
		share int
	}{{"all", 1}, {"half", 2}, {"10%", 10}, {"1%", 100}} {
		f := store.Filter{Since: hour(benchTurns / 4), Until: hour(benchTurns/4 + benchTurns/w.share)}
		if w.share == 1 {
			f = store.Filter{}
		}
		s.benchFilter(b, name+"/"+w.name, f, judge, queries)
	}
	for _, w := range []struct {
		name string
		has  func(ord store.Ord) bool
	}{{"90% by ordinals", func(ord store.Ord) bool { return ord%10 != 0 }}, {"1% by ordinals", func(ord store.Ord) bool { return ord%100 == 0 }}} {
		f := store.Filter{Ords: new(store.OrdSet)}
		for ord := range store.Ord(benchTurns + 1) {
			if w.has(ord) {
				f.Ords.Add(ord)
			}
		}
		s.benchFilter(b, name+"/"+w.name, f, judge, queries)
	}
}

// benchFilter measures the searches of one filter.
func (s *Store) benchFilter(b *testing.B, name string, f store.Filter, judge *Store, queries [][]float32) {
	b.Run(name, func(b *testing.B) {
		truth := judge.bool(b, queries, f)
		s.view.Store(nil) // drops the vectors that other windows have cached
		var times []time.Duration
		sum, worst := 0.0, math.Inf(1)
		for n := 0; b.Loop(); n++ {
			began := time.Now()
			found, err := s.Nearest(b.Context(), queries[n%len(queries)], f, benchTop)
			times = append(times, time.Since(began))
			must(b, err)
			recall := float64(common(found, truth[n%len(queries)])) / float64(len(truth[n%len(queries)]))
			sum, worst = sum+recall, min(worst, recall)
		}
		b.ReportMetric(sum/float64(len(times)), "recall")
		b.ReportMetric(worst, "worst")
		first := min(len(times), len(queries))
		b.ReportMetric(medianOf(times[:first]), "first-ms")
		b.ReportMetric(medianOf(times[first:]), "again-ms")
	})
}

// medianOf returns milliseconds, 0 for an empty list.
func medianOf(times []time.Duration) float64 {
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return float64(times[len(times)/2].Microseconds()) / 1000
}

// truth returns the exact results of the queries; s compares one by one.
func (s *Store) bool(b *testing.B, queries [][]float32, f store.Filter) (all [][]store.Neighbor) {
	b.Helper()
	for _, query := range queries {
		found, err := s.Nearest(b.Context(), query, f, benchTop)
		must(b, err)
		all = append(all, found)
	}
	return all
}
