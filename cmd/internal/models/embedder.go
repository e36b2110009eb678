package models

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"net/url"
	"strconv"
	"sync"

	"lens/cmd/internal/config"
	"lens/cmd/internal/network"
	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/embed"
	"lens/retrieval/embed/models"
	"lens/retrieval/embed/openai"
	"lens/store"
)

// Embedder is an embedding model, and the models that can replace it.
type Embedder struct {
	client
	server   string         // the base URL that texts are sent to; "" if they stay in this process
	prefixes store.Prefixes // of the next generation; a model that Lens trusts puts its own before queries
	replace  func(provider, name string) (*Embedder, bool)
	close    func() error

	mu     sync.Mutex
	others []*Embedder // returned by EmbedderFor, to be closed with this one
}

// client makes vectors and estimates their cost.
type client interface {
	embed.Embedder
	Estimate(ctx context.Context, texts iter.Seq2[string, error]) (embed.Estimate, error)
}

// Builtin reports whether the model runs in this process, at no cost and without a network.
func (e *Embedder) Builtin() bool { return e.server == "" }

// Prepare loads a built-in model and embeds a word with it, which the first query would wait for. It asks no server.
func (e *Embedder) Prepare(ctx context.Context) error {
	if !e.Builtin() {
		return nil
	}
	_, err := e.EmbedQuery(ctx, "prepare")
	return err
}

// made reports whether the vectors of g are the model's.
func (e *Embedder) made(g store.Generation) bool {
	provider, name := e.Model()
	return g.Provider == provider && g.Model == name && g.Recipe == store.Recipe
}

// host returns the host that receives texts, "" if that is this machine.
func (e *Embedder) host() string {
	u, err := url.Parse(e.server)
	if err != nil || network.IsLoopback(u.Hostname()) {
		return ""
	}
	return u.Host
}

// isOpenAI reports whether texts go to OpenAI itself, not to another server with the same API.
func (e *Embedder) isOpenAI() bool { return e.host() == network.Hostname(config.OpenAIURL) }

func (e *Embedder) describe() *Model {
	provider, name := e.Model()
	return &Model{Provider: provider, Name: name, Server: e.host()}
}

// EmbedderFor returns the model that made an archive's vectors, if it needs no further setup: an installed built-in
// model, or another model of the same server.
func (e *Embedder) EmbedderFor(provider, name string) (retrieval.Embedder, bool) {
	other, ok := e.replace(provider, name)
	if !ok {
		return nil, false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.others = append(e.others, other)
	return other, true
}

// WholeText reports whether a model got a text as it is; see store.WholeText. Built-in models read texts of any length.
func WholeText(provider, name, text string) bool {
	return provider == builtinProvider || openai.Whole(name, text)
}

// Close releases the model and those that EmbedderFor returned. A nil model has nothing to release.
func (e *Embedder) Close() error {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	err := e.close()
	for _, other := range e.others {
		err = errors.Join(err, other.Close())
	}
	return err
}

func (m *Models) open() (*Embedder, error) {
	c := m.opts.Embedding
	switch c.Kind {
	case config.OpenAI:
		if err := m.opts.Network.MayReach(network.Hostname(c.URL())); err != nil {
			return nil, err
		}
		return m.newOpenAI(c), nil
	case config.Auto:
		if _, there := m.folder.FirstInstalled(); !there && c.Model == "" {
			return nil, nil
		}
		return m.openBuiltin(c.Model)
	case config.Local:
		return m.openBuiltin(c.Model)
	}
	return nil, nil
}

// newOpenAI returns the model of a server. It sends no request yet.
func (m *Models) newOpenAI(c config.Embedding) *Embedder {
	client := m.opts.Network.Client()
	replace := func(provider, name string) (*Embedder, bool) {
		if provider == c.Provider {
			sibling := c
			sibling.Model = name
			return m.newOpenAI(sibling), true
		}
		return m.Installed(provider, name)
	}
	embedder := openai.New(client, openai.Options{BaseURL: c.BaseURL, Key: c.Key, Model: c.Model, Provider: c.Provider})
	_, name := embedder.Model()
	return &Embedder{
		client:   embedder,
		server:   c.URL(),
		prefixes: prefixesOf(c, name),
		replace:  replace,
		close:    func() error { client.CloseIdleConnections(); return nil },
	}
}

// PrefixesOf returns the prefixes that vectors made elsewhere are taken to have: those that Lens would give the model.
func (m *Models) PrefixesOf(provider, name string) store.Prefixes {
	c := m.opts.Embedding
	switch {
	case provider == builtinProvider:
		if k, ok := m.folder.Find(name); !ok || !k.Unverified {
			return store.Prefixes{}
		}
		if c.Kind == config.OpenAI || c.Model != "" && c.Model != name {
			c = config.Embedding{} // the settings are for another model
		}
	case provider != c.Provider || name != cmp.Or(c.Model, openai.DefaultModel):
		c = config.Embedding{} // the settings are for another model
	}
	return prefixesOf(c, name)
}

// prefixesOf returns the prefixes of a model that Lens does not know: those that are set, else those that its name
// tells.
func prefixesOf(c config.Embedding, name string) store.Prefixes {
	p := store.Prefixes(embed.PrefixesOf(name))
	if c.QueryPrefix != nil {
		p.Query = *c.QueryPrefix
	}
	if c.DocumentPrefix != nil {
		p.Document = *c.DocumentPrefix
	}
	return p
}

// Installed returns the model of this process that made the vectors of a generation, false if it is not installed. One
// that was imported unverified and has lost a file says so when it is used.
func (m *Models) Installed(provider, name string) (*Embedder, bool) {
	known, ok := m.folder.Find(name)
	if provider != builtinProvider || !ok || !m.folder.Has(known) {
		return nil, false
	}
	b := &lazyModel{folder: m.folder, name: name, budget: cmp.Or(m.opts.Measure, sampleBudget)}
	prefixes := m.PrefixesOf(provider, name)
	return &Embedder{client: b, prefixes: prefixes, replace: m.Installed, close: b.close}, true
}

// openBuiltin returns a built-in model; the first that is installed if name is "".
func (m *Models) openBuiltin(name string) (*Embedder, error) {
	if first, ok := m.folder.FirstInstalled(); ok && name == "" {
		name = first.Name
	}
	if e, ok := m.Installed(builtinProvider, name); ok {
		return e, nil
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
