package app

import (
	"context"
	"errors"
	"iter"
	"strconv"
	"sync"

	"lens/cmd/internal/config"
	"lens/cmd/internal/network"
	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/embed"
	"lens/retrieval/embed/models"
	"lens/retrieval/embed/openai"
)

// model is an embedding model, and the models that can replace it.
type model struct {
	embed.Embedder
	counter counter
	server  string // the base URL that texts are sent to; "" if they stay in this process
	other   func(provider, name string) (*model, bool)
	close   func() error

	mu     sync.Mutex
	others []*model // returned by EmbedderFor, to be closed with this one
}

// counter estimates the cost of embedding texts.
type counter interface {
	Estimate(ctx context.Context, texts iter.Seq2[string, error]) (embed.Estimate, error)
	Model() (provider, name string)
}

// isBuiltin reports whether the model runs in this process, at no cost and without a network.
func (m *model) isBuiltin() bool { return m.server == "" }

// EmbedderFor returns the model that made an archive's vectors, if it needs no further setup: an installed built-in
// model, or another model of the same server.
func (m *model) EmbedderFor(provider, name string) (retrieval.Embedder, bool) {
	o, ok := m.other(provider, name)
	if !ok {
		return nil, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.others = append(m.others, o)
	return o, true
}

func (m *model) closeAll() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	failed := m.close()
	for _, o := range m.others {
		failed = errors.Join(failed, o.close())
	}
	return failed
}

// openModel returns the configured model, nil if there is none. l.mu is held.
func (l *App) openModel() (*model, error) {
	if l.model != nil || l.modelErr != nil {
		return l.model, l.modelErr
	}
	l.model, l.modelErr = l.newModel()
	return l.model, l.modelErr
}

func (l *App) newModel() (*model, error) {
	e := l.cfg.Embedding
	switch e.Kind {
	case config.OpenAI:
		if err := l.network.MayReach(network.Hostname(orDefault(e.BaseURL))); err != nil {
			return nil, err
		}
		return l.newOpenAI(e), nil
	case config.Auto:
		if _, there := l.models().FirstInstalled(); !there && e.Model == "" {
			return nil, nil
		}
		return l.newBuiltin(e.Model)
	case config.Local:
		return l.newBuiltin(e.Model)
	}
	return nil, nil
}

// openAI is the base URL if none is set.
const openAI = "https://api.openai.com/v1"

func orDefault(baseURL string) string {
	if baseURL == "" {
		return openAI
	}
	return baseURL
}

// newOpenAI returns the model of a server. It sends no request yet.
func (l *App) newOpenAI(e config.Embedding) *model {
	client := l.network.Client()
	m := openai.New(client, openai.Options{BaseURL: e.BaseURL, Key: e.Key, Model: e.Model, Provider: e.Provider})
	other := func(provider, name string) (*model, bool) {
		if provider == e.Provider {
			sibling := e
			sibling.Model = name
			return l.newOpenAI(sibling), true
		}
		return l.installed(provider, name)
	}
	idle := func() error { client.CloseIdleConnections(); return nil }
	return &model{Embedder: m, counter: m, server: orDefault(e.BaseURL), other: other, close: idle}
}

// models returns the folder of the built-in models.
func (l *App) models() models.Folder { return models.Folder(l.cfg.ModelsDir) }

// installed returns the built-in model of a generation, false if it is not installed.
func (l *App) installed(provider, name string) (*model, bool) {
	known, ok := models.Find(name)
	if provider != builtinProvider || !ok || !l.models().Has(known) {
		return nil, false
	}
	b := &builtin{folder: l.models(), name: name}
	return &model{Embedder: b, counter: b, other: l.installed, close: b.close}, true
}

// newBuiltin returns a built-in model; the first that is installed if name is "".
func (l *App) newBuiltin(name string) (*model, error) {
	if first, ok := l.models().FirstInstalled(); ok && name == "" {
		name = first.Name
	}
	if m, ok := l.installed(builtinProvider, name); ok {
		return m, nil
	}
	lack := &errs.Error{
		Code: errs.Unavailable, Op: "open model", Message: "no built-in model is installed",
		Hint: "run lens model pull",
	}
	if _, known := models.Find(name); known {
		lack.Message, lack.Hint = "the built-in model "+name+" is not installed", "run lens model pull "+name
	} else if name != "" {
		lack.Message = "unknown built-in model " + strconv.Quote(name)
		lack.Hint = "run lens model list; for a server's model, set OPENAI_API_KEY or OPENAI_BASE_URL"
	}
	return nil, lack
}
