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

// KeywordIndex returns an error that says why keywords cannot be searched, and what helps; nil when they can.
func (s *Store) KeywordIndex() error {
	return s.explain(context.Background(), "keyword index", s.terms)
}

// settleTerms finds out whether the keyword index can be used, and makes it so where this process may write.
func (s *Store) settleTerms(ctx context.Context, c *conn) error {
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

// reindexed is how many turns make a keyword segment when all are indexed anew.
const reindexed = 4096

// reindex makes the keyword index anew, in one commit. Who waited for another to do so finds it done.
func (s *Store) reindex(ctx context.Context) error {
	return s.Update(ctx, func(w store.Tx) error {
		t := w.(*tx)
		if err := t.checkTerms(ctx); !errors.Is(err, errOlderTerms) {
			return err
		}
		s.tell("The keyword index was made by an older Lens: indexing the archive again.")
		for _, name := range []string{"ForgetAllBlocks", "ForgetAllSegments"} {
			if _, err := t.run(ctx, name); err != nil {
				return err
			}
		}
		rows, err := t.catalogRows(ctx)
		if err != nil {
			return err
		}
		var analyzer terms.Analyzer
		for len(rows) > 0 && err == nil {
			n := min(len(rows), reindexed)
			err = t.indexAgain(ctx, &analyzer, rows[:n])
			rows = rows[n:]
		}
		return err
	})
}

// indexAgain adds one segment for the turns of rows, and sets how long they are.
func (t *tx) indexAgain(ctx context.Context, analyzer *terms.Analyzer, rows []store.CatalogRow) error {
	var ords, lengths []int64
	var counts [][]store.TermCount
	var alive []store.Ord
	for len(rows) > 0 {
		n := min(len(rows), together)
		ids := make([]uuid.UUID, n)
		for i := range ids {
			ids[i] = rows[i].ID
		}
		rows = rows[n:]
		turns, err := t.conn.turns(ctx, ids)
		if err != nil {
			return err
		}
		for i := range turns {
			found := analyzer.Document(turns[i].UserText, turns[i].AssistantText)
			alive, counts = append(alive, turns[i].Ord), append(counts, found)
			ords, lengths = append(ords, int64(turns[i].Ord)), append(lengths, int64(terms.Length(found)))
		}
	}
	if _, err := t.run(ctx, "SetLengths", ords, lengths); err != nil {
		return err
	}
	return t.AddTerms(ctx, alive, counts)
}
