package main

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
)

// recorded returns the benchmark output that the package documentation of store/shard describes.
func recorded(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "benchmarks.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestPlan_Golden(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT with -short: a million random numbers take long under the race detector")
	}
	var plan bytes.Buffer
	if err := run(strings.NewReader(recorded(t)), &plan); err != nil {
		t.Fatal(err)
	}
	golden.RequireEqual(t, plan.Bytes())
}

func TestRead_RecordedBenchmarks(t *testing.T) {
	m, err := read(strings.NewReader(`goos: linux
BenchmarkOpen-2              5  1 ns/op  2000 bytes/record  400.0 cpu-ms  10000 records  1 shards
BenchmarkQuery/everything-2  5  1 ns/op  3.000 cpu-ms   4 cpu-p95-ms  10000 records  1 shards
BenchmarkQuery/entity-2      5  1 ns/op  99.00 cpu-ms   4 cpu-p95-ms  10000 records  1 shards
BenchmarkQuery/everything-2  5  1 ns/op  5.000 cpu-ms  10 cpu-p95-ms  30000 records  1 shards
BenchmarkQuery/everything-2  5  1 ns/op  7.000 cpu-ms   4 cpu-p95-ms  30000 records  5 shards
PASS
`))
	want := measured{query: .0015, shard: .0005, record: 1e-7, openMB: .02, bytes: 2000, spread: math.Log(2) / 1.645}
	for _, pair := range [][2]float64{{m.query, want.query}, {m.shard, want.shard}, {m.record, want.record}, {m.openMB, want.openMB}, {m.bytes, want.bytes}, {m.spread, want.spread}} {
		if math.Abs(pair[0]-pair[1]) > 1e-12 {
			t.Fatalf("got %+v, want %+v (%v)", m, want, err)
		}
	}
}

func TestRead_MissingBenchmarks(t *testing.T) {
	for i, line := range strings.SplitAfter(recorded(t), "\n") {
		if !strings.HasPrefix(line, "Benchmark") || strings.HasPrefix(line, "BenchmarkOpen") {
			continue
		}
		if _, err := read(strings.NewReader(strings.Replace(recorded(t), line, "", 1))); err == nil {
			t.Errorf("got a plan without line %d", i)
		}
	}
}

func TestRead_ImplausibleBenchmarks(t *testing.T) {
	for _, change := range [][2]string{{" cpu-ms", " ms"}, {" cpu-ms", "e99 cpu-ms"}, {"ns/op", "ns/op x"}, {" records", "NaN records"}, {" cpu-p95-ms", "e999 cpu-p95-ms"}, {" bytes/record", " bytes"}} {
		if m, err := read(strings.NewReader(strings.ReplaceAll(recorded(t), change[0], change[1]))); err == nil {
			t.Errorf("%q for %q: %+v", change[1], change[0], m)
		}
	}
}

func TestFleet_StartsAndStopsInstances(t *testing.T) {
	f := &fleet{function: function{warm: 1, cold: 10, fetches: 5}, random: rand.New(rand.NewPCG(1, 1))}
	for i, c := range []struct {
		at, took  float64
		instances int
	}{
		{0, 11, 1},                            // starts the first
		{1, 11, 2},                            // the first is busy
		{11, 1, 2},                            // reuses the second, which refreshes in the background
		{12, 1, 2},                            // reuses the first, likewise
		{13.1, 1, 2},                          // both are fresh
		{13.2, 1, 2},                          // the other one
		{13.3, 11, 3},                         // both are busy
		{30, 1, 3},                            // the most recently used, still fresh
		{90, 1 + s3Seconds, 3},                // too old: the query waits for the refresh
		{750, 11, 1},                          // all have stopped
		{761 + idleSeconds, 1 + s3Seconds, 1}, // idle for exactly the limit: still there
	} {
		if got := f.answer(c.at); math.Abs(got-c.took-invokeSeconds) > 1e-9 || len(f.instances) != c.instances {
			t.Errorf("query %d: got %g s and %d instances, want %g and %d", i, got, len(f.instances), c.took, c.instances)
		}
	}
	if f.started != 4 || f.maxInstances != 3 || f.gets != 4*5+5 || math.Abs(f.billed-4*11-2*(1+s3Seconds)-5) > 1e-9 {
		t.Errorf("%+v", f)
	}
}

func TestScenario_CostIsTheSumOfItsParts(t *testing.T) {
	f := fleet{function: function{memoryMB: 2048, tmpGB: 2.5}, billed: 1000, gets: 5000}
	want := 1000*(2*lambdaGBSecond+2*lambdaTmpSecond) + 100*lambdaRequest + 5000*s3Get
	if got := f.cost(100); math.Abs(got-want) > 1e-12 {
		t.Errorf("got %g, want %g", got, want)
	}
}

func TestScenario_TwiceTheQueries(t *testing.T) {
	m := measured{query: .001, shard: .0005, record: 8e-8, openMB: .005, bytes: 2600, spread: .3}
	one := scenario{100_000, 1, 1769, 1_000_000}.simulate(m)
	two := scenario{100_000, 1, 1769, 2_000_000}.simulate(m)
	if ratio := two.query / one.query; ratio < .9 || ratio > 1.1 {
		t.Errorf("got a cost per query of %g times", ratio)
	}
	ten := scenario{1_000_000, 10, 1769, 1_000_000}.simulate(m)
	if ten.p50 <= one.p50 || ten.p50 > 2*one.p50 || ten.query < 5*(one.query-gatewayRequest) {
		t.Errorf("ten functions: %g s, %g USD; one: %g s, %g USD", ten.p50, ten.query, one.p50, one.query)
	}
}
