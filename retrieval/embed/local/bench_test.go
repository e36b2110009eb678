package local

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// bgeShape is the shape of bge-small-en-v1.5. Random weights take as long as real ones.
var bgeShape = bertConfig{
	Type: "bert", Activation: "gelu", Hidden: 384, Intermediate: 1536, Epsilon: 1e-12, Positions: 512, Heads: 12, Layers: 12, Vocabulary: 30522, Types: 2,
}

// writeBert writes a model of the given shape with random weights to dir, and a tokenizer that knows the letters.
func writeBert(t testing.TB, dir string, c bertConfig) {
	t.Helper()
	shapes := map[string][]int{
		"embeddings.word_embeddings.weight":       {c.Vocabulary, c.Hidden},
		"embeddings.position_embeddings.weight":   {c.Positions, c.Hidden},
		"embeddings.token_type_embeddings.weight": {c.Types, c.Hidden},
		"embeddings.LayerNorm.weight":             {c.Hidden}, "embeddings.LayerNorm.bias": {c.Hidden},
	}
	linear := func(name string, in, out int) {
		shapes[name+".weight"], shapes[name+".bias"] = []int{out, in}, []int{out}
	}
	for i := range c.Layers {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		for _, part := range []string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"} {
			linear(at+part, c.Hidden, c.Hidden)
		}
		linear(at+"intermediate.dense", c.Hidden, c.Intermediate)
		linear(at+"output.dense", c.Intermediate, c.Hidden)
		for _, part := range []string{"attention.output.LayerNorm", "output.LayerNorm"} {
			shapes[at+part+".weight"], shapes[at+part+".bias"] = []int{c.Hidden}, []int{c.Hidden}
		}
	}
	writeSafetensors(t, filepath.Join(dir, "model.safetensors"), shapes)
	config, _ := json.Marshal(c)
	vocabulary := map[string]int32{"[UNK]": 0, "[CLS]": 1, "[SEP]": 2}
	for r := 'a'; r <= 'z'; r++ {
		vocabulary[string(r)] = int32(len(vocabulary))
		vocabulary["##"+string(r)] = int32(len(vocabulary))
	}
	tokenizer, _ := json.Marshal(map[string]any{
		"normalizer":     map[string]any{"type": "BertNormalizer"},
		"pre_tokenizer":  map[string]any{"type": "BertPreTokenizer"},
		"post_processor": map[string]any{"type": "BertProcessing", "cls": []any{"[CLS]", 1}, "sep": []any{"[SEP]", 2}},
		"model":          map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": vocabulary},
	})
	for name, data := range map[string][]byte{"config.json": config, "tokenizer.json": tokenizer} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func writeSafetensors(t testing.TB, path string, shapes map[string][]int) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	header, total := map[string]tensorEntry{}, int64(0)
	for name, shape := range shapes {
		size := int64(4 * product(shape))
		header[name] = tensorEntry{"F32", shape, [2]int64{total, total + size}}
		total += size
	}
	head, _ := json.Marshal(header)
	for len(head)%8 != 0 {
		head = append(head, ' ')
	}
	data := make([]float32, total/4)
	for i := range data {
		data[i] = float32(r.NormFloat64()) / 20
	}
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(head)))
	file = append(append(file, head...), bytesOf(data)...)
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
}

// aText returns a text of n single-letter words: as many tokens.
func aText(n int) string { return strings.TrimSpace(strings.Repeat("a b c d e ", n/5)) }

func BenchmarkEmbed_BGESmallShape(b *testing.B) {
	dir := b.TempDir()
	writeBert(b, dir, bgeShape)
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			open(b, dir).Close()
		}
	})
	m := open(b, dir)
	defer m.Close()
	benchmarkModel(b, m, aText(15), aText(300))
}

func BenchmarkEmbed_UseLite(b *testing.B) {
	dir := useLiteDir(b)
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			open(b, dir).Close()
		}
	})
	m := open(b, dir)
	defer m.Close()
	turn := strings.Repeat("The gearbox of my old bicycle makes a grinding noise whenever I climb a hill. ", 18)
	benchmarkModel(b, m, "How do I cancel a request when the client disconnects?", turn)
}

func open(b *testing.B, dir string) *Model {
	b.Helper()
	m, err := Open(dir, Spec{Name: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	return m
}

// benchmarkModel measures a short query on one core, the longest one, and turns a second on all.
func benchmarkModel(b *testing.B, m *Model, query, turn string) {
	long := strings.Repeat(query+" ", 8192/len(query)+1)[:8192]
	for _, c := range []struct{ name, text string }{{"query", query}, {"query-8KiB", long}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.EmbedQuery(context.Background(), c.text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	turns := make([]string, 8)
	for i := range turns {
		turns[i] = turn
	}
	b.Run(fmt.Sprintf("turns/%d-tokens", len(m.tokens.encode(nil, turn))), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := m.Embed(context.Background(), turns); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(turns)*b.N)/b.Elapsed().Seconds(), "turns/s")
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		b.ReportMetric(float64(memory.Sys)/(1<<20), "go-MiB")
	})
}
