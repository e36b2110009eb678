package sqlite

import (
	"context"
	"errors"

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
func (c *conn) checkTerms() error {
	return c.each("TermsVersion", nil, func(r row) error {
		switch version := r.ColumnInt64(0); {
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

// reindex makes the keyword index anew where older rules made it, in one commit. Who waited for another to do so finds it done.
func (s *Store) reindex(ctx context.Context) error {
	if err := s.writer.checkTerms(); !errors.Is(err, errOlderTerms) {
		return err
	}
	return s.Update(ctx, func(w store.Tx) error {
		t := w.(*tx)
		if err := t.checkTerms(); !errors.Is(err, errOlderTerms) {
			return err
		}
		if s.notice != nil {
			s.notice("The keyword index was made by an older Lens: indexing the archive again.")
		}
		for _, name := range []string{"ForgetAllBlocks", "ForgetAllSegments"} {
			if err := t.run(name); err != nil {
				return err
			}
		}
		rows, err := t.catalogRows()
		if err != nil {
			return err
		}
		return terms.Reanalyze(rows, t.conn.turns, func(ords []store.Ord, counts [][]store.TermCount) error {
			for i, ord := range ords {
				if err := t.run("SetLength", terms.Length(counts[i]), ord); err != nil {
					return err
				}
			}
			if err := t.AddTerms(ctx, ords, counts); err != nil {
				return err
			}
			return t.writeSegments()
		})
	})
}
