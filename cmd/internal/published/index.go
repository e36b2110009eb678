package published

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"lens/cmd/internal/models"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
	"lens/store/shard"
)

// Index is a published index to retrieve from. If it cannot be read, the next request tries again.
type Index struct {
	models     *models.Models
	index      *shard.Index
	configured *models.Embedder // nil: none

	mu        sync.Mutex
	own       *models.Embedder // the model of the index; nil: none, or the configured one is used
	retriever *retrieval.Retriever
}

// Open returns the index at a location without reading it yet. Errors: invalid for an unsupported location, blocked if
// Lens is offline and the location is not on this machine, unavailable if the cache folder cannot be used.
func (x *Indexes) Open(ctx context.Context, location string) (*Index, error) {
	bucket, err := x.bucket(ctx, location)
	if err != nil {
		return nil, err
	}
	files, open, err := x.filesOf(bucket)
	if err != nil {
		return nil, err
	}
	i := &Index{models: x.models}
	opts := shard.Options{MaxIdleBytes: open}
	if m, err := x.models.Open(); err == nil && m != nil {
		i.configured = m
		_, opts.Model = m.Model()
	}
	i.index = shard.NewIndex(bucket, files, opts)
	return i, nil
}

// Retrieve calls retrieval.Retriever.Retrieve. A call waits for the bucket no longer than ctx.
func (i *Index) Retrieve(
	ctx context.Context, q query.Query, opts retrieval.RetrieveOptions,
) (*retrieval.Retrieved, error) {
	r, err := i.open(ctx)
	if err != nil {
		return nil, err
	}
	return r.Retrieve(ctx, q, opts)
}

// open returns the retriever over the index. It embeds queries with the configured model or, without one, with the
// built-in model that the index was made with.
func (i *Index) open(ctx context.Context) (*retrieval.Retriever, error) {
	var of shard.Model
	if i.configured == nil {
		var err error
		if of, err = i.index.Model(ctx); err != nil {
			return nil, err
		}
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.retriever == nil {
		i.retriever = retrieval.NewRetriever(corpus{i.index}, i.embedder(of))
		i.retriever.NameRevisions(i.models.Revision)
	}
	return i.retriever, nil
}

// embedder returns the configured model, or the built-in model of the index, nil for none. i.mu is held.
func (i *Index) embedder(of shard.Model) retrieval.Embedder {
	if i.configured != nil {
		return i.configured
	}
	if own, ok := i.models.Installed(of.Provider, of.ID); ok {
		i.own = own
		return own
	}
	return nil // not a typed nil in an interface
}

// preparing bounds how long Prepare waits for the bucket: a query that arrives meanwhile waits for the same response,
// and a new request might be quicker.
const preparing = 10 * time.Second

// Prepare does what the first query would otherwise wait for: it reads the manifest and opens a built-in model. The
// query retries whatever fails. Prepare takes little longer than ten seconds, and must return before Close is called.
func (i *Index) Prepare(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, preparing)
	defer cancel()
	var manifest sync.WaitGroup
	defer manifest.Wait()
	manifest.Go(func() { _ = i.Check(ctx) })
	if _, err := i.open(ctx); err != nil {
		return
	}
	i.mu.Lock()
	m := cmp.Or(i.configured, i.own)
	i.mu.Unlock()
	if m != nil {
		_ = m.Prepare(ctx)
	}
}

// Check returns an error if the manifest of the index cannot be read.
func (i *Index) Check(ctx context.Context) error {
	_, err := i.index.Model(ctx)
	return err
}

// Close releases the index and its model.
func (i *Index) Close() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	err := i.index.Close()
	if i.own != nil {
		err = errors.Join(err, i.own.Close())
	}
	i.own, i.retriever = nil, nil
	return err
}

// corpus adapts an index to retrieval.Corpus.
type corpus struct{ index *shard.Index }

// Narrow implements retrieval.Corpus.
func (c corpus) Narrow(ctx context.Context, f store.Filter) (retrieval.Subset, func(), error) {
	view, release, err := c.index.View(ctx, f)
	if err != nil {
		return nil, nil, err // not a typed nil in an interface
	}
	return view, release, nil
}
