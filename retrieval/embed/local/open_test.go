package local

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lens/internal/errs"
	"lens/internal/testenv"
)

var tinyShape = bertConfig{Type: "bert", Activation: "gelu", Hidden: 32, Intermediate: 64, Epsilon: 1e-12, Positions: 16, Heads: 4, Layers: 1, Vocabulary: 60, Types: 2}

func openTiny(t *testing.T) *Model {
	t.Helper()
	dir := t.TempDir()
	writeBert(t, dir, tinyShape)
	m, err := Open(dir, Spec{Name: "tiny", QueryPrefix: "query: "})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func TestOpen_InvalidFiles(t *testing.T) {
	edit := func(name string, change func(map[string]any)) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) { editJSON(t, filepath.Join(dir, name), change) }
	}
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, dir string)
		says  string
	}{
		{"another width", edit("config.json", func(c map[string]any) { c["hidden_size"] = 64 }), "shape"},
		{"another activation", edit("config.json", func(c map[string]any) { c["hidden_act"] = "relu" }), "activation"},
		{"another kind of model", edit("config.json", func(c map[string]any) { c["model_type"] = "mpnet" }), `model type "mpnet" is not supported, only bert and xlm-roberta`},
		{"relative positions", edit("config.json", func(c map[string]any) { c["position_embedding_type"] = "relative_key" }), `position embedding "relative_key" is not supported`},
		{"a decoder", edit("config.json", func(c map[string]any) { c["is_decoder"] = true }), "decoder"},
		{"padding beyond the vocabulary", edit("config.json", func(c map[string]any) { c["pad_token_id"] = 60 }), "padding"},
		{"positions that begin at the end", edit("config.json", func(c map[string]any) { c["model_type"], c["pad_token_id"] = "xlm-roberta", 13 }), "positions"},
		{"heads that do not divide the width", edit("config.json", func(c map[string]any) { c["num_attention_heads"] = 5 }), "heads"},
		{"more layers than weights", edit("config.json", func(c map[string]any) { c["num_hidden_layers"] = 2 }), "missing"},
		{"fewer words than tokens", edit("config.json", func(c map[string]any) { c["vocab_size"] = 20 }), "token"},
		{"another tokenizer", edit("tokenizer.json", func(c map[string]any) { c["model"].(map[string]any)["type"] = "BPE" }), "WordPiece"},
		{"a cut file", func(t *testing.T, dir string) { cutFile(t, filepath.Join(dir, "model.safetensors"), 4000) }, "not in the file"},
		{"an empty file", func(t *testing.T, dir string) { cutFile(t, filepath.Join(dir, "model.safetensors"), 0) }, "too short"},
		{"another type", editHeader(func(e *tensorEntry) { e.Type = "BF16" }), "BF16"},
		{"bytes too few for the shape", editHeader(func(e *tensorEntry) { e.Offsets[1] -= 4 }), "bytes"},
		{"an offset beyond the end", editHeader(func(e *tensorEntry) { e.Offsets[1] = 1 << 40 }), "not in the file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			writeBert(t, dir, tinyShape)
			c.spoil(t, dir)
			_, err := Open(dir, Spec{Name: "tiny"})
			var e *errs.Error
			if !errors.As(err, &e) || e.Code != "invalid" || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("error %v, want one that says %q", err, c.says)
			}
		})
	}
}

func TestOpen_MissingModel(t *testing.T) {
	_, err := Open(t.TempDir(), Spec{Name: "use-lite"})
	var e *errs.Error
	if !errors.As(err, &e) || e.Code != "unavailable" || !strings.Contains(e.Hint, "lens model pull") {
		t.Fatalf("error %#v", err)
	}
}

func TestEmbed_LongText(t *testing.T) {
	m := openTiny(t)
	first, second := "a b c d e f g h i j k l m n", "z y x w"
	long := first + " " + second
	got, err := m.Embed(context.Background(), []string{long, first, second})
	if err != nil {
		t.Fatal(err)
	}
	if m.enc.maxTokens() != 14 || got[0].Tokens != 18 || got[0].Truncated {
		t.Fatalf("window %d, tokens %d", m.enc.maxTokens(), got[0].Tokens)
	}
	want := make([]float32, m.Dim())
	addScaled(want, got[1].Values, 14)
	addScaled(want, got[2].Values, 4)
	normalize(want)
	if d := distance(got[0].Values, want); d > 1e-6 {
		t.Fatalf("differs by %g", d)
	}
}

