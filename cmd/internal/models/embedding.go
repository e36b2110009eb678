package app

import (
	"context"
	"net/url"

	"lens/cmd/internal/config"
	"lens/cmd/internal/doctor"
	"lens/cmd/internal/network"
	"lens/internal/errs"
	"lens/retrieval/embed"
	"lens/store"
	"lens/store/ingest"
)

// Progress, Estimate and EmbedReport are the types of the write path that front ends need.
type (
	Progress    = ingest.Progress
	Estimate    = embed.Estimate
	EmbedReport = ingest.EmbedReport
)

// Model describes an embedding model to a user.
type Model struct {
	Provider string `json:"provider"`
	Name     string `json:"model"`
	Server   string `json:"server"` // host that receives texts; "" if they stay on this machine
}

// Builtin reports whether the model runs in this process: it costs nothing and sends nothing.
func (m *Model) Builtin() bool { return m.Provider == builtinProvider }

// EmbeddingModel returns the configured model, nil if there is none. Errors: invalid, unavailable, blocked if Lens is
// offline and the server is not on loopback.
func (l *App) EmbeddingModel() (*Model, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m, err := l.openModel()
	if m == nil || err != nil {
		return nil, err
	}
	provider, name := m.Model()
	return &Model{Provider: provider, Name: name, Server: m.host()}, nil
}

// host returns the host that receives texts, "" if that is this machine.
func (m *model) host() string {
	u, err := url.Parse(m.server)
	if err != nil || network.IsLoopback(u.Hostname()) {
		return ""
	}
	return u.Host
}

// KeepUp makes Embed use the built-in model whose vectors are searched, and returns the model: updating its vectors
// costs nothing and sends nothing, so the user need not confirm. For an archive without vectors it is the configured
// model, if that is built in. It returns nil if there is no such model, or if embedding would switch models or send
// something.
func (l *App) KeepUp(ctx context.Context) (*Model, error) {
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
		l.model, l.modelErr = keeper, nil // the previous one has nothing to close
	case err != nil || m == nil || !m.isBuiltin():
		return nil, nil
	}
	provider, name := l.model.Model()
	return &Model{Provider: provider, Name: name}, nil
}

// searched returns the generation whose vectors are searched; the zero value if the archive is searched by keywords.
func searched(ctx context.Context, st store.Reader) (store.Generation, error) {
	all, err := st.Generations(ctx) // the active one comes first
	if err != nil || len(all) == 0 || !all[0].Active || all[0].Vectors == 0 {
		return store.Generation{}, err
	}
	return all[0], nil
}

// Standing says how far an archive is embedded with a model.
type Standing struct {
	Generation store.Generation // the model's; the zero value if it has no vectors yet
	Pending    int              // turns without a vector of it
}

// Searched returns the standing of the model whose vectors are searched, without branches; the zero value if the
// archive is searched by keywords.
func (l *App) Searched(ctx context.Context) (s Standing, err error) {
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

// Lost counts the turns that have lost their vector of a model since before was taken.
func (l *App) Lost(ctx context.Context, before Standing) (int, error) {
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

// Settled reports whether Embed has nothing left to do: no turns to embed, and no switch to the model's vectors.
func (s Standing) Settled() bool {
	return s.Pending == 0 && (s.Generation.Active || s.Generation.ID == 0)
}

// Standing counts the turns that Embed would embed, without reading them.
func (l *App) Standing(ctx context.Context, branches bool) (s Standing, err error) {
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

// Embed computes a vector for every turn without one, including turns on branches if branches is set. The report is
// never nil.
func (l *App) Embed(ctx context.Context, branches bool, tell func(Progress)) (*EmbedReport, error) {
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

// builtinPage is how many turns a built-in model embeds before they are stored and reported: about a second's work,
// which is the most that Ctrl-C loses.
const builtinPage = 32

// IndexVectors builds the vector index, which makes searching a large archive fast, if the backend has one and it is
// missing. Searching by meaning works without it.
func (l *App) IndexVectors(ctx context.Context, tell func(Progress)) error {
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
	return st.(store.VectorIndexer).IndexVectors(ctx, func(done, total int) {
		tell(Progress{Done: int64(done), Total: int64(total)})
	})
}

func (l *App) mustHaveModel() (*model, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m, err := l.openModel()
	if err != nil || m != nil {
		return m, err
	}
	return nil, &errs.Error{
		Code: errs.Unavailable, Op: "embed", Message: "no embedding model is configured",
		Hint: "run lens model pull, or set OPENAI_API_KEY, or OPENAI_BASE_URL for your own server;" +
			" searching by words needs no model",
	}
}

// MeaningHint returns what to do to search by meaning, if embeddedShare of the turns have vectors; "" if the user need
// not set anything up.
func (l *App) MeaningHint(embeddedShare float64) string {
	m, err := l.EmbeddingModel()
	switch {
	case err != nil:
		return doctor.Failed("", err).Hint
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
