package local

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// onnx is a process that runs the same model in ONNX Runtime: see testdata/onnx.
type onnx struct {
	in  *json.Encoder
	out *json.Decoder
}

// startONNX starts ONNX Runtime on the BERT in dir. LENS_BENCH_ONNX names the node_modules that hold onnxruntime-node; `make bench-onnx`
// installs it.
func startONNX(b *testing.B, dir string) *onnx {
	b.Helper()
	modules := os.Getenv("LENS_BENCH_ONNX")
	if modules == "" {
		b.Skip("SKIPPED: LENS_BENCH_ONNX names no node_modules with onnxruntime-node (make bench-onnx installs it)")
	}
	cmd := exec.Command("node", filepath.Join("testdata", "onnx", "serve.mjs"), dir, modules, fmt.Sprint(runtime.GOMAXPROCS(0)))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		io.Copy(io.Discard, out)
		if err := cmd.Wait(); err != nil {
			b.Error(err)
		}
	})
	return &onnx{json.NewEncoder(in), json.NewDecoder(bufio.NewReader(out))}
}

// run computes texts of one length at once, and returns the time that it took and the unit vectors.
func (o *onnx) run(b *testing.B, texts [][]int32) (time.Duration, [][]float32) {
	b.Helper()
	var answer struct {
		Milliseconds float64
		Vectors      []float32
	}
	if err := o.in.Encode(texts); err != nil {
		b.Fatal(err)
	}
	if err := o.out.Decode(&answer); err != nil {
		b.Fatal(err)
	}
	vectors := slices.Collect(slices.Chunk(answer.Vectors, len(answer.Vectors)/len(texts)))
	for _, v := range vectors {
		normalize(v)
	}
	return time.Duration(answer.Milliseconds * float64(time.Millisecond)), vectors
}

// BenchmarkEmbed_ONNXRuntime lets both engines embed the same turns with the same weights, in alternation, so that what else the
// machine does disturbs both alike. ONNX Runtime is given a turn at a time, which it is quicker at than at a batch.
func BenchmarkEmbed_ONNXRuntime(b *testing.B) {
	dir := b.TempDir()
	writeBert(b, dir, bgeShape)
	other := startONNX(b, dir)
	m := open(b, dir)
	defer m.Close()
	const turns, tokens = 8, 300
	text := aText(tokens)
	ids := slices.Concat([]int32{m.enc.(*bert).first}, m.tokens.encode(nil, text), []int32{m.enc.(*bert).last})
	var ours, theirs []float64 // turns a second
	for b.Loop() {
		var there time.Duration
		var want []float32
		for range turns {
			took, vectors := other.run(b, [][]int32{ids})
			there += took
			want = vectors[0]
		}
		start := time.Now()
		got, err := m.Embed(context.Background(), slices.Repeat([]string{text}, turns))
		if err != nil {
			b.Fatal(err)
		}
		here := time.Since(start)
		if d := distance(got[0].Values, want); d > 5e-6 {
			b.Fatalf("the engines differ by %g", d)
		}
		ours, theirs = append(ours, turns/here.Seconds()), append(theirs, turns/there.Seconds())
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(ours), "turns/s")
	b.ReportMetric(median(theirs), "onnx-turns/s")
	b.ReportMetric(median(ours)/median(theirs), "of-onnx")
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}
