package local

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lens/internal/simd"
	"lens/internal/testenv"
)

type golden struct {
	Dimensions int
	Texts      []struct {
		Kind, Text, Note string
		TokenIDs         []int32   `json:"token_ids"`
		Vector           []float32 `json:"vector"`
		CLS              []float32 `json:"cls_vector"`
		Mean             []float32 `json:"mean_vector"`
		Untruncated      int       `json:"untruncated_length"`
	}
}

// useLiteDir returns the folder of the real weights, which LENS_TEST_USE_LITE names, and skips without.
func useLiteDir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("LENS_TEST_USE_LITE")
	if dir == "" {
		t.Skip("SKIPPED: LENS_TEST_USE_LITE names no folder with the weights of use-lite")
	}
	return dir
}

// sampled reports whether the vector of text i is compared too, and not its tokens only. With -short, for emulators, it is for texts
// of a few tokens and a sample of the others.
func sampled(i, tokens int) bool { return !testing.Short() || tokens <= 16 || i%24 == 0 }

func readGolden(t testing.TB, path string) golden {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(data, &g); err != nil {
		t.Fatal(err)
	}
	if len(g.Texts) < 100 {
		t.Fatalf("only %d texts in %s", len(g.Texts), path)
	}
	return g
}

func TestEmbed_UseLiteReference(t *testing.T) {
	g := readGolden(t, testenv.Shared(t, "encoders/use-lite/golden.json"))
	m, err := Open(useLiteDir(t), Spec{Name: "use-lite"})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	worst, vectors := 0.0, 0
	for i, row := range g.Texts {
		ids := m.tokens.encode(nil, row.Text)
		if !slices.Equal(ids, row.TokenIDs) {
			t.Errorf("%s %.40q (%s): tokens %v, want %v", row.Kind, row.Text, row.Note, ids, row.TokenIDs)
			continue
		}
		if sampled(i, len(ids)) {
			vectors++
			worst = max(worst, distance(encodeWindow(m, ids), row.Vector))
		}
	}
	t.Logf("%s: %d token lists, %d vectors, largest difference of a component %.2g", simd.Level(), len(g.Texts), vectors, worst)
	if worst > 1e-5 {
		t.Errorf("vectors differ by %g", worst)
	}
}

func TestEmbed_BERTReference(t *testing.T) {
	g := readGolden(t, testenv.Shared(t, "encoders/bert-tiny/golden.json"))
	for _, pooling := range []Pooling{FirstToken, MeanToken} {
		m, err := Open(testenv.Shared(t, "encoders/bert-tiny"), Spec{Name: "bert-tiny", Pooling: pooling})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		worst, vectors := 0.0, 0
		for i, row := range g.Texts {
			ids := m.tokens.encode(nil, row.Text)
			ids = ids[:min(len(ids), m.enc.maxTokens())]
			if with := slices.Concat([]int32{101}, ids, []int32{102}); !slices.Equal(with, row.TokenIDs) {
				t.Errorf("%s %.40q (%s): tokens %v, want %v", row.Kind, row.Text, row.Note, with, row.TokenIDs)
				continue
			}
			want := row.CLS
			if pooling == MeanToken {
				want = row.Mean
			}
			if sampled(i, len(ids)) {
				vectors++
				worst = max(worst, distance(encodeWindow(m, ids), want))
			}
		}
		t.Logf("%s, pooling %d: %d token lists, %d vectors, largest difference of a component %.2g", simd.Level(), pooling, len(g.Texts), vectors, worst)
		if worst > 5e-6 {
			t.Errorf("pooling %d: vectors differ by %g", pooling, worst)
		}
	}
}

// miniLMDir returns the folder of the publisher's files, in the folder that LENS_TEST_MODELS names, and skips without.
func miniLMDir(t testing.TB) string {
	t.Helper()
	models := os.Getenv("LENS_TEST_MODELS")
	if models == "" {
		t.Skip("SKIPPED: LENS_TEST_MODELS names no folder with all-MiniLM-L6-v2")
	}
	return filepath.Join(models, "all-MiniLM-L6-v2")
}

func TestEmbed_MiniLMReference(t *testing.T) {
	data, err := os.ReadFile("testdata/minilm/golden.json")
	testenv.Must(t, err)
	var g golden
	testenv.Must(t, json.Unmarshal(data, &g))
	if len(g.Texts) != 20 {
		t.Fatalf("%d texts", len(g.Texts))
	}
	m, err := Open(miniLMDir(t), Spec{Name: "all-MiniLM-L6-v2", Pooling: MeanToken})
	testenv.Must(t, err)
	defer m.Close()
	worst := 0.0
	for _, row := range g.Texts {
		ids := m.tokens.encode(nil, row.Text)
		if with := slices.Concat([]int32{101}, ids, []int32{102}); !slices.Equal(with, row.TokenIDs) {
			t.Errorf("%.40q: tokens %v, want %v", row.Text, with, row.TokenIDs)
		}
		found, err := m.Embed(t.Context(), []string{row.Text})
		testenv.Must(t, err)
		worst = max(worst, distance(found[0].Values, row.Vector))
	}
	t.Logf("%s: %d token lists and vectors, largest difference of a component %.2g", simd.Level(), len(g.Texts), worst)
	if worst > 5e-6 {
		t.Errorf("vectors differ by %g", worst)
	}
}

// encodeWindow returns the vector of the first window of ids, the only one that the references cover.
func encodeWindow(m *Model, ids []int32) []float32 {
	out := make([]float32, m.Dim())
	m.enc.encode([][]float32{out}, [][]int32{ids[:min(len(ids), m.enc.maxTokens())]}, &workspace{})
	return out
}

func distance(a, b []float32) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	worst := 0.0
	for i := range a {
		worst = max(worst, math.Abs(float64(a[i]-b[i])))
	}
	return worst
}

func TestEmbed_IndependentOfBatch(t *testing.T) {
	m, err := Open(testenv.Shared(t, "encoders/bert-tiny"), Spec{Name: "bert-tiny"})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var texts []string
	for _, row := range readGolden(t, testenv.Shared(t, "encoders/bert-tiny/golden.json")).Texts {
		texts = append(texts, row.Text)
	}
	together, err := m.Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		alone, err := m.Embed(context.Background(), []string{text})
		if err != nil {
			t.Fatal(err)
		}
		if d := distance(alone[0].Values, together[i].Values); d > 2e-6 {
			t.Errorf("text %d differs by %g from itself in a batch", i, d)
		}
	}
}
