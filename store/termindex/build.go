package termindex

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"lens/store"
)

// Build returns one segment. terms[i] are the terms of the turn ords[i], as from
// terms.Analyzer.Document: distinct, with counts above 0. ords must be distinct, in any order;
// len(ords) == len(terms).
func Build(ords []store.Ord, terms [][]store.TermCount) []Block {
	var blocks []Block
	w := writer{emit: func(b Block) error {
		blocks = append(blocks, b)
		return nil
	}}
	v := vocabulary{numbers: make(map[string]uint32)}
	v.number(terms)
	v.fill(ords, terms)
	for _, t := range v.sorted() {
		_ = w.add(v.terms[t.number], v.list(t.number)) // emit does not fail
	}
	_ = w.flush()
	return blocks
}

// vocabulary inverts the terms of turns into the turns of terms. It is a counting sort: each term of
// each turn is looked up once, and all lists are in two arrays.
type vocabulary struct {
	numbers map[string]uint32
	seen    addressTable // the same for strings that were looked up before
	terms   []string     // by number
	sizes   []int        // by number: the number of turns with the term
	ends    []int        // by number: the end of its list
	text    [][]uint32   // the numbers of each turn's terms
	lists   store.Postings
}

// number numbers the terms in order of appearance and counts the turns of each.
func (v *vocabulary) number(terms [][]store.TermCount) {
	total := 0
	for _, counts := range terms {
		total += len(counts)
	}
	all := make([]uint32, total)
	v.text = make([][]uint32, len(terms))
	for i, counts := range terms {
		v.text[i], all = all[:len(counts):len(counts)], all[len(counts):]
		for j, t := range counts {
			n := v.numberOf(t.Term)
			v.sizes[n]++
			v.text[i][j] = n
		}
	}
}

// maxAddresses limits the addresses that are remembered to as many for each term: strings that occur once would fill
// memory.
const maxAddresses = 4

func (v *vocabulary) numberOf(term string) uint32 {
	if n, known := v.seen.find(term); known {
		return n
	}
	n, known := v.numbers[term]
	if !known {
		n = uint32(len(v.terms))
		v.numbers[term] = n
		v.terms, v.sizes = append(v.terms, term), append(v.sizes, 0)
	}
	if v.seen.used < maxAddresses*len(v.terms) {
		v.seen.add(term, n)
	}
	return n
}

// fill writes the lists, with the turns in ascending order.
func (v *vocabulary) fill(ords []store.Ord, terms [][]store.TermCount) {
	total := 0
	v.ends = make([]int, len(v.sizes)) // at first, where they begin
	for n, size := range v.sizes {
		v.ends[n] = total
		total += size
	}
	v.lists = store.Postings{Ords: make([]store.Ord, total), Counts: make([]uint32, total)}
	for _, i := range ascending(ords) {
		for j, n := range v.text[i] {
			at := v.ends[n]
			v.lists.Ords[at], v.lists.Counts[at] = ords[i], terms[i][j].Count
			v.ends[n]++
		}
	}
}

func (v *vocabulary) list(n uint32) store.Postings {
	end := v.ends[n]
	from := end - v.sizes[n]
	return store.Postings{Ords: v.lists.Ords[from:end], Counts: v.lists.Counts[from:end]}
}

// sortKey is a term to sort. Most terms differ in their first bytes, which the keys hold inline.
type sortKey struct {
	first  uint64 // bytes of the term, big endian, padded with zeros
	number uint32
}

// sorted returns all terms in bytewise order.
func (v *vocabulary) sorted() []sortKey {
	order := make([]sortKey, len(v.terms))
	for n, term := range v.terms {
		var first [8]byte
		copy(first[:], term)
		order[n] = sortKey{binary.BigEndian.Uint64(first[:]), uint32(n)}
	}
	slices.SortFunc(order, func(a, b sortKey) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		return strings.Compare(v.terms[a.number], v.terms[b.number])
	})
	return order
}

// ascending returns the indices of ords in ascending order of the ords.
func ascending(ords []store.Ord) []int {
	order := make([]int, len(ords))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(ords[a], ords[b]) })
	return order
}
