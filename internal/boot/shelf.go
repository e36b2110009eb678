package boot

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

// Shelf is a published index that is retrieved from. What cannot be read now may be later: it is tried again by whoever asks.
type Shelf struct {
	lens       *Lens
	index      *shard.Index
	configured *model // nil: none

	mu        sync.Mutex
	own       *model // of the index; nil: none, or it is configured
	retriever *retrieval.Retriever
}

// Shelf returns the index at a location, of which nothing is read yet. Errors: invalid for what is no location, blocked for one beyond this
// machine when Lens is offline, unavailable when there is no folder to keep what is fetched.
func (l *Lens) Shelf(ctx context.Context, location string) (*Shelf, error) {
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

// Retriever returns what retrieves from the index. Queries are embedded by the configured model, and where there is none by the built-in
// one that the index was made with. Whoever waits for the bucket waits no longer than ctx.
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

// embedder returns the configured model, or the built-in one of the index; nil for none. s.mu is held.
func (s *Shelf) embedder(of shard.Model) retrieval.Embedder {
	if s.configured != nil {
		return s.configured
	}
	if own, ok := s.lens.installed(of.Provider, of.ID); ok {
		s.own = own
		return own
	}
	return nil // and no nil of a model's type in an interface
}

// preparing is how long a bucket may be silent to Prepare: a query that comes meanwhile waits for the same answer, and might do better asking anew.
const preparing = 10 * time.Second

// Prepare does beforehand what the first query would have to wait for, whatever it asks: it reads the manifest and opens a built-in model.
// What fails is tried again by the query. It takes little longer than ten seconds, and must have returned before Close.
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

// Check reports whether there is an index that can be read, by its manifest.
func (s *Shelf) Check(ctx context.Context) error {
	_, err := s.index.Model(ctx)
	return err
}

// Close gives back what is open of the index.
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

// shelved is an index as retrieval wants it.
type shelved struct{ index *shard.Index }

// Narrow implements retrieval.Corpus.
func (s shelved) Narrow(ctx context.Context, f store.Filter) (retrieval.Subset, func(), error) {
	view, release, err := s.index.View(ctx, f)
	if err != nil {
		return nil, nil, err // and no nil of a view's type in an interface
	}
	return view, release, nil
}
