package postgres

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/termindex"
	"lens/store/terms"
)

// Postings implements store.Reader. A term is in at most one block of each segment; one statement
// finds them all.
func (s *Store) Postings(ctx context.Context, words []string) (lists []store.Postings, err error) {
	if err := s.CheckKeywordIndex(); err != nil {
		return nil, err
	}
	err = s.read(ctx, "postings", func(c *conn) error {
		lists, err = c.postings(ctx, words)
		return err
	})
	return lists, err
}

func (c *conn) postings(ctx context.Context, terms []string) ([]store.Postings, error) {
	parts := make([][]store.Postings, len(terms))
	err := c.each(ctx, "BlocksFor", []any{terms}, func(r row) error {
		i := r.int(0) - 1
		found, err := termindex.Find(r[2], terms[i])
		if err != nil {
			return fmt.Errorf("segment %d: %w", r.number(1), err)
		}
		if len(found.Ords) > 0 {
			parts[i] = append(parts[i], found)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	lists := make([]store.Postings, len(terms))
	for i := range parts {
		lists[i] = termindex.Concat(parts[i]...)
	}
	return lists, nil
}

// scopeIn returns the scope of f as of the commit that c reads.
func (s *Store) scopeIn(ctx context.Context, c *conn, f store.Filter) (*store.Scope, error) {
	catalog, err := s.catalogIn(ctx, c)
	if err != nil {
		return nil, err
	}
	return s.scopeOf(ctx, c, catalog, f)
}

// scopeOf returns the scope of f in the catalog of the commit that c reads.
func (s *Store) scopeOf(ctx context.Context, c *conn, catalog *store.Catalog, f store.Filter) (*store.Scope, error) {
	if len(f.Meta) == 0 {
		return catalog.Scope(f, nil), nil
	}
	if err := s.CheckKeywordIndex(); err != nil {
		return nil, err
	}
	facts, err := c.postings(ctx, f.Facts())
	if err != nil {
		return nil, err
	}
	return catalog.Scope(f, facts), nil
}

// AddTerms implements store.Tx.
func (t *tx) AddTerms(ctx context.Context, ords []store.Ord, counts []store.Terms) error {
	blocks := termindex.Build(ords, counts)
	if len(blocks) == 0 {
		return nil
	}
	if _, err := t.run(ctx, "PutTermsVersion", terms.Version); err != nil {
		return err
	}
	w, err := t.newSegment(ctx)
	if err != nil {
		return err
	}
	for _, b := range blocks {
		if err := w.add(ctx, b); err != nil {
			return err
		}
	}
	t.terms = true
	return w.finish(ctx, len(ords))
}

// segment is a row of term_segments.
type segment struct{ id, bytes int64 }

func (c *conn) segments(ctx context.Context) ([]segment, error) {
	return collect(ctx, c, func(r row) segment { return segment{r.number(0), r.number(1)} }, "Segments")
}

// segmentWriter writes the blocks of one new segment.
type segmentWriter struct {
	segment
	rows bulk
}

func (t *tx) newSegment(ctx context.Context) (*segmentWriter, error) {
	id, err := t.number(ctx, "InsertSegment", 0)
	return &segmentWriter{segment{id: id}, bulk{conn: t.conn, copy: "CopyBlocks"}}, err
}

func (w *segmentWriter) add(ctx context.Context, b termindex.Block) error {
	w.bytes += int64(len(b.FirstTerm) + len(b.Data))
	return w.rows.add(ctx, uuid.Nil, w.id, b.FirstTerm, b.Data)
}

func (w *segmentWriter) finish(ctx context.Context, docs int) error {
	if err := w.rows.flush(ctx); err != nil {
		return err
	}
	_, err := w.rows.conn.run(ctx, "WeighSegment", w.bytes, docs, w.id)
	return err
}
