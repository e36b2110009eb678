package audit_test

import (
	"slices"
	"testing"
	"time"
)

func BenchmarkAppend(b *testing.B) {
	log, _, _ := chain(b, 0)
	var took []time.Duration
	for n := 1; b.Loop(); n++ {
		began := time.Now()
		record(b, log, n)
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	for name, q := range map[string]float64{"p50-µs": .5, "p99-µs": .99} {
		b.ReportMetric(float64(took[int(q*float64(len(took)-1))].Microseconds()), name)
	}
}
