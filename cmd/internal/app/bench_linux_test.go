package app

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lens/cmd/internal/archive"
	"lens/cmd/internal/config"
	"lens/internal/audit"
	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store/archivetest"
	"lens/store/vecindex/vectest"
)

// benchTurns is how many turns an archive has: 100,000 with LENS_BENCH=full.
var benchTurns = map[bool]int{true: 100_000, false: 1_000}[os.Getenv("LENS_BENCH") == "full"]

const benchDim = 384

// madeUp embeds queries as synthetic vectors.
type madeUp struct{ *vectest.Generator }

func (m madeUp) EmbedQuery(context.Context, string) ([]float32, error) { return m.Query(), nil }
func (m madeUp) Model() (provider, name string)                        { return "test", "made-up" }

// benchLens returns a Lens over a synthetic archive with vectors, encrypted or not, and an export to import.
func benchLens(b *testing.B, encrypted bool) (a *App, another string) {
	b.Helper()
	a = cheapLens(config.Config{DataDir: filepath.Join(b.TempDir(), "lens")})
	b.Cleanup(func() { _ = a.Close() })
	if encrypted {
		must(b, a.Mover.Encrypt(b.Context(), alone(onePhrase)))
	}
	export := testenv.Demo(b, demo.Options{Turns: benchTurns})
	_, err := a.Archive.Import(b.Context(), []string{export}, archive.ImportOptions{})
	must(b, err)
	st, err := a.Archive.Writing(b.Context())
	must(b, err)
	source := vectest.New(1, benchDim)
	archivetest.PutVectors(b, st, "test", "made-up", func() []float32 { return source.Next(nil) })
	return a, testenv.Demo(b, demo.Options{Turns: benchTurns / 10, Seed: 2})
}

// measured runs do n times and reports percentiles of its wall time, and its processor time.
func measured(b *testing.B, n int, do func(i int)) {
	b.Helper()
	took := make([]time.Duration, 0, n)
	var before, after unix.Rusage
	for b.Loop() {
		took = took[:0]
		_ = unix.Getrusage(unix.RUSAGE_SELF, &before)
		for i := range n {
			began := time.Now()
			do(i)
			took = append(took, time.Since(began))
		}
		_ = unix.Getrusage(unix.RUSAGE_SELF, &after)
	}
	slices.Sort(took)
	for name, q := range map[string]float64{"p50-ms": .5, "p95-ms": .95, "p99-ms": .99} {
		b.ReportMetric(float64(took[int(q*float64(n-1))].Microseconds())/1000, name)
	}
	cpu := time.Duration(after.Utime.Nano()+after.Stime.Nano()-before.Utime.Nano()-before.Stime.Nano()) / time.Duration(n)
	b.ReportMetric(float64(cpu.Microseconds())/1000, "cpu-ms")
}

// BenchmarkEncryption compares an encrypted with a plain archive: opening it, searching it by words and by meaning,
// recording a decision, and importing a tenth as much again. Run it with -benchtime 1x: a second run has nothing to
// import.
func BenchmarkEncryption(b *testing.B) {
	for _, name := range []string{"plain", "encrypted"} {
		b.Run(name, func(b *testing.B) {
			a, another := benchLens(b, name == "encrypted")
			open := func(int) {
				must(b, a.Archive.Close())
				engine, err := a.Archive.Engine(b.Context())
				must(b, err)
				_, err = engine.Overview(b.Context())
				must(b, err)
			}
			b.Run("open", func(b *testing.B) { measured(b, 20, open) })
			open(0)
			engine := retrieval.New(a.Archive.Opened(), madeUp{vectest.New(3, benchDim)})
			queries := []string{"sourdough starter", "how do I cancel a request in Go", "job interview", "zanzibar"}
			for _, mode := range []query.Mode{query.Keyword, query.Hybrid} {
				peek := func(i int) {
					_, err := engine.Peek(b.Context(), query.Query{Text: queries[i%len(queries)], Mode: mode})
					must(b, err)
				}
				peek(0)
				b.Run("peek "+string(mode), func(b *testing.B) { measured(b, 100, peek) })
			}
			b.Run("audit", func(b *testing.B) {
				log := a.Offline.Audit.Log()
				measured(b, 500, func(int) {
					_, err := log.Append(audit.Decision{
						Act: audit.Proceed, QID: "0123456789abcdef", Mode: "standard",
						Mechanism: "seccomp",
					})
					must(b, err)
				})
			})
			b.Run("import", func(b *testing.B) {
				measured(b, 1, func(int) {
					_, err := a.Archive.Import(b.Context(), []string{another}, archive.ImportOptions{})
					must(b, err)
				})
			})
		})
	}
}
