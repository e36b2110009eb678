package local

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"testing"

	"lens/internal/testenv"
)

// measured embeds with the model in a folder, and prints the peak of its memory in KiB.
var measured = testenv.NewChild("embed", func(args []string) error {
	kib, err := footprint(args[0])
	fmt.Println(kib)
	return err
})

func TestMain(m *testing.M) {
	testenv.BeChild()
	os.Exit(m.Run())
}

// footprint embeds 16 turns and returns the peak memory of the process, in KiB.
func footprint(dir string) (kib int, err error) {
	m, err := Open(dir, Spec{})
	if err != nil {
		return 0, err
	}
	if _, err := m.Embed(context.Background(), slices.Repeat([]string{aText(300)}, 16)); err != nil {
		return 0, err
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	_, peak, _ := bytes.Cut(status, []byte("VmHWM:"))
	_, err = fmt.Sscan(string(peak), &kib)
	return kib, err
}

// BenchmarkFootprint measures the peak of a separate process: mapped pages count once read, the page cache does not.
func BenchmarkFootprint(b *testing.B) {
	b.Run("bge-small-shape", func(b *testing.B) {
		dir := b.TempDir()
		writeBert(b, dir, bgeShape)
		benchmarkFootprint(b, dir)
	})
	b.Run("use-lite", func(b *testing.B) { benchmarkFootprint(b, useLiteDir(b)) })
}

func benchmarkFootprint(b *testing.B, dir string) {
	var kib int
	for b.Loop() {
		out, err := measured.Command(b, dir).Output()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := fmt.Sscan(string(out), &kib); err != nil {
			b.Fatalf("%s: %v", out, err)
		}
	}
	b.ReportMetric(float64(kib)/(1<<10), "peak-MiB")
}
