package sqlite

import (
	"context"
	"errors"

	"lens/store"
	"lens/store/terms"
)

// Package terms produces the terms of both the index and the queries. If its rules differ between the
// two, searches silently find less. The archive therefore stores the version of the rules. If an archive with
// older rules is opened for writing, its index is rebuilt from the stored texts; a reader can use everything but the
// index.
var (
	errOlderTerms = errors.New("keyword index was built with older rules")
	errNewerTerms = errors.New("keyword index was built with newer rules")
)

// checkTerms returns errOlderTerms or errNewerTerms for a keyword index that was built with other
// rules.
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

// CheckKeywordIndex returns an error with a hint if keywords cannot be searched.
func (s *Store) CheckKeywordIndex() error {
	return s.explain(context.Background(), "keyword index", s.terms)
}

// reindex rebuilds a keyword index with older rules, in one commit. Another process may already
// have done so.
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
			s.notice("Rebuilding the keyword index (made by an older Lens).")
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
