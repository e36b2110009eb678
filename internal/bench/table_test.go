//go:build unix

package bench

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lens/internal/simd"
	"lens/store"
	"lens/store/postgres/pgtest"
	"lens/store/vecindex/vectest"
)

// The sizes measured by default, and those that take minutes.
const (
	usual  = "10000x384,100000x384,10000x3072,100000x3072"
	larger = "1000000x384,1000000x3072"
)

var (
	table     = flag.Bool("table", false, "measure at full size and print the table")
	sizes     = flag.String("sizes", usual, "rows x dimensions to measure; all: millions of rows too, with 7 GB of disk")
	queries   = flag.Int("queries", 50, "queries of each kind")
	peekTurns = flag.Int("peekturns", 100_000, "turns of the archive that Peek is measured on")
	peekDim   = flag.Int("peekdim", 3072, "dimensions of the vectors that Peek is measured with")
	pgRows    = flag.Int("pgrows", 10_000, "up to how many rows to load into Postgres, which takes a minute for 50,000 of 3072")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// windows are the searched fractions of all rows, in the middle of time.
var windows = []float64{1, 0.1, 0.01}

// line is the format of a row of the table.
const line = "%8v %5v %7v  %-10v %9v %9v  %.4f  %.4f %7v %8v\n"

// result is the measurement of one contender at one size and window.
type result struct {
	median, slowest time.Duration // of a query
	recall, worst   float64
}

func TestTable(t *testing.T) {
	if !*table {
		t.Skip("SKIPPED: a measurement, made with -args -table")
	}
	runtime.GOMAXPROCS(1)
	fmt.Printf("top %d of clustered vectors, one thread, %s\n", top, simd.Level())
	fmt.Printf(strings.ReplaceAll(line, "%.4f", "%6s"), "rows", "dim", "window", "way", "p50 ms", "slowest", "recall", "worst", "MB", "open ms")
	if *sizes == "all" {
		*sizes = usual + "," + larger
	}
	for _, size := range strings.Split(*sizes, ",") {
		var rows, dim int
		if _, err := fmt.Sscanf(size, "%dx%d", &rows, &dim); err != nil {
			t.Fatalf("-sizes %s: %v", size, err)
		}
		t.Run(size, func(t *testing.T) { measureSize(t, dim, rows) })
		debug.FreeOSMemory()
	}
}

func measureSize(t *testing.T, dim, rows int) {
	source := vectest.New(1, dim)
	x, path := writeIndex(t, source, dim, rows)
	judge := exactHalves(t, x)
	contenders := []contender{twoStage(t, x, path), judge}
	if rows*dim <= 1<<29 { // 2 GB of floats
		all := floats(t, x)
		contenders = append(contenders, exactFloats(all, dim), naiveGo(all, dim), chromemGo(t, all, dim))
		if rows <= *pgRows && os.Getenv(pgtest.EnvVar) != "skip" {
			contenders = append(contenders, pgVector(t, all, dim))
		}
	}
	asked := make([][]float32, *queries)
	for i := range asked {
		asked[i] = source.Query()
	}
	for _, window := range windows {
		n := int(float64(rows) * window)
		lo := (rows - n) / 2
		for _, c := range contenders {
			if window < 1 && !c.partial {
				continue
			}
			r := measure(c, judge, asked, lo, lo+n)
			open := ""
			if c.name == "two-stage" && window == 1 {
				open = ms(opening(t, path))
			}
			part := fmt.Sprintf("%g%%", 100*window)
			fmt.Printf(line, rows, dim, part, c.name, ms(r.median), ms(r.slowest), r.recall, r.worst, c.memory>>20, open)
		}
	}
}

// measure runs all queries on c, and only some of them on a slow contender.
func measure(c, judge contender, asked [][]float32, lo, hi int) result {
	c.search(asked[0], lo, hi) // the first use verifies checksums
	var times []time.Duration
	r := result{worst: 1}
	for _, query := range asked {
		var found []store.Neighbor
		took := took(c.wall, func() { found = c.search(query, lo, hi) })
		times = append(times, took)
		recall := recallOf(found, judge.search(query, lo, hi))
		r.recall += recall
		r.worst = min(r.worst, recall)
		if took > 100*time.Millisecond && len(times) == 10 {
			break
		}
	}
	r.recall /= float64(len(times))
	slices.Sort(times)
	r.median, r.slowest = times[len(times)/2], times[len(times)-1]
	return r
}

// recallOf returns the share of wanted that was found.
func recallOf(found, wanted []store.Neighbor) float64 {
	in := make(map[store.Ord]bool, len(found))
	for _, n := range found {
		in[n.Ord] = true
	}
	hits := 0
	for _, n := range wanted {
		if in[n.Ord] {
			hits++
		}
	}
	return float64(hits) / float64(len(wanted))
}

// took returns the time that fn takes: wall-clock time, or CPU time of this process.
func took(wall bool, fn func()) time.Duration {
	if wall {
		begun := time.Now()
		fn()
		return time.Since(begun)
	}
	begun := processor()
	fn()
	return processor() - begun
}

func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // cannot fail for this process
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func ms(d time.Duration) string { return fmt.Sprintf("%.2f", float64(d)/1e6) }
