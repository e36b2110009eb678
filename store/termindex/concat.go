package termindex

import "lens/store"

// Concat merges the lists of several segments for one term, ascending by Ord. If several lists contain
// an Ord, the greatest count wins. It returns a single list without copying it.
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
		joined = restoreOrder(joined, n)
	}
	return joined
}

// restoreOrder sorts a list of two ascending parts that meet at n. Segments usually have ascending
// ords, so usually there is nothing to do.
func restoreOrder(p store.Postings, n int) store.Postings {
	if n == 0 || n == len(p.Ords) || p.Ords[n-1] < p.Ords[n] {
		return p
	}
	head := store.Postings{Ords: p.Ords[:n], Counts: p.Counts[:n]}
	tail := store.Postings{Ords: p.Ords[n:], Counts: p.Counts[n:]}
	return interleave(head, tail)
}

// interleave merges two ascending lists; of two counts the greater one wins.
func interleave(a, b store.Postings) store.Postings {
	total := len(a.Ords) + len(b.Ords)
	merged := store.Postings{Ords: make([]store.Ord, 0, total), Counts: make([]uint32, 0, total)}
	for i, j := 0, 0; i < len(a.Ords) || j < len(b.Ords); {
		if j == len(b.Ords) || i < len(a.Ords) && a.Ords[i] < b.Ords[j] {
			merged.Ords, merged.Counts = append(merged.Ords, a.Ords[i]), append(merged.Counts, a.Counts[i])
			i++
			continue
		}
		count := b.Counts[j]
		if i < len(a.Ords) && a.Ords[i] == b.Ords[j] {
			count = max(count, a.Counts[i])
			i++
		}
		merged.Ords, merged.Counts = append(merged.Ords, b.Ords[j]), append(merged.Counts, count)
		j++
	}
	return merged
}
