package topics_test

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"lens/internal/demo"
	"lens/retrieval/topics"
)

// BenchmarkDivide finds the topics of the demo: with 3,000 turns, and with 100,000 if LENS_BENCH=full. builder-MB is what a
// builder holds when all terms are added.
func BenchmarkDivide(b *testing.B) {
	sizes := []int{3_000}
	if os.Getenv("LENS_BENCH") == "full" {
		sizes = append(sizes, 100_000)
	}
	for _, n := range sizes {
		b.Run(fmt.Sprintf("turns=%d", n), func(b *testing.B) {
			a := readDemo(b, demo.Options{Turns: n})
			var builder *topics.Builder
			b.Run("add", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					builder = a.builder(len(a.ids))
				}
			})
			before := heap()
			builder = a.builder(len(a.ids))
			b.ReportMetric(float64(heap()-before)/1e6, "builder-MB")
			b.Run("divide", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					builder = a.builder(len(a.ids))
					b.StartTimer()
					builder.Divide(topics.Options{})
				}
			})
		})
	}
}

// heap returns the bytes of live objects.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
