package postgres

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/terms"
)

// checkTerms returns terms.ErrOlder or terms.ErrNewer for a keyword index that was built with other rules.
func (c *conn) checkTerms(ctx context.Context) error {
	return c.each(ctx, "TermsVersion", nil, func(r row) error { return terms.CheckVersion(r.number(0)) })
}

// CheckKeywordIndex returns an error with a hint if keywords cannot be searched.
func (s *Store) CheckKeywordIndex() error {
	return s.explain(context.Background(), "keyword index", s.terms)
}

// ensureTerms checks the keyword index and rebuilds an older one if this process may write.
func (s *Store) ensureTerms(ctx context.Context, c *conn) error {
	switch err := c.checkTerms(ctx); {
	case errors.Is(err, terms.ErrOlder) && !s.readOnly:
		return s.reindex(ctx)
	case s.readOnly && (errors.Is(err, terms.ErrOlder) || errors.Is(err, terms.ErrNewer)):
		s.terms = err
		return nil
	default:
		return err
	}
}

// reindex rebuilds the keyword index in one commit. Another process may have done so meanwhile.
func (s *Store) reindex(ctx context.Context) error {
	return s.Update(ctx, func(w store.Tx) error {
		t := w.(*tx)
		if err := t.checkTerms(ctx); !errors.Is(err, terms.ErrOlder) {
			return err
		}
		s.notice("Rebuilding the keyword index (made by an older Lens).")
		for _, name := range []string{"ForgetAllBlocks", "ForgetAllSegments"} {
			if _, err := t.run(ctx, name); err != nil {
				return err
			}
		}
		t.turns = true // their lengths
		rows, err := t.catalogRows(ctx)
		if err != nil {
			return err
		}
		read := func(ids []uuid.UUID) ([]store.Turn, error) { return t.conn.turns(ctx, ids) }
		return terms.Reanalyze(rows, read, func(ords []store.Ord, counts []store.Terms) error {
			if err := t.setLengths(ctx, ords, counts); err != nil {
				return err
			}
			return t.AddTerms(ctx, ords, counts)
		})
	})
}

func (t *tx) setLengths(ctx context.Context, ords []store.Ord, counts []store.Terms) error {
	turns, lengths := make([]int64, len(ords)), make([]int64, len(ords))
	for i := range ords {
		turns[i], lengths[i] = int64(ords[i]), int64(counts[i].Length())
	}
	_, err := t.run(ctx, "SetLengths", turns, lengths)
	return err
}
