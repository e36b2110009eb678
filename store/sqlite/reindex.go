package sqlite

import (
	"context"
	"errors"

	"lens/store"
	"lens/store/terms"
)

// checkTerms returns terms.ErrOlder or terms.ErrNewer for a keyword index that was built with other rules.
func (c *conn) checkTerms() error {
	return c.each("TermsVersion", nil, func(r row) error { return terms.CheckVersion(r.ColumnInt64(0)) })
}

// CheckKeywordIndex returns an error with a hint if keywords cannot be searched.
func (s *Store) CheckKeywordIndex() error {
	return s.explain(context.Background(), "keyword index", s.terms)
}

// reindex rebuilds a keyword index with older rules, in one commit. Another process may already
// have done so.
func (s *Store) reindex(ctx context.Context) error {
	if err := s.writer.checkTerms(); !errors.Is(err, terms.ErrOlder) {
		return err
	}
	return s.Update(ctx, func(w store.Tx) error {
		t := w.(*tx)
		if err := t.checkTerms(); !errors.Is(err, terms.ErrOlder) {
			return err
		}
		size, err := t.number("KeywordIndexBytes")
		if err == nil {
			err = s.needSpace("rebuilding the keyword index", 2*size) // the log holds the old pages and the new ones
		}
		if err != nil {
			return err
		}
		if s.notice != nil {
			s.notice("Rebuilding the keyword index (made by an older Lens).")
		}
		for _, name := range []string{"ForgetAllBlocks", "ForgetAllSegments"} {
			if err := t.run(name); err != nil {
				return err
			}
		}
		t.turns = true // their lengths
		rows, err := t.catalogRows()
		if err != nil {
			return err
		}
		return terms.Reanalyze(rows, t.conn.turns, func(ords []store.Ord, counts []store.Terms) error {
			for i, ord := range ords {
				if err := t.run("SetLength", counts[i].Length(), ord); err != nil {
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
