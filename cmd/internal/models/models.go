// Package models says which embedding model is used, gets built-in models, and computes the vectors of an archive.
package models

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"lens/cmd/internal/config"
	"lens/cmd/internal/network"
	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/embed/models"
	"lens/store"
)

// Models holds the configured embedding model, opened on first use, and the folder of built-in models. It is safe for
// concurrent use.
type Models struct {
	Demo bool // over the demo archive, which lens demo embeds

	opts   Options
	folder models.Folder
	hub    string

	mu       sync.Mutex
	used     *Embedder
	useErr   error
	fallback *Embedder   // replaces a configured model that cannot be used; nil: none
	replaced []*Embedder // by another used or fallback; an engine may still embed with them
}

// Options says which model to use, and where the built-in ones are.
type Options struct {
	Embedding config.Embedding
	Chosen    bool   // the user chose the kind of Embedding
	Dir       string // the folder of the built-in models
	Hub       string // where they are published; "": the usual place
	Network   network.Policy
	Measure   time.Duration // how long Measure embeds; 0: a second
}

// New returns the models of a configuration. It opens none.
func New(opts Options) *Models {
	return &Models{opts: opts, folder: models.Folder(opts.Dir), hub: cmp.Or(opts.Hub, models.Hub)}
}

// Close releases the open models.
func (m *Models) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	err := errors.Join(m.used.Close(), m.fallback.Close())
	for _, e := range m.replaced {
		err = errors.Join(err, e.Close())
	}
	m.used, m.fallback, m.replaced = nil, nil, nil
	return err
}

// Model describes an embedding model to a user.
type Model struct {
	Provider string `json:"provider"`
	Name     string `json:"model"`
	Server   string `json:"server"` // host that receives texts; "" if they stay on this machine
}

// Builtin reports whether the model runs in this process: it costs nothing and sends nothing.
func (m *Model) Builtin() bool { return m.Provider == builtinProvider }

// Configured describes the configured model, nil if there is none. Errors: invalid, unavailable, blocked if Lens is
// offline and the server is not on loopback.
func (m *Models) Configured() (*Model, error) {
	e, err := m.Open()
	if e == nil || err != nil {
		return nil, err
	}
	return e.describe(), nil
}

// Open returns the configured model, nil if there is none. It sends no request yet. Errors: as Configured.
func (m *Models) Open() (*Embedder, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used == nil && m.useErr == nil {
		m.used, m.useErr = m.open()
	}
	return m.used, m.useErr
}

func (m *Models) mustOpen() (*Embedder, error) {
	e, err := m.Open()
	if err != nil || e != nil {
		return e, err
	}
	return nil, &errs.Error{
		Code: errs.Unavailable, Op: "embed", Message: "no embedding model is configured",
		Hint: "run lens model pull, or set OPENAI_API_KEY, or OPENAI_BASE_URL for your own server;" +
			" searching by words needs no model",
	}
}

// use replaces the configured model by a built-in one.
func (m *Models) use(e *Embedder) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.replaced = append(m.replaced, m.used)
	m.used, m.useErr = e, nil
}

// ForQueries returns the model that embeds the queries of an archive: the configured one or, if that cannot be used,
// the built-in model that made the archive's vectors; nil if there is none.
func (m *Models) ForQueries(ctx context.Context, st store.Reader) retrieval.Embedder {
	e, err := m.Open()
	if err != nil {
		e = m.openFallback(ctx, st)
	}
	if e == nil {
		return nil // not a typed nil in an interface
	}
	return e
}

func (m *Models) openFallback(ctx context.Context, st store.Reader) *Embedder {
	g, err := searched(ctx, st)
	if err != nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.replaced = append(m.replaced, m.fallback)
	m.fallback, _ = m.Installed(g.Provider, g.Model)
	return m.fallback
}

// HasFallback reports whether ForQueries replaced the configured model, which cannot be used.
func (m *Models) HasFallback() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.fallback != nil
}

// Hint returns what to do to search by meaning, if embeddedShare of the turns have vectors; "" if the user need not set
// anything up.
func (m *Models) Hint(embeddedShare float64) string {
	e, err := m.Open()
	switch {
	case err != nil:
		return errs.First(err).Hint
	case e == nil && m.Demo:
		return "to search by meaning, run lens model pull, then lens demo"
	case e == nil && m.opts.Network.Offline:
		return "to search by meaning, run lens model pull, then lens embed"
	case e == nil:
		return "to search by meaning, run lens model pull or set OPENAI_API_KEY; then lens embed"
	case embeddedShare == 0 && m.Demo:
		return "to search by meaning, run lens demo again"
	case embeddedShare == 0:
		return "to search by meaning, run lens embed"
	}
	return ""
}
