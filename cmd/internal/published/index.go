package app

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"lens/retrieval"
	"lens/store"
	"lens/store/shard"
)

// Shelf is a published index to retrieve from. If it cannot be read, the next request tries again.
type Shelf struct {
	lens       *App
	index      *shard.Index
	configured *model // nil: none

	mu        sync.Mutex
	own       *model // the model of the index; nil: none, or the configured one is used
	retriever *retrieval.Retriever
}

// Shelf returns the index at a location without reading it yet. Errors: invalid for an unsupported location, blocked if
// Lens is offline and the location is not on this machine, unavailable if the cache folder cannot be used.
func (l *App) Shelf(ctx context.Context, location string) (*Shelf, error) {
	bucket, err := l.bucket(ctx, location)
	if err != nil {
		return nil, err
	}
	files, open, err := l.filesOf(bucket)
	if err != nil {
		return nil, err
	}
	s := &Shelf{lens: l}
	opts := shard.Options{MaxIdleBytes: open}
	l.mu.Lock()
	defer l.mu.Unlock()
	if m, err := l.openModel(); err == nil && m != nil {
		s.configured = m
		_, opts.Model = m.Model()
	}
	s.index = shard.NewIndex(bucket, files, opts)
	return s, nil
}

// Retriever returns the retriever over the index. It embeds queries with the configured model or, without one, with the
// built-in model that the index was made with. A call waits for the bucket no longer than ctx.
func (s *Shelf) Retriever(ctx context.Context) (*retrieval.Retriever, error) {
	var of shard.Model
	if s.configured == nil {
		var err error
		if of, err = s.index.Model(ctx); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.retriever == nil {
		s.retriever = retrieval.NewRetriever(shelved{s.index}, s.embedder(of))
	}
	return s.retriever, nil
}

// embedder returns the configured model, or the built-in model of the index, nil for none. s.mu is held.
func (s *Shelf) embedder(of shard.Model) retrieval.Embedder {
	if s.configured != nil {
		return s.configured
	}
	if own, ok := s.lens.installed(of.Provider, of.ID); ok {
		s.own = own
		return own
	}
	return nil // not a typed nil in an interface
}

// preparing bounds how long Prepare waits for the bucket: a query that arrives meanwhile waits for the same response,
// and a new request might be quicker.
const preparing = 10 * time.Second

// Prepare does what the first query would otherwise wait for: it reads the manifest and opens a built-in model. The
// query retries whatever fails. Prepare takes little longer than ten seconds, and must return before Close is called.
func (s *Shelf) Prepare(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, preparing)
	defer cancel()
	var manifest sync.WaitGroup
	defer manifest.Wait()
	manifest.Go(func() { _ = s.Check(ctx) })
	if _, err := s.Retriever(ctx); err != nil {
		return
	}
	s.mu.Lock()
	m := cmp.Or(s.configured, s.own)
	s.mu.Unlock()
	if m != nil && m.isBuiltin() {
		_, _ = m.EmbedQuery(ctx, "prepare")
	}
}

// Check returns an error if the manifest of the index cannot be read.
func (s *Shelf) Check(ctx context.Context) error {
	_, err := s.index.Model(ctx)
	return err
}

// Close releases the index and its model.
func (s *Shelf) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.index.Close()
	if s.own != nil {
		err = errors.Join(err, s.own.closeAll())
	}
	s.own, s.retriever = nil, nil
	return err
}

// shelved adapts an index to retrieval.Corpus.
type shelved struct{ index *shard.Index }

// Narrow implements retrieval.Corpus.
func (s shelved) Narrow(ctx context.Context, f store.Filter) (retrieval.Subset, func(), error) {
	view, release, err := s.index.View(ctx, f)
	if err != nil {
		return nil, nil, err // not a typed nil in an interface
	}
	return view, release, nil
}