func TestEmbed_EmptyText(t *testing.T) {
	m := openTiny(t)
	got, err := m.Embed(context.Background(), []string{"", "a", "日本", "\xff"})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range got {
		if norm := math.Sqrt(float64(dot(e.Values))); math.Abs(norm-1) > 1e-5 {
			t.Errorf("vector %d has length %v", i, norm)
		}
	}
}

func TestEmbedQuery_Prefix(t *testing.T) {
	m := openTiny(t)
	query, err := m.EmbedQuery(context.Background(), "a b")
	if err != nil {
		t.Fatal(err)
	}
	texts, err := m.Embed(context.Background(), []string{"query: a b", "a b"})
	if err != nil {
		t.Fatal(err)
	}
	prefixed, bare := distance(query, texts[0].Values), distance(query, texts[1].Values)
	if bare == 0 || prefixed > bare/10 { // two texts in a batch are summed in a different order
		t.Fatalf("the query is %v away from itself with the prefix, %v without", prefixed, bare)
	}
}

// A query is cut at 512 tokens. The vector of a shorter one is that of the whole, bit by bit.
func TestEmbedQuery_Cut(t *testing.T) {
	m := openTiny(t)
	random, letters := rand.New(rand.NewPCG(1, 2)), []rune("abcdefghijklmnopqrstuvwxyz !日é\n")
	for _, runes := range []int{0, 1, 20, 300, 500, 505, 510, 515, 520, 525, 530, 600, 2000, 8000} {
		var text strings.Builder
		for range runes {
			text.WriteRune(letters[random.IntN(len(letters))])
		}
		got, err := m.EmbedQuery(t.Context(), text.String())
		testenv.Must(t, err)
		ids := m.tokens.encode(nil, m.prefix+text.String())
		first := make([]int32, min(len(ids), 512))
		copy(first, ids)
		whole := &Model{tokens: fixedTokens(first), enc: m.enc}
		want, err := whole.Embed(t.Context(), []string{""})
		testenv.Must(t, err)
		if !slices.Equal(got, want[0].Values) {
			t.Fatalf("the vector of a query of %d tokens is not that of its first %d", len(ids), len(first))
		}
	}
}

// fixedTokens is a tokenizer that returns the same ids for every text.
type fixedTokens []int32

func (f fixedTokens) encode(ids []int32, _ string) []int32 { return append(ids, f...) }

// What a long text begins with decides its first tokens, and little more of it is split than they take.
func TestFirstTokens(t *testing.T) {
	prose := strings.Repeat("The gearbox of my old bicycle makes a grinding noise whenever I climb a hill. ", 105)
	for name, c := range map[string]struct {
		text string
		most int // bytes that are split
	}{
		"prose":    {prose, 3072},
		"a page":   {prose[:2500], 2500},
		"code":     {strings.Repeat("\tif err := run(ctx, i); err != nil { return nil, err }\n", 150), 3072},
		"chinese":  {strings.Repeat("把一份很长的文件粘贴到搜索栏里 ", 180), 3 * 8192},
		"blanks":   {strings.Repeat("a"+strings.Repeat(" ", 99), 80), 3072 + 6144 + 8000},
		"one word": {strings.Repeat("é", 4096), 3072 + 6144 + 8192},
		"no blank": {strings.Repeat("a,", 4096), 3072},
	} {
		t.Run(name, func(t *testing.T) {
			for _, tokens := range tokenizersOf(t) {
				counted := &countedTokens{tokenizer: tokens}
				m := &Model{tokens: counted}
				got, more := m.firstTokens(c.text, maxQueryTokens)
				want := tokens.encode(nil, c.text)
				if more != (len(want) > maxQueryTokens) || !slices.Equal(got, want[:min(len(want), maxQueryTokens)]) {
					t.Errorf("%T: %d tokens of %d, and more: %v", tokens, len(got), len(want), more)
				}
				if counted.bytes > c.most {
					t.Errorf("%T: %d bytes are split for %d tokens, want at most %d", tokens, counted.bytes, len(got), c.most)
				}
			}
		})
	}
}

