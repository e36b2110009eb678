package offline_test

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/offline"
	"lens/store/archivetest"
	"lens/store/vecindex/vectest"
)

// benchTurns is how many turns the archive has: 100,000 with LENS_BENCH=full.
var benchTurns = map[bool]int{true: 100_000, false: 2_000}[os.Getenv("LENS_BENCH") == "full"]

const benchDim = 384

// model embeds queries as made-up vectors.
type model struct{ *vectest.Generator }

func (m model) EmbedQuery(context.Context, string) ([]float32, error) { return m.Query(), nil }
func (m model) Model() (provider, name string)                        { return "test", "made-up" }

// made returns an engine over a synthetic archive.
func made(b *testing.B) *retrieval.Engine {
	b.Helper()
	st := archivetest.New(b, testenv.Demo(b, demo.Options{Turns: benchTurns}))
	source := vectest.New(1, benchDim)
	archivetest.PutVectors(b, st, "test", "made-up", func() []float32 { return source.Next(nil) })
	return retrieval.New(st, model{source})
}

// BenchmarkSearch measures a search of the offline retriever whose query vector is cached.
func BenchmarkSearch(b *testing.B) {
	e := made(b)
	r := offline.New(offline.Options{
		Archive: func(context.Context) (offline.Searcher, error) { return e, nil }, Audit: new(ledger), Verify: blocked,
	})
	var took []time.Duration
	for _, query := range []string{"sourdough starter", "how do I cancel a request in Go", "zanzibar"} {
		if _, err := r.Search(b.Context(), query, offline.SearchOptions{}); err != nil {
			b.Fatal(err)
		}
		b.Run(query, func(b *testing.B) {
			took = took[:0]
			for b.Loop() {
				began := time.Now()
				if _, err := r.Search(b.Context(), query, offline.SearchOptions{}); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			for name, q := range map[string]float64{"p50-ms": .5, "p95-ms": .95, "p99-ms": .99} {
				b.ReportMetric(float64(took[int(q*float64(len(took)-1))].Microseconds())/1000, name)
			}
		})
	}
}
