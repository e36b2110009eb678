package termindex

import (
	"cmp"
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
	slices.SortFunc(v.entries, func(a, b entry) int { return strings.Compare(a.term, b.term) })
	for _, e := range v.entries {
		_ = w.add(e.term, e.list) // emit does not fail
	}
	_ = w.flush()
	return blocks
}

// vocabulary turns the terms of turns into the turns of terms. It is a counting sort: a term is looked up once for each turn that
// has it, and all lists share two arrays.
type vocabulary struct {
	numbers map[string]uint32
	entries []entry    // by number
	text    [][]uint32 // the numbers of each turn's terms
}

type entry struct {
	term string
	size int // how many turns have it
	list store.Postings
}

// number gives each term a number, in order of appearance, and counts its turns.
func (v *vocabulary) number(terms [][]store.TermCount) {
	v.text = make([][]uint32, len(terms))
	for i, counts := range terms {
		v.text[i] = make([]uint32, len(counts))
		for j, t := range counts {
			n, known := v.numbers[t.Term]
			if !known {
				n = uint32(len(v.entries))
				v.numbers[t.Term] = n
				v.entries = append(v.entries, entry{term: t.Term})
			}
			v.entries[n].size++
			v.text[i][j] = n
		}
	}
}

// fill writes the lists, the turns in ascending order.
func (v *vocabulary) fill(ords []store.Ord, terms [][]store.TermCount) {
	total := 0
	for i := range v.entries {
		total += v.entries[i].size
	}
	all := store.Postings{Ords: make([]store.Ord, total), Counts: make([]uint32, total)}
	for i := range v.entries {
		e := &v.entries[i]
		e.list = store.Postings{Ords: all.Ords[:0:e.size], Counts: all.Counts[:0:e.size]}
		all = store.Postings{Ords: all.Ords[e.size:], Counts: all.Counts[e.size:]}
	}
	for _, i := range ascending(ords) {
		for j, n := range v.text[i] {
			list := &v.entries[n].list
			list.Ords = append(list.Ords, ords[i])
			list.Counts = append(list.Counts, terms[i][j].Count)
		}
	}
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
