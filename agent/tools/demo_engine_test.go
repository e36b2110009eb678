package tools

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/embed"
	"lens/retrieval/embed/embedtest"
	"lens/store/archivetest"
	"lens/store/ingest"
	"lens/store/sqlite"
)

// demoEngine returns an engine over the demo archive, which is created once.
func demoEngine(t *testing.T) *retrieval.Engine {
	t.Helper()
	engine, err := demoOnce()
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

var demoOnce = sync.OnceValues(func() (*retrieval.Engine, error) { return newDemo(demo.Options{}, nil) })

// newDemo imports a demo archive, which is removed after all tests, and embeds it if there is a model.
func newDemo(opts demo.Options, model *wordModel) (*retrieval.Engine, error) {
	dir, err := os.MkdirTemp("", "lens-tools")
	if err != nil {
		return nil, err
	}
	cleanUp = append(cleanUp, func() error { return os.RemoveAll(dir) })
	export := filepath.Join(dir, "conversations.json")
	if err := testenv.WriteDemo(export, opts); err != nil {
		return nil, err
	}
	st, err := sqlite.Open(context.Background(), sqlite.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	cleanUp = append(cleanUp, st.Close)
	_, err = ingest.Import(context.Background(), st, []string{export}, ingest.Options{})
	if err != nil || model == nil {
		return retrieval.New(st, nil), err
	}
	_, err = ingest.Embed(context.Background(), st, model, ingest.EmbedOptions{})
	return retrieval.New(st, model), err
}

// cleanUp runs after all tests, in reverse order.
var cleanUp []func() error

func importedEngine(t *testing.T, path string) *retrieval.Engine {
	t.Helper()
	return retrieval.New(archivetest.New(t, path), nil)
}

// wordModel is an embedding model that knows the first words of a text and counts its queries.
type wordModel struct {
	mu      sync.Mutex
	queries map[string]int
}

func (*wordModel) Model() (provider, name string) { return "test", "words" }

func (*wordModel) Embed(_ context.Context, texts []string) ([]embed.Embedding, error) {
	all := make([]embed.Embedding, len(texts))
	for i, text := range texts {
		all[i] = embed.Embedding{Values: vectorOf(text), Tokens: len(text) / 4}
	}
	return all, nil
}

func (m *wordModel) EmbedQuery(_ context.Context, text string) ([]float32, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.queries == nil {
		m.queries = map[string]int{}
	}
	m.queries[text]++
	return vectorOf(text), nil
}

// vectorOf returns a vector with as many dimensions as use-lite's.
func vectorOf(text string) []float32 {
	words := strings.Fields(text)
	return embedtest.Vector(strings.Join(words[:min(12, len(words))], " "), 512)
}
