package boot

import (
	"context"
	"net/url"

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

// Standing is where an archive stands with the configured model.
type Standing struct {
	Generation store.Generation // the model's; the zero value when it has made no vector yet
	Pending    int              // turns that have no vector of it
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
	return ingest.Embed(ctx, st, m.Embedder, ingest.EmbedOptions{Filter: store.Filter{AllBranches: branches}, Progress: tell})
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
		Hint: "set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own; keyword search works without",
	}
}

// MeaningHint says what to do so that search is by meaning too, when embeddedShare of the turns have vectors; "" when nothing is missing
// that a person could set up.
func (l *Lens) MeaningHint(embeddedShare float64) string {
	m, err := l.EmbeddingModel()
	switch {
	case err != nil:
		return Failed("", err).Hint
	case m == nil:
		return "to search by meaning, set OPENAI_API_KEY or OPENAI_BASE_URL and run lens embed"
	case embeddedShare == 0:
		return "to search by meaning, run lens embed"
	}
	return ""
}
