package rank

import "slices"

// Word is a word of the query: the rows that hold it, ascending, and its idf.
type Word struct {
	Rows []int32
	IDF  float64
}

// Words returns the words of posting lists of ascending rows, in an archive of n rows. One that no row holds has the
// greatest idf of all.
func Words(n int, lists []PostingList) []Word {
	words := make([]Word, len(lists))
	for i, list := range lists {
		words[i] = Word{list.Rows, idf(n, len(list.Rows))}
	}
	return words
}

// cover finds how much of the query rows hold, with what is near them.
func cover(rows []scoredRow, near nearRows, words []Word) {
	total := 0.0
	for _, w := range words {
		total += w.IDF
	}
	if total == 0 {
		return
	}
	held := make([]bool, len(near.rows)+1) // the last one stands for no row
	for i := range rows {
		rows[i].features.AllWords = 1
	}
	for _, w := range words {
		markHeld(held, near.rows, w.Rows)
		for i := range rows {
			f, at := &rows[i].features, near.places[i]
			if !held[at.own] {
				f.AllWords = 0
			}
			if held[at.own] || held[at.prev] || held[at.next] {
				f.Coverage += w.IDF / total
			}
		}
	}
}

// markHeld reports which of rows are in list. Both ascend.
func markHeld(held []bool, rows, list []int32) {
	for i, row := range rows {
		list = list[seek(list, row):]
		held[i] = len(list) > 0 && list[0] == row
	}
}

// seek returns the place of the first of list, which ascends, that is row or a later one. It is quick where that is
// near the beginning.
func seek(list []int32, row int32) int {
	end := 1
	for end < len(list) && list[end-1] < row {
		end *= 2
	}
	from := end / 2
	at, _ := slices.BinarySearch(list[from:min(end, len(list))], row)
	return from + at
}

// nearRows are rows and those of the turns before and after them.
type nearRows struct {
	rows   []int32 // ascending
	places []places
}

// places are where in nearRows.rows a row and its neighbors are; for a neighbor that it has not, beyond the end.
type places struct{ own, prev, next int }

func (s *scorer) nearRows(rows []scoredRow) nearRows {
	n := nearRows{make([]int32, 0, 3*len(rows)), make([]places, len(rows))}
	for _, r := range rows {
		n.rows = append(n.rows, r.row)
		for _, near := range s.neighborsOf(r.row) {
			if near >= 0 {
				n.rows = append(n.rows, near)
			}
		}
	}
	slices.Sort(n.rows)
	n.rows = slices.Compact(n.rows)
	for i, r := range rows {
		near := s.neighborsOf(r.row)
		n.places[i] = places{n.place(r.row), n.place(near[0]), n.place(near[1])}
	}
	return n
}

func (n *nearRows) place(row int32) int {
	if row < 0 {
		return len(n.rows)
	}
	at, _ := slices.BinarySearch(n.rows, row)
	return at
}

// neighborsOf returns the rows of the turns before and after a row, -1 for none.
func (s *scorer) neighborsOf(row int32) [2]int32 {
	if s.columns.Prev == nil {
		return [2]int32{-1, -1}
	}
	return [2]int32{s.columns.Prev[row], s.columns.Next[row]}
}
