package retrieval

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"lens/store"
)

// Retrieve is that of a Retriever, from the chunks of the archive.
func (e *Engine) Retrieve(ctx context.Context, query string, opts RetrieveOptions) (found *Retrieved, err error) {
	err = e.consistently(ctx, func(a *archive) error {
		found, err = (&Retriever{&archived{Source: e.source, archive: a}, e.embedders}).Retrieve(ctx, query, opts)
		return err
	})
	return found, err
}

// archived is the chunks of an archive as a corpus: all of it is at hand. It is for one query.
type archived struct {
	Source
	archive *archive

	terms []string // of the last Postings
	lists []store.Postings
}

// Narrow implements Corpus.
func (c *archived) Narrow(context.Context, store.Filter) (Subset, func(), error) {
	return c, func() {}, nil
}

// Catalog implements Subset.
func (c *archived) Catalog(context.Context) (*store.Catalog, error) { return c.archive.Catalog, nil }

// Generation implements Subset.
func (c *archived) Generation() store.Generation { return c.archive.active }

// Postings implements Subset.
func (c *archived) Postings(ctx context.Context, terms []string) (lists []store.Postings, err error) {
	if lists, err = c.Source.Postings(ctx, terms); err == nil {
		c.terms, c.lists = terms, lists
	}
	return lists, err
}

// Statistics implements Subset, over the chunks alone.
func (c *archived) Statistics(ctx context.Context, terms []string) (*store.Statistics, error) {
	if len(terms) > len(c.terms) || !slices.Equal(terms, c.terms[:len(terms)]) {
		if _, err := c.Postings(ctx, terms); err != nil {
			return nil, err
		}
	}
	a := c.archive
	scope := a.Scope(store.Filter{Sources: chunked}, nil)
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
func (c *archived) Records(ctx context.Context, ords []store.Ord) ([]store.Turn, error) {
	ids := make([]uuid.UUID, len(ords))
	for i, ord := range ords {
		row, _ := c.archive.Row(ord) // they are of its catalog
		ids[i] = c.archive.ID[row]
	}
	return c.Source.Turns(ctx, ids)
}
