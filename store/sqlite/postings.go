package sqlite

import (
	"context"
	"fmt"

	"lens/store"
	"lens/store/termindex"
	"lens/store/terms"
)

// Postings implements store.Reader. A term is in at most one block of each segment.
func (s *Store) Postings(ctx context.Context, terms []string) ([]store.Postings, error) {
	if err := s.CheckKeywordIndex(); err != nil {
		return nil, err
	}
	var lists []store.Postings
	err := s.read(ctx, "postings", func(c *conn) (err error) {
		lists, err = c.allPostings(terms)
		return err
	})
	if err != nil {
		return nil, err
	}
	return lists, nil
}

// factsIn returns the postings of f's facts as of the commit that c reads; none if f has no facts.
func (s *Store) factsIn(c *conn, f store.Filter) ([]store.Postings, error) {
	if len(f.Meta) == 0 {
		return nil, nil
	}
	if s.terms != nil {
		return nil, s.terms
	}
	return c.allPostings(f.Facts())
}

// scopeIn returns the scope of f as of the commit that c reads.
func (s *Store) scopeIn(ctx context.Context, c *conn, f store.Filter) (*store.Scope, error) {
	catalog, err := s.catalogIn(ctx, c)
	if err != nil {
		return nil, err
	}
	facts, err := s.factsIn(c, f)
	if err != nil {
		return nil, err
	}
	return catalog.Scope(f, facts), nil
}

func (c *conn) allPostings(terms []string) ([]store.Postings, error) {
	segments, err := c.segments()
	if err != nil {
		return nil, err
	}
	lists := make([]store.Postings, len(terms))
	for i, term := range terms {
		if lists[i], err = c.postings(segments, term); err != nil {
			return nil, err
		}
	}
	return lists, nil
}

// segment is a row of term_segments.
type segment struct{ id, bytes int64 }

func (c *conn) segments() ([]segment, error) {
	return collect(c, func(r row) segment { return segment{r.ColumnInt64(0), r.ColumnInt64(1)} }, "Segments")
}

func (c *conn) postings(segments []segment, term string) (store.Postings, error) {
	var parts []store.Postings
	for _, seg := range segments {
		err := c.each("BlockFor", []any{seg.id, term}, func(r row) error {
			found, err := termindex.Find(r.ColumnRawBlob(0), term)
			if err != nil {
				return fmt.Errorf("segment %d: %w", seg.id, err)
			}
			if len(found.Ords) > 0 {
				parts = append(parts, found)
			}
			return nil
		})
		if err != nil {
			return store.Postings{}, err
		}
	}
	return termindex.Concat(parts...), nil
}

// postingsPerSegment is how many postings AddTerms collects for a segment. Every segment repeats the terms of the
// others, and Optimize merges them again: few large ones take less time, and more memory.
const postingsPerSegment = 400_000

// AddTerms implements store.Tx. It builds a segment in the background, and writes it when the next one has to be built,
// or at the end of the transaction: many that wait would take much memory.
func (t *tx) AddTerms(_ context.Context, ords []store.Ord, terms []store.Terms) error {
	t.newOrds, t.newTerms = append(t.newOrds, ords...), append(t.newTerms, terms...)
	for i := range terms {
		t.newPostings += len(terms[i].Counts)
	}
	if t.newPostings >= postingsPerSegment {
		if err := t.writeBuilt(); err != nil {
			return err
		}
		t.buildSegment()
	}
	return nil
}

// buildSegment begins to build a segment of what AddTerms has collected.
func (t *tx) buildSegment() {
	ords, terms, built := t.newOrds, t.newTerms, make(chan []termindex.Block, 1)
	go func() { built <- t.builder.Build(ords, terms) }()
	t.building = buildingSegment{len(ords), built}
	t.newOrds, t.newTerms, t.newPostings = nil, nil, 0
}

// buildingSegment is a keyword segment that another goroutine is building.
type buildingSegment struct {
	docs   int
	blocks <-chan []termindex.Block // nil: none is being built
}

// awaitSegment waits for the segment that is being built.
func (t *tx) awaitSegment() {
	if t.building.blocks != nil {
		<-t.building.blocks
	}
}

func (t *tx) writeSegments() error {
	if err := t.writeBuilt(); err != nil || len(t.newOrds) == 0 {
		return err
	}
	t.buildSegment()
	return t.writeBuilt()
}

// writeBuilt writes the segment that is being built, if any.
func (t *tx) writeBuilt() error {
	s := t.building
	if t.building = (buildingSegment{}); s.blocks == nil {
		return nil
	}
	blocks := <-s.blocks
	if err := t.run("PutTermsVersion", terms.Version); err != nil {
		return err
	}
	return t.writeSegment(s.docs, blocks)
}

func (t *tx) writeSegment(docs int, blocks []termindex.Block) error {
	if len(blocks) == 0 {
		return nil
	}
	t.terms = true
	id, err := t.number("InsertSegment", docs)
	if err != nil {
		return err
	}
	w := segmentWriter{tx: t, id: id, docs: docs}
	for _, b := range blocks {
		if err := w.add(b); err != nil {
			return err
		}
	}
	return w.finish()
}

// segmentWriter writes the blocks of one new segment.
type segmentWriter struct {
	*tx
	id, bytes int64
	docs      int
}

func (w *segmentWriter) add(b termindex.Block) error {
	w.bytes += int64(len(b.FirstTerm) + len(b.Data))
	return w.run("InsertBlock", w.id, b.FirstTerm, b.Data)
}

func (w *segmentWriter) finish() error { return w.run("WeighSegment", w.bytes, w.docs, w.id) }
