package boot

import (
	"context"
	"net/url"

	"lens/internal/config"
	"lens/retrieval/embed"
	"lens/store"
	"lens/store/ingest"
)

// Progress, Estimate and EmbedReport are what faces need of the write path.
type (
	Progress    = ingest.Progress
	Estimate    = embed.Estimate
	EmbedReport = ingest.EmbedReport
)

// Model is an embedding model as a person is told of it.
type Model struct {
	Provider string `json:"provider"`
	Name     string `json:"model"`
	Server   string `json:"server"` // host that texts are sent to; "" when they stay on this machine
}

// Builtin reports whether the model runs in this process: it costs nothing, and nothing is sent.
func (m *Model) Builtin() bool { return m.Provider == builtinProvider }

// EmbeddingModel returns the configured model, nil when there is none. Errors: invalid, unavailable, blocked when it is beyond loopback and
// Lens is offline.
func (l *Lens) EmbeddingModel() (*Model, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m, err := l.openModel()
	if m == nil || err != nil {
		return nil, err
	}
	provider, name := m.Model()
	return &Model{Provider: provider, Name: name, Server: m.host()}, nil
}

// host returns where texts go, "" when that is this machine.
func (m *model) host() string {
	u, err := url.Parse(m.server)
	if err != nil || isLoopback(u.Hostname()) {
		return ""
	}
	return u.Host
}

// KeepUp makes Embed use the built-in model that an archive is searched by, and returns it: to bring its vectors up to date costs nothing and
// sends nothing, so nobody need be asked. For an archive without vectors that is the configured model, when it is a built-in one.
// nil: there is none, or going on would change what the archive is searched by, or send something.
func (l *Lens) KeepUp(ctx context.Context) (*Model, error) {
	st, err := l.reading(ctx)
	if err != nil {
		return nil, err
	}
	g, err := searched(ctx, st)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	m, err := l.openModel()
	switch {
	case l.cfg.Embedding.Kind == config.None:
		return nil, nil
	case g.ID != 0:
		keeper, ok := l.installed(g.Provider, g.Model)
		if !ok {
			return nil, nil
		}
		l.model, l.modelErr = keeper, nil // the one before opened nothing that must be closed
	case err != nil || m == nil || !m.isBuiltin():
		return nil, nil
	}
	provider, name := l.model.Model()
	return &Model{Provider: provider, Name: name}, nil
}

// searched returns the generation whose vectors an archive is searched by; the zero value when it is searched by keywords.
func searched(ctx context.Context, st store.Reader) (store.Generation, error) {
	all, err := st.Generations(ctx) // the active one comes first
	if err != nil || len(all) == 0 || !all[0].Active || all[0].Vectors == 0 {
		return store.Generation{}, err
	}
	return all[0], nil
}

// Standing is where an archive stands with the configured model.
type Standing struct {
	Generation store.Generation // the model's; the zero value when it has made no vector yet
	Pending    int              // turns that have no vector of it
}

// Searched is where an archive stands with the model whose vectors it is searched by, without its branches; the zero value when it is
// searched by keywords.
func (l *Lens) Searched(ctx context.Context) (s Standing, err error) {
	st, err := l.reading(ctx)
	if err != nil {
		return s, err
	}
	if s.Generation, err = searched(ctx, st); err != nil || s.Generation.ID == 0 {
		return s, err
	}
	s.Pending, err = st.CountPending(ctx, s.Generation.ID, store.Filter{})
	return s, err
}

// Lost counts the turns that have lost their vector of a model since the archive stood as it did before.
func (l *Lens) Lost(ctx context.Context, before Standing) (int, error) {
	if before.Generation.ID == 0 {
		return 0, nil
	}
	st, err := l.reading(ctx)
	if err != nil {
		return 0, err
	}
	pending, err := st.CountPending(ctx, before.Generation.ID, store.Filter{})
	return max(0, pending-before.Pending), err
}

// Settled reports whether nothing is left for Embed to do: neither turns nor making the model's vectors those that are searched.
func (s Standing) Settled() bool {
	return s.Pending == 0 && (s.Generation.Active || s.Generation.ID == 0)
}

// Standing counts what Embed would embed, without reading it.
func (l *Lens) Standing(ctx context.Context, branches bool) (s Standing, err error) {
	m, err := l.mustHaveModel()
	if err != nil {
		return s, err
	}
	st, err := l.reading(ctx)
	if err != nil {
		return s, err
	}
	all, err := st.Generations(ctx)
	if err != nil {
		return s, err
	}
	provider, name := m.Model()
	for _, g := range all { // the active one comes first
		if g.Provider == provider && g.Model == name && g.Recipe == store.Recipe {
			s.Generation = g
			break
		}
	}
	s.Pending, err = st.CountPending(ctx, s.Generation.ID, store.Filter{AllBranches: branches})
	return s, err
}

// Embed gives a vector to every turn that has none, with those of branches when asked to. The report is never nil.
func (l *Lens) Embed(ctx context.Context, branches bool, tell func(Progress)) (*EmbedReport, error) {
	m, err := l.mustHaveModel()
	if err != nil {
		return new(EmbedReport), err
	}
	st, err := l.writing(ctx)
	if err != nil {
		return new(EmbedReport), err
	}
	opts := ingest.EmbedOptions{Filter: store.Filter{AllBranches: branches}, Progress: tell}
	if m.isBuiltin() {
		opts.Page = builtinPage
	}
	return ingest.Embed(ctx, st, m.Embedder, opts)
}

// builtinPage is how many turns a built-in model embeds before they are stored and told of: a second's work, which is all that Ctrl-C loses.
const builtinPage = 32

// IndexVectors builds the index by which a large archive's vectors are searched fast, where the backend has one and it is missing.
// Search by meaning works without it.
func (l *Lens) IndexVectors(ctx context.Context, tell func(Progress)) error {
	st, err := l.reading(ctx)
	if err != nil {
		return err
	}
	if _, able := st.(store.VectorIndexer); !able {
		return nil
	}
	if st, err = l.writing(ctx); err != nil {
		return err
	}
	return st.(store.VectorIndexer).IndexVectors(ctx, func(done, total int) { tell(Progress{Done: int64(done), Total: int64(total)}) })
}

func (l *Lens) mustHaveModel() (*model, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m, err := l.openModel()
	if err != nil || m != nil {
		return m, err
	}
	return nil, &store.Error{
		Code: store.CodeUnavailable, Op: "embed", Message: "no embedding model is configured",
		Hint: "run lens model pull, or set OPENAI_API_KEY, or OPENAI_BASE_URL for your own server;" +
			" searching by words needs no model",
	}
}

// MeaningHint says what to do so that search is by meaning too, when embeddedShare of the turns have vectors; "" when nothing is missing
// that a person could set up.
func (l *Lens) MeaningHint(embeddedShare float64) string {
	m, err := l.EmbeddingModel()
	switch {
	case err != nil:
		return Failed("", err).Hint
	case m == nil && l.demo:
		return "to search by meaning, run lens model pull, then lens demo"
	case m == nil && l.cfg.Offline:
		return "to search by meaning, run lens model pull, then lens embed"
	case m == nil:
		return "to search by meaning, run lens model pull or set OPENAI_API_KEY; then lens embed"
	case embeddedShare == 0 && l.demo:
		return "to search by meaning, run lens demo again"
	case embeddedShare == 0:
		return "to search by meaning, run lens embed"
	}
	return ""
}
