package rank

import (
	"cmp"
	"slices"
)

// Covered returns the greatest share of the query's idf that one eligible row holds itself, 0 to 1.
func Covered(words []Word, eligible func(row int32) bool) float64 {
	words = slices.SortedFunc(slices.Values(words), func(a, b Word) int { return cmp.Compare(b.IDF, a.IDF) })
	total := 0.0
	for _, w := range words {
		total += w.IDF
	}
	if total == 0 {
		return 0
	}
	// The rarest words come first, so that soon no row that holds only the words to come can be the best one: the long
	// lists of those are only looked up.
	var rows []heldRow
	best, rest := 0.0, total
	for _, w := range words {
		best = max(best, hold(rows, w))
		if rest > best {
			if rows = addRows(rows, w, eligible); len(rows) > 0 {
				best = max(best, w.IDF)
			}
		}
		rest -= w.IDF
		rows = slices.DeleteFunc(rows, func(r heldRow) bool { return r.idf+rest <= best })
	}
	return min(1, best/total)
}

// heldRow is a row with the idf of the words that it holds.
type heldRow struct {
	row int32
	idf float64
}

// hold adds what rows hold of w, and returns the most that one of those that have it holds by now.
func hold(rows []heldRow, w Word) (most float64) {
	list := w.Rows
	for i := range rows {
		r := &rows[i]
		if list = list[seek(list, r.row):]; len(list) > 0 && list[0] == r.row {
			r.idf += w.IDF
			most = max(most, r.idf)
		}
	}
	return most
}

// addRows returns rows and the other eligible rows that have w, ascending.
func addRows(rows []heldRow, w Word, eligible func(row int32) bool) []heldRow {
	joined := make([]heldRow, 0, len(rows)+len(w.Rows))
	for _, row := range w.Rows {
		for len(rows) > 0 && rows[0].row < row {
			joined, rows = append(joined, rows[0]), rows[1:]
		}
		if (len(rows) == 0 || rows[0].row > row) && eligible(row) {
			joined = append(joined, heldRow{row, w.IDF})
		}
	}
	return append(joined, rows...)
}
