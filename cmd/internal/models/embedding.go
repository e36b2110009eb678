package models

import (
	"context"

	"lens/cmd/internal/config"
	"lens/internal/errs"
	"lens/store"
	"lens/store/ingest"
)

// Embedding computes the vectors of an archive.
type Embedding struct {
	models  *Models
	archive Archive

	continues bool // what Run embeds belongs to the vectors that are searched
}

// Archive opens an archive: for reading, which fails with not_found if there is none, or for writing.
type Archive interface {
	Reading(ctx context.Context) (store.Store, error)
	Writing(ctx context.Context) (store.Store, error)
}

// NewEmbedding returns the embedding of an archive with the configured model. It opens neither.
func NewEmbedding(m *Models, a Archive) *Embedding { return &Embedding{models: m, archive: a} }

// EmbedReport is the report of Run.
type EmbedReport = ingest.EmbedReport

// UseArchiveModel makes Run use the built-in model whose vectors are searched, and returns the model: updating its
// vectors costs nothing and sends nothing, so the user need not confirm. For an archive without vectors it is the
// configured model, if that is built in. It returns nil if there is no such model, or if embedding would switch models
// or send something. Run with a server's model then keeps to the prefixes of the vectors that are searched.
func (e *Embedding) UseArchiveModel(ctx context.Context) (*Model, error) {
	e.continues = true
	st, err := e.archive.Reading(ctx)
	if err != nil {
		return nil, err
	}
	g, err := searched(ctx, st)
	if err != nil {
		return nil, err
	}
	configured, err := e.models.Open()
	switch {
	case e.models.opts.Embedding.Kind == config.None:
		return nil, nil
	case g.ID != 0:
		own, ok := e.models.Installed(g.Provider, g.Model)
		if !ok {
			return nil, nil
		}
		e.models.use(own)
		return own.describe(), nil
	case err != nil || configured == nil || !configured.Builtin():
		return nil, nil
	}
	return configured.describe(), nil
}

// prefixes returns the prefixes of the generation that Run fills with m. generations are those of the archive.
func (e *Embedding) prefixes(m *Embedder, generations []store.Generation) store.Prefixes {
	if e.continues && len(generations) > 0 && generations[0].Active && m.made(generations[0]) {
		return generations[0].Prefixes
	}
	return m.prefixes
}

// searched returns the generation whose vectors are searched; the zero value if the archive is searched by keywords.
func searched(ctx context.Context, st store.Reader) (store.Generation, error) {
	all, err := st.Generations(ctx) // the active one comes first
	if err != nil || len(all) == 0 || !all[0].Active || all[0].Vectors == 0 {
		return store.Generation{}, err
	}
	return all[0], nil
}

// Coverage says how far an archive is embedded with a model.
type Coverage struct {
	Generation store.Generation // the model's; the zero value if it has no vectors yet
	Pending    int              // turns without a vector of it
}

// Searched returns the coverage of the model whose vectors are searched, without branches; the zero value if the
// archive is searched by keywords.
func (e *Embedding) Searched(ctx context.Context) (c Coverage, err error) {
	st, err := e.archive.Reading(ctx)
	if err != nil {
		return c, err
	}
	if c.Generation, err = searched(ctx, st); err != nil || c.Generation.ID == 0 {
		return c, err
	}
	c.Pending, err = st.CountPending(ctx, c.Generation.ID, store.Filter{})
	return c, err
}

// RemoveModel deletes a model that runs in this process. Errors: not_found if it is not installed, invalid if its
// vectors are searched, since queries would have none.
func (e *Embedding) RemoveModel(ctx context.Context, name string) error {
	c, err := e.Searched(ctx)
	switch {
	case err != nil && errs.CodeOf(err) != errs.NotFound: // without an archive, nothing is searched
		return err
	case err == nil && c.Generation.Provider == builtinProvider && c.Generation.Model == name:
		return &errs.Error{
			Code: errs.Invalid, Op: "remove model", Message: "the archive is searched with the vectors of " + name,
			Hint: "configure another model and run lens embed first",
		}
	}
	return e.models.folder.Remove(name)
}

// Lost counts the turns that have lost their vector of a model since before was taken.
func (e *Embedding) Lost(ctx context.Context, before Coverage) (int, error) {
	if before.Generation.ID == 0 {
		return 0, nil
	}
	st, err := e.archive.Reading(ctx)
	if err != nil {
		return 0, err
	}
	pending, err := st.CountPending(ctx, before.Generation.ID, store.Filter{})
	return max(0, pending-before.Pending), err
}

// Complete reports whether Run has nothing left to do: no turns to embed, and no switch to the model's vectors.
func (c Coverage) Complete() bool {
	return c.Pending == 0 && (c.Generation.Active || c.Generation.ID == 0)
}

// Coverage counts the turns that Run would embed, without reading them.
func (e *Embedding) Coverage(ctx context.Context, branches bool) (c Coverage, err error) {
	m, err := e.models.mustOpen()
	if err != nil {
		return c, err
	}
	st, err := e.archive.Reading(ctx)
	if err != nil {
		return c, err
	}
	all, err := st.Generations(ctx)
	if err != nil {
		return c, err
	}
	prefixes := e.prefixes(m, all)
	for _, g := range all { // the active one comes first
		if m.made(g) && g.Prefixes == prefixes {
			c.Generation = g
			break
		}
	}
	c.Pending, err = st.CountPending(ctx, c.Generation.ID, store.Filter{AllBranches: branches})
	return c, err
}

// Run computes a vector for every turn without one, including turns on branches if branches is set. The report is never
// nil.
func (e *Embedding) Run(ctx context.Context, branches bool, progress func(ingest.Progress)) (*EmbedReport, error) {
	m, err := e.models.mustOpen()
	if err != nil {
		return new(EmbedReport), err
	}
	st, err := e.archive.Writing(ctx)
	if err != nil {
		return new(EmbedReport), err
	}
	opts, err := e.options(ctx, st, m, branches, progress)
	if err != nil {
		return new(EmbedReport), err
	}
	if m.Builtin() {
		opts.Page = builtinPage
	}
	return ingest.Embed(ctx, st, m.client, opts) // a server's client is a BatchEmbedder
}

// options returns the options of Run with m.
func (e *Embedding) options(
	ctx context.Context, st store.Reader, m *Embedder, branches bool, progress func(ingest.Progress),
) (ingest.EmbedOptions, error) {
	generations, err := st.Generations(ctx)
	return ingest.EmbedOptions{
		Filter: store.Filter{AllBranches: branches}, Prefixes: e.prefixes(m, generations), Progress: progress,
	}, err
}

// builtinPage is how many turns a built-in model embeds before they are stored and reported: about a second's work,
// which is the most that Ctrl-C loses.
const builtinPage = 32

// Index builds the vector index, which makes searching a large archive fast, if the backend has one and it is missing.
// Searching by meaning works without it.
func (e *Embedding) Index(ctx context.Context, progress func(ingest.Progress)) error {
	st, err := e.archive.Reading(ctx)
	if err != nil {
		return err
	}
	if _, able := st.(store.VectorIndexer); !able {
		return nil
	}
	if st, err = e.archive.Writing(ctx); err != nil {
		return err
	}
	return st.(store.VectorIndexer).IndexVectors(ctx, func(done, total int) {
		progress(ingest.Progress{Done: int64(done), Total: int64(total)})
	})
}
