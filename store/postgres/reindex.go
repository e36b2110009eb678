package postgres

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/terms"
)

// The keyword index holds what the rules of terms made of the texts, and is asked what they make of a query: under other rules
// it would find less, without a word. So the archive says by which version of them it was indexed. One of older rules is indexed
// anew, from the texts in it, by who opens it for writing; who only reads can read all but the index.
var (
	errOlderTerms = errors.New("keyword index was made by older rules than this program's")
	errNewerTerms = errors.New("keyword index was made by newer rules than this program's")
)

// checkTerms returns errOlderTerms or errNewerTerms when there is a keyword index and it was not made by this program's rules.
func (c *conn) checkTerms(ctx context.Context) error {
	return c.each(ctx, "TermsVersion", nil, func(r row) error {
		switch version := r.number(0); {
		case version > terms.Version:
			return errNewerTerms
		case version < terms.Version:
			return errOlderTerms
		}
		return nil
	})
}

// CheckKeywordIndex returns an error that says why keywords cannot be searched, and what helps; nil when they can.
func (s *Store) CheckKeywordIndex() error {
	return s.explain(context.Background(), "keyword index", s.terms)
}

// ensureTerms finds out whether the keyword index can be used, and makes it so where this process may write.
func (s *Store) ensureTerms(ctx context.Context, c *conn) error {
	switch err := c.checkTerms(ctx); {
	case errors.Is(err, errOlderTerms) && !s.readOnly:
		return s.reindex(ctx)
	case s.readOnly && (errors.Is(err, errOlderTerms) || errors.Is(err, errNewerTerms)):
		s.terms = err
		return nil
	default:
		return err
	}
}

// reindex makes the keyword index anew, in one commit. Who waited for another to do so finds it done.
func (s *Store) reindex(ctx context.Context) error {
	return s.Update(ctx, func(w store.Tx) error {
		t := w.(*tx)
		if err := t.checkTerms(ctx); !errors.Is(err, errOlderTerms) {
			return err
		}
		s.notice("The keyword index was made by an older Lens: indexing the archive again.")
		for _, name := range []string{"ForgetAllBlocks", "ForgetAllSegments"} {
			if _, err := t.run(ctx, name); err != nil {
				return err
			}
		}
		rows, err := t.catalogRows(ctx)
		if err != nil {
			return err
		}
		read := func(ids []uuid.UUID) ([]store.Turn, error) { return t.conn.turns(ctx, ids) }
		return terms.Reanalyze(rows, read, func(ords []store.Ord, counts [][]store.TermCount) error {
			if err := t.setLengths(ctx, ords, counts); err != nil {
				return err
			}
			return t.AddTerms(ctx, ords, counts)
		})
	})
}

func (t *tx) setLengths(ctx context.Context, ords []store.Ord, counts [][]store.TermCount) error {
	turns, lengths := make([]int64, len(ords)), make([]int64, len(ords))
	for i := range ords {
		turns[i], lengths[i] = int64(ords[i]), int64(terms.Length(counts[i]))
	}
	_, err := t.run(ctx, "SetLengths", turns, lengths)
	return err
}
