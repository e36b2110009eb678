package termindex

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"lens/store"
)

// Build returns one segment: for each of ords the terms of that turn (as of terms.Analyzer.Document: merged, counts above 0). ords
// may be in any order but must be distinct; len(ords) == len(terms).
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

// vocabulary turns the terms of turns into the turns of terms. It is a counting sort: a term is looked up once for each turn that
// has it, and all lists lie in two arrays.
type vocabulary struct {
	numbers map[string]uint32
	terms   []string   // by number
	sizes   []int      // by number: how many turns have it
	ends    []int      // by number: where its list ends
	text    [][]uint32 // the numbers of each turn's terms
	lists   store.Postings
}

// number gives each term a number, in order of appearance, and counts its turns.
func (v *vocabulary) number(terms [][]store.TermCount) {
	v.text = make([][]uint32, len(terms))
	for i, counts := range terms {
		v.text[i] = make([]uint32, len(counts))
		for j, t := range counts {
			n, known := v.numbers[t.Term]
			if !known {
				n = uint32(len(v.terms))
				v.numbers[t.Term] = n
				v.terms, v.sizes = append(v.terms, t.Term), append(v.sizes, 0)
			}
			v.sizes[n]++
			v.text[i][j] = n
		}
	}
}

// fill writes the lists, the turns in ascending order.
func (v *vocabulary) fill(ords []store.Ord, terms [][]store.TermCount) {
	total := 0
	v.ends = make([]int, len(v.sizes)) // as yet where they begin
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

// ranked is a term that is to be sorted: most compare by their first bytes, which lie side by side.
type ranked struct {
	first  uint64 // bytes of the term, big endian, zeros behind a shorter one
	number uint32
}

// sorted returns all terms in bytewise order.
func (v *vocabulary) sorted() []ranked {
	order := make([]ranked, len(v.terms))
	for n, term := range v.terms {
		var first [8]byte
		copy(first[:], term)
		order[n] = ranked{binary.BigEndian.Uint64(first[:]), uint32(n)}
	}
	slices.SortFunc(order, func(a, b ranked) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		return strings.Compare(v.terms[a.number], v.terms[b.number])
	})
	return order
}

// ascending returns the indices of ords in their order.
func ascending(ords []store.Ord) []int {
	order := make([]int, len(ords))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(ords[a], ords[b]) })
	return order
}
