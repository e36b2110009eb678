package termindex

import "lens/store"

// Concat joins the lists that several segments hold for one term, ascending by Ord. An Ord in several lists keeps the count of
// the last one. The memory of a list that is alone is not copied.
func Concat(lists ...store.Postings) store.Postings {
	if len(lists) == 1 {
		return lists[0]
	}
	total := 0
	for _, list := range lists {
		total += len(list.Ords)
	}
	joined := store.Postings{Ords: make([]store.Ord, 0, total), Counts: make([]uint32, 0, total)}
	for _, list := range lists {
		n := len(joined.Ords)
		joined.Ords, joined.Counts = append(joined.Ords, list.Ords...), append(joined.Counts, list.Counts...)
		joined = mend(joined, n)
	}
	return joined
}

// mend puts in order a list of which two ascending parts meet at n. Segments are mostly as old as their ords, so mostly there is
// nothing to do.
func mend(p store.Postings, n int) store.Postings {
	if n == 0 || n == len(p.Ords) || p.Ords[n-1] < p.Ords[n] {
		return p
	}
	return interleave(store.Postings{Ords: p.Ords[:n], Counts: p.Counts[:n]}, store.Postings{Ords: p.Ords[n:], Counts: p.Counts[n:]})
}

// interleave merges two ascending lists; b's counts win.
func interleave(a, b store.Postings) store.Postings {
	total := len(a.Ords) + len(b.Ords)
	merged := store.Postings{Ords: make([]store.Ord, 0, total), Counts: make([]uint32, 0, total)}
	for i, j := 0, 0; i < len(a.Ords) || j < len(b.Ords); {
		if j == len(b.Ords) || i < len(a.Ords) && a.Ords[i] < b.Ords[j] {
			merged.Ords, merged.Counts = append(merged.Ords, a.Ords[i]), append(merged.Counts, a.Counts[i])
			i++
			continue
		}
		if i < len(a.Ords) && a.Ords[i] == b.Ords[j] {
			i++
		}
		merged.Ords, merged.Counts = append(merged.Ords, b.Ords[j]), append(merged.Counts, b.Counts[j])
		j++
	}
	return merged
}
