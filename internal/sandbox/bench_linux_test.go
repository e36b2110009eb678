//go:build linux && (amd64 || arm64)

package sandbox_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"lens/internal/sandbox"
)

func init() {
	roles["time"] = playTime
	roles["fresh"] = func() int {
		_, err := sandbox.Enter(nil)
		_, verified := sandbox.Verify()
		return check(unless(err == nil && verified == nil, "%v %v", err, verified))
	}
}

// playTime measures Verify and a connection through the broker in an isolated process. It prints p50, p95 and p99 of both in
// µs.
func playTime() int {
	allowed := os.Getenv("LENS_TEST_REACH")
	if _, err := sandbox.Enter([]string{allowed}); err != nil {
		return check(err.Error())
	}
	fmt.Println(quantiles(5000, func() { _, _ = sandbox.Verify() }), quantiles(500, func() { _, _ = echo(allowed, "x") }))
	return 0
}

func quantiles(n int, do func()) string {
	took := make([]time.Duration, n)
	for i := range took {
		began := time.Now()
		do()
		took[i] = time.Since(began)
	}
	slices.Sort(took)
	at := func(q float64) float64 { return float64(took[int(q*float64(n))].Microseconds()) }
	return fmt.Sprint(at(.5), " ", at(.95), " ", at(.99))
}

func BenchmarkIsolated(b *testing.B) {
	l := echoServer(b)
	var v, d [3]float64
	for b.Loop() {
		out := passes(b, "time", func(cmd *exec.Cmd) { cmd.Env = append(cmd.Env, "LENS_TEST_REACH="+l.Addr().String()) })
		if _, err := fmt.Sscan(out, &v[0], &v[1], &v[2], &d[0], &d[1], &d[2]); err != nil {
			b.Fatal(err, out)
		}
	}
	for i, name := range []string{"p50", "p95", "p99"} {
		b.ReportMetric(v[i], "verify-"+name+"-µs")
		b.ReportMetric(d[i], "broker-"+name+"-µs")
	}
}

// BenchmarkFreshChild measures the overhead of a paranoid query: a process that starts, enters, verifies and exits.
func BenchmarkFreshChild(b *testing.B) {
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		passes(b, "fresh", nil)
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
}
