package retrieval

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/store"
)

// Retrieve works like Retriever.Retrieve, over the chunks of the archive.
func (e *Engine) Retrieve(ctx context.Context, q query.Query, opts RetrieveOptions) (found *Retrieved, err error) {
	err = e.readConsistently(ctx, func(a *snapshot) error {
		r := &Retriever{&archiveCorpus{Source: e.source, snapshot: a}, e.embedders, e.revisionOf}
		found, err = r.Retrieve(ctx, q, opts)
		return err
	})
	return found, err
}

// archiveCorpus serves the chunks of the archive as a Corpus, for one query.
type archiveCorpus struct {
	Source
	snapshot *snapshot

	terms []string // of the last Postings
	lists []store.Postings
}

// Narrow implements Corpus.
func (c *archiveCorpus) Narrow(context.Context, store.Filter) (Subset, func(), error) {
	return c, func() {}, nil
}

// Catalog implements Subset.
func (c *archiveCorpus) Catalog(context.Context) (*store.Catalog, error) {
	return c.snapshot.Catalog, nil
}

// Generation implements Subset.
func (c *archiveCorpus) Generation() store.Generation { return c.snapshot.active }

// Postings implements Subset.
func (c *archiveCorpus) Postings(ctx context.Context, terms []string) (lists []store.Postings, err error) {
	if lists, err = c.Source.Postings(ctx, terms); err == nil {
		c.terms, c.lists = terms, lists
	}
	return lists, err
}

// Statistics implements Subset, over the chunks alone.
func (c *archiveCorpus) Statistics(ctx context.Context, terms []string) (*store.Statistics, error) {
	if len(terms) > len(c.terms) || !slices.Equal(terms, c.terms[:len(terms)]) {
		if _, err := c.Postings(ctx, terms); err != nil {
			return nil, err
		}
	}
	a := c.snapshot
	scope := a.Scope(store.Filter{Sources: chunkSources}, nil)
	s := &store.Statistics{DocFreqs: make([]int, len(terms))}
	for row := range scope.Rows() {
		s.Records++
		s.Length += int64(a.Length[row])
	}
	for i, p := range c.lists[:len(terms)] {
		for _, ord := range p.Ords {
			if row, alive := a.Row(ord); alive && scope.Contains(row) {
				s.DocFreqs[i]++
			}
		}
	}
	return s, nil
}

// Records implements Subset.
func (c *archiveCorpus) Records(ctx context.Context, ords []store.Ord) ([]store.Turn, error) {
	ids := make([]uuid.UUID, len(ords))
	for i, ord := range ords {
		row, _ := c.snapshot.Row(ord) // the ordinals come from this catalog
		ids[i] = c.snapshot.ID[row]
	}
	return c.Source.Turns(ctx, ids)
}
