package ingest_test

import (
	"os"
	"strconv"
	"testing"

	"lens/internal/testenv"
	"lens/store/ingest"
)

// TestImport_Sessions imports a folder of sessions twice: every prompt is a turn, and nothing is new the second time.
func TestImport_Sessions(t *testing.T) {
	folder, count, turns := testenv.Sessions(t, 1, 2<<20)
	st := newArchive(t)
	for i, want := range []int{turns, 0} {
		r, err := ingest.Import(t.Context(), st, []string{folder}, ingest.Options{})
		testenv.Must(t, err)
		testenv.Must(t, r.Check())
		if len(r.Files) != count || r.Turns.New != want || r.Turns.Total != turns {
			t.Errorf("import %d: %d files of %d, %d turns new of %d, want %d", i, len(r.Files), count, r.Turns.New, turns, want)
		}
	}
}

// BenchmarkImport_Sessions imports 64 MB of sessions with Claude Code into SQLite and checks the receipt. LENS_BENCH_MB
// sets another size. The peak memory is that of the whole process.
func BenchmarkImport_Sessions(b *testing.B) {
	size := int64(64)
	if n, err := strconv.ParseInt(os.Getenv("LENS_BENCH_MB"), 10, 64); err == nil {
		size = n
	}
	folder, _, turns := testenv.Sessions(b, 1, size<<20)
	b.SetBytes(size << 20)
	for b.Loop() {
		st := newArchive(b)
		receipt, err := ingest.Import(b.Context(), st, []string{folder}, ingest.Options{})
		if err != nil || receipt.Check() != nil || receipt.Turns.New != turns {
			b.Fatal(err, receipt)
		}
	}
	if peak, ok := peakMemory(); ok {
		b.ReportMetric(peak, "peak-MiB")
	}
}
