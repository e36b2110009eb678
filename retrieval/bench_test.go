package retrieval_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
)

// largeTurns is how many turns the archive of the benchmarks has: 100,000 with LENS_BENCH=full.
var largeTurns = map[bool]int{true: 100_000, false: 10_000}[os.Getenv("LENS_BENCH") == "full"]

// large returns an archive of turns of ordinary length over five years, built once.
var large = sync.OnceValue(func() *fakeSource {
	random := rand.New(rand.NewPCG(1, 2))
	lexicon := make([]string, 20_000)
	for i := range lexicon {
		word := make([]byte, 3+random.IntN(8))
		for j := range word {
			word[j] = byte('a' + random.IntN(26))
		}
		lexicon[i] = string(word)
	}
	zipf := rand.NewZipf(random, 1.1, 8, uint64(len(lexicon)-1))
	some := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(lexicon[zipf.Uint64()])
			b.WriteByte(' ')
		}
		return b.String()
	}
	replies := make([]string, 200) // texts repeat, so that making them takes seconds
	for i := range replies {
		replies[i] = some(150)
	}
	var turns []store.Turn
	for len(turns) < largeTurns {
		exchanges := make([][3]string, 1+random.IntN(6))
		date := day("2020-01-01").AddDate(0, 0, random.IntN(5*365)).Format(time.DateOnly)
		for i := range exchanges {
			exchanges[i] = [3]string{date, some(12), replies[random.IntN(len(replies))]}
		}
		turns = append(turns, conversationOf(some(3)+date, exchanges...)...)
	}
	for i := range turns {
		turns[i].UserMessage = [16]byte{byte(i), byte(i >> 8), byte(i >> 16), 1}
	}
	for i := range 50 {
		someWords = append(someWords, lexicon[3+i%5]+" "+lexicon[40+i]+" "+lexicon[900+10*i])
	}
	for range 200 {
		manyWords = append(manyWords, some(12))
	}
	return newFakeSource(1, turns)
})

var (
	someWords []string // queries of a common, a rarer and a rare word, more than the score cache holds
	manyWords []string // queries of a dozen words as frequent as in the texts
)

// nearestOnly computes dense reads once, so that the benchmark measures the engine.
type nearestOnly struct {
	*fakeSource
	once sync.Once
	near []store.Neighbor
}

func (n *nearestOnly) Nearest(ctx context.Context, query []float32, f store.Filter, k int) ([]store.Neighbor, error) {
	n.once.Do(func() { n.near, _ = n.fakeSource.Nearest(ctx, query, store.Filter{}, 1000) })
	return n.near[:k], nil
}

func BenchmarkPeek(b *testing.B) {
	a := large()
	model := &words{}
	for _, mode := range []query.Mode{query.Keyword, query.Hybrid} {
		for name, queries := range map[string]int{"first": len(someWords), "zoom": 1} {
			b.Run(string(mode)+"/"+name, func(b *testing.B) {
				benchmarkPeek(b, retrieval.New(&nearestOnly{fakeSource: a}, model), mode, someWords[:queries])
			})
		}
	}
}

// benchmarkPeek peeks with a warm engine: snapshots are derived once per commit, not once per query.
func benchmarkPeek(b *testing.B, e *retrieval.Engine, mode query.Mode, queries []string) {
	q := query.Query{Mode: mode, Filter: query.Filter{Since: day("2021-01-01")}}
	q.Text = queries[0]
	if _, err := e.Peek(b.Context(), q); err != nil {
		b.Fatal(err)
	}
	var took latencies
	for n := 0; b.Loop(); n++ {
		started := time.Now()
		q.Text = queries[n%len(queries)]
		if _, err := e.Peek(b.Context(), q); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(started))
	}
	took.report(b)
}

func BenchmarkPeek_ManyWords(b *testing.B) {
	a := large()
	e := retrieval.New(a, nil)
	var took latencies
	next := 0
	for b.Loop() {
		started := time.Now()
		p, err := e.Peek(b.Context(), query.Query{Text: manyWords[next%len(manyWords)], Mode: query.Keyword})
		if err != nil || p.Histogram.Total != query.DefaultTopK {
			b.Fatal(p, err)
		}
		took = append(took, time.Since(started))
		next++
	}
	took.report(b)
}

func BenchmarkPeek_Dates(b *testing.B) {
	a := large()
	e := retrieval.New(a, nil)
	for _, date := range []string{"no date", "on 8 May 2022", "in May", "since 2020"} {
		b.Run(date, func(b *testing.B) {
			q := query.Query{Text: someWords[0] + " " + date, Mode: query.Keyword, Dates: query.DatesSoft}
			for b.Loop() {
				if p, err := e.Peek(b.Context(), q); err != nil || (p.Dates == nil) != (date == "no date") {
					b.Fatal(p, err)
				}
			}
		})
	}
}

// latencies are the durations of many calls.
type latencies []time.Duration

func (l latencies) report(b *testing.B) {
	slices.Sort(l)
	b.ReportMetric(float64(largeTurns), "turns")
	for _, percent := range []int{50, 95, 99} {
		b.ReportMetric(float64(l[len(l)*percent/100].Microseconds())/1000, fmt.Sprintf("p%d-ms", percent))
	}
}

func BenchmarkBrowse(b *testing.B) {
	e := retrieval.New(large(), nil)
	for b.Loop() {
		if _, err := e.Browse(b.Context(), query.Query{}, retrieval.BrowseOptions{Limit: retrieval.MaxBrowseLimit}); err != nil {
			b.Fatal(err)
		}
	}
}
