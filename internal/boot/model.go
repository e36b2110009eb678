package boot

import (
	"context"
	"iter"
	"path/filepath"

	"lens/internal/config"
	"lens/retrieval/embed"
	"lens/retrieval/embed/models"
	"lens/retrieval/embed/openai"
	"lens/store"
)

// model is the embedding model that is configured.
type model struct {
	embed.Embedder
	counter counter
	server  string // where texts go; "" when they stay in this process
	close   func() error
}

// counter says what embedding texts would take.
type counter interface {
	Estimate(ctx context.Context, texts iter.Seq2[string, error]) (embed.Estimate, error)
	Model() (provider, name string)
}

// openModel returns the configured model, nil when there is none. l.mu is held.
func (l *Lens) openModel() (*model, error) {
	if l.model != nil || l.modelErr != nil {
		return l.model, l.modelErr
	}
	l.model, l.modelErr = l.newModel()
	return l.model, l.modelErr
}

func (l *Lens) newModel() (*model, error) {
	e := l.cfg.Embedding
	switch e.Kind {
	case config.OpenAI:
		if err := l.mayReach(hostname(orDefault(e.BaseURL))); err != nil {
			return nil, err
		}
		client := newClient(l.cfg.Offline)
		m := openai.New(client, openai.Options{BaseURL: e.BaseURL, Key: e.Key, Model: e.Model, Provider: e.Provider})
		idle := func() error { client.CloseIdleConnections(); return nil }
		return &model{Embedder: m, counter: m, server: orDefault(e.BaseURL), close: idle}, nil
	case config.Local:
		return l.newLocal(e.Model)
	}
	return nil, nil
}

// openAI is where texts go when no base URL is set.
const openAI = "https://api.openai.com/v1"

func orDefault(baseURL string) string {
	if baseURL == "" {
		return openAI
	}
	return baseURL
}

// newLocal opens a built-in model from the data folder; the first that is there when none is named.
func (l *Lens) newLocal(name string) (*model, error) {
	folder := models.Folder(filepath.Join(l.cfg.DataDir, "models"))
	if name == "" {
		first, ok := folder.First()
		if !ok {
			return nil, &store.Error{
				Code: store.CodeUnavailable, Op: "open model",
				Message: "no built-in model is in " + string(folder),
				Hint:    "put one there, or use a server: OPENAI_BASE_URL; LENS_EMBEDDING=none searches by keywords",
			}
		}
		name = first.Name
	}
	m, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	return &model{Embedder: m, counter: free{m}, close: m.Close}, nil
}

// free counts texts for a model that costs nothing but time, which nobody knows beforehand.
type free struct{ embed.Embedder }

func (free) Estimate(_ context.Context, texts iter.Seq2[string, error]) (embed.Estimate, error) {
	total := embed.Estimate{Priced: true}
	for _, err := range texts {
		if err != nil {
			return embed.Estimate{}, err
		}
		total.Texts++
	}
	return total, nil
}
