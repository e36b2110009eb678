package rank

import (
	"cmp"
	"slices"
	"sync"
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
	c := heldPool.Get().(*heldRows)
	defer heldPool.Put(c)
	c.rows = c.rows[:0]
	best, rest := 0.0, total
	for _, w := range words {
		best = max(best, c.hold(w))
		if rest > best {
			if c.add(w, eligible); len(c.rows) > 0 {
				best = max(best, w.IDF)
			}
		}
		rest -= w.IDF
		c.rows = slices.DeleteFunc(c.rows, func(r heldRow) bool { return r.idf+rest <= best })
	}
	return min(1, best/total)
}

// Rarest returns the share of the query's idf that its rarest word has, 0 to 1.
func Rarest(words []Word) float64 {
	most, total := 0.0, 0.0
	for _, w := range words {
		most, total = max(most, w.IDF), total+w.IDF
	}
	if total == 0 {
		return 0
	}
	return most / total
}

// heldPool keeps the memory of rows, of which a common word has many.
var heldPool = sync.Pool{New: func() any { return new(heldRows) }}

// heldRows is what rows, ascending, hold of the words so far.
type heldRows struct{ rows, joined []heldRow }

// heldRow is a row with the idf of the words that it holds.
type heldRow struct {
	row int32
	idf float64
}

// hold adds what the rows hold of w, and returns the most that one of those that have it holds by now.
func (c *heldRows) hold(w Word) (most float64) {
	list := w.Rows
	for i := range c.rows {
		r := &c.rows[i]
		if list = list[seek(list, r.row):]; len(list) > 0 && list[0] == r.row {
			r.idf += w.IDF
			most = max(most, r.idf)
		}
	}
	return most
}

// add adds the other eligible rows that have w.
func (c *heldRows) add(w Word, eligible func(row int32) bool) {
	rows, joined := c.rows, c.joined[:0]
	for _, row := range w.Rows {
		for len(rows) > 0 && rows[0].row < row {
			joined, rows = append(joined, rows[0]), rows[1:]
		}
		if (len(rows) == 0 || rows[0].row > row) && eligible(row) {
			joined = append(joined, heldRow{row, w.IDF})
		}
	}
	c.rows, c.joined = append(joined, rows...), c.rows
}