// tokenizersOf returns both kinds of tokenizers; that of use-lite only where it is installed.
func tokenizersOf(t *testing.T) []tokenizer {
	all := []tokenizer{openTiny(t).tokens}
	if dir := os.Getenv("LENS_TEST_USE_LITE"); dir != "" {
		unigram, err := openUseUnigram(filepath.Join(dir, "vocab.json"))
		testenv.Must(t, err)
		all = append(all, unigram)
	}
	return all
}

// countedTokens counts the bytes that it splits.
type countedTokens struct {
	tokenizer
	bytes int
}

func (c *countedTokens) encode(ids []int32, text string) []int32 {
	c.bytes += len(text)
	return c.tokenizer.encode(ids, text)
}

func TestEmbed_Canceled(t *testing.T) {
	m := openTiny(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	got, err := m.Embed(ctx, []string{"a", "b"})
	if !errors.Is(err, context.Canceled) || len(got) != 2 || got[0].Values != nil {
		t.Fatalf("%v, %v", got, err)
	}
}

func TestEncode_Allocations(t *testing.T) {
	m := openTiny(t)
	windows := [][]int32{m.tokens.encode(nil, "a b c d e f g"), m.tokens.encode(nil, "h i j")}
	out := [][]float32{make([]float32, m.Dim()), make([]float32, m.Dim())}
	w := &workspace{}
	if n := testing.AllocsPerRun(10, func() { m.enc.encode(out, windows, w) }); n != 0 {
		t.Fatalf("%v allocations a batch", n)
	}
}

// What grows with a text, its ids and the list of its windows, grows by doubling.
func TestEmbed_AllocationsPerToken(t *testing.T) {
	if underRace {
		t.Skip("SKIPPED: allocations are not counted under the race detector")
	}
	check := func(t *testing.T, m *Model) {
		allocations := func(tokens int) float64 {
			texts := []string{aText(tokens)}
			least := math.Inf(1)
			for range 5 { // a garbage collection in between empties pools
				least = min(least, testing.AllocsPerRun(1, func() {
					if _, err := m.Embed(context.Background(), texts); err != nil {
						t.Fatal(err)
					}
				}))
			}
			return least
		}
		few, many := allocations(60), allocations(600)
		if many > few+20 {
			t.Fatalf("%v allocations for 60 tokens, %v for 600", few, many)
		}
	}
	t.Run("bert", func(t *testing.T) { check(t, openTiny(t)) })
	t.Run("use-lite", func(t *testing.T) {
		if testing.Short() {
			t.Skip("SKIPPED: takes long in an emulator")
		}
		m, err := Open(useLiteDir(t), Spec{Name: "use-lite"})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		check(t, m)
	})
}

func dot(v []float32) (sum float32) {
	for _, x := range v {
		sum += x * x
	}
	return sum
}

func editJSON(t *testing.T, path string, change func(map[string]any)) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	change(v)
	data, _ = json.Marshal(v)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// editHeader changes the entry of one tensor.
func editHeader(change func(*tensorEntry)) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		path := filepath.Join(dir, "model.safetensors")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n := binary.LittleEndian.Uint64(data)
		var header map[string]tensorEntry
		if err := json.Unmarshal(data[8:8+n], &header); err != nil {
			t.Fatal(err)
		}
		e := header["embeddings.LayerNorm.weight"]
		change(&e)
		header["embeddings.LayerNorm.weight"] = e
		head, _ := json.Marshal(header)
		file := binary.LittleEndian.AppendUint64(nil, uint64(len(head)))
		if err := os.WriteFile(path, append(append(file, head...), data[8+n:]...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func cutFile(t *testing.T, path string, size int64) {
	t.Helper()
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}
