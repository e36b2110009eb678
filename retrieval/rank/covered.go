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
	var rows, joined []heldRow
	best, rest := 0.0, total
	for _, w := range words {
		joined = join(joined[:0], rows, w, rest > best, eligible)
		rest -= w.IDF
		for _, r := range joined {
			best = max(best, r.idf)
		}
		rows, joined = slices.DeleteFunc(joined, func(r heldRow) bool { return r.idf+rest <= best }), rows
	}
	return min(1, best/total)
}

// heldRow is a row with the idf of the words that it holds.
type heldRow struct {
	row int32
	idf float64
}

// join appends rows with what they hold of w, and with others also the eligible rows that hold nothing else yet.
func join(joined, rows []heldRow, w Word, others bool, eligible func(row int32) bool) []heldRow {
	list := w.Rows
	for _, r := range rows {
		at := seek(list, r.row)
		if others {
			joined = appendEligible(joined, list[:at], w.IDF, eligible)
		}
		if list = list[at:]; len(list) > 0 && list[0] == r.row {
			r.idf += w.IDF
			list = list[1:]
		}
		joined = append(joined, r)
	}
	if others {
		joined = appendEligible(joined, list, w.IDF, eligible)
	}
	return joined
}

func appendEligible(rows []heldRow, list []int32, idf float64, eligible func(row int32) bool) []heldRow {
	for _, row := range list {
		if eligible(row) {
			rows = append(rows, heldRow{row, idf})
		}
	}
	return rows
}
