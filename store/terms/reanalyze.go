package terms

import (
	"github.com/google/uuid"

	"lens/store"
)

// The numbers of turns that Reanalyze reads at a time and puts into one keyword segment.
const (
	turnsPerRead    = 256
	turnsPerSegment = 16 * turnsPerRead
)

// Reanalyze analyzes the turns of rows, for a backend whose keyword index was made by another Version.
// read returns the turns of ids with their texts, in the order of ids. write gets the turns of one
// segment after another with their terms.
func Reanalyze(
	rows []store.CatalogRow,
	read func(ids []uuid.UUID) ([]store.Turn, error),
	write func([]store.Ord, []store.Terms) error,
) error {
	var analyzer Analyzer
	for len(rows) > 0 {
		n := min(len(rows), turnsPerSegment)
		ords, counts, err := analyzer.segment(rows[:n], read)
		if err != nil {
			return err
		}
		if err := write(ords, counts); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

func (a *Analyzer) segment(
	rows []store.CatalogRow, read func([]uuid.UUID) ([]store.Turn, error),
) (ords []store.Ord, counts []store.Terms, err error) {
	for len(rows) > 0 {
		ids := make([]uuid.UUID, min(len(rows), turnsPerRead))
		for i := range ids {
			ids[i] = rows[i].ID
		}
		turns, err := read(ids)
		if err != nil {
			return nil, nil, err
		}
		for i := range turns {
			ords, counts = append(ords, turns[i].Ord), append(counts, a.Turn(&turns[i]))
		}
		rows = rows[len(ids):]
	}
	return ords, counts, nil
}
