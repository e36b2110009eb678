package termindex

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
)

// vocabulary numbers terms in order of appearance, and knows their bytewise order.
type vocabulary struct {
	numbers map[string]uint32
	seen    addressTable // the same for strings that were looked up before
	terms   []string     // by number
	order   []uint32     // the numbers, in bytewise order of the terms; sort adds the new ones
}

const (
	maxVocabulary = 1 << 17 // terms of a builder between two segments; more than most archives use again and again
	// maxAddresses limits the addresses that are remembered to as many for each term: strings that occur once would fill
	// memory.
	maxAddresses = 4
)

// number returns the number of a term; that of a new one is the next.
func (v *vocabulary) number(term string) uint32 {
	if n, known := v.seen.find(term); known {
		return n
	}
	n, known := v.numbers[term]
	if !known {
		if v.numbers == nil {
			v.numbers = make(map[string]uint32)
		}
		n = uint32(len(v.terms))
		v.numbers[term] = n
		v.terms = append(v.terms, term)
	}
	if v.seen.used < maxAddresses*len(v.terms) {
		v.seen.add(term, n)
	}
	return n
}

// sortKey is a term to sort. Most terms differ in their first bytes, which the keys hold inline.
type sortKey struct {
	first  uint64 // bytes of the term, big endian, padded with zeros
	number uint32
}

// sort puts new terms in their places in v.order.
func (v *vocabulary) sort() {
	known := len(v.order) // of the old order, how many are still where they were
	fresh := v.sorted(known)
	v.order = append(v.order, make([]uint32, len(fresh))...)
	free := len(v.order) // the places from here on are final
	for _, key := range slices.Backward(fresh) {
		at, _ := slices.BinarySearchFunc(v.order[:known], v.terms[key.number], func(n uint32, term string) int {
			return strings.Compare(v.terms[n], term)
		})
		free -= copy(v.order[free-(known-at):free], v.order[at:known])
		known = at
		free--
		v.order[free] = key.number
	}
}

// sorted returns the terms from a number on, in bytewise order.
func (v *vocabulary) sorted(from int) []sortKey {
	order := make([]sortKey, len(v.terms)-from)
	for i, term := range v.terms[from:] {
		var first [8]byte
		copy(first[:], term)
		order[i] = sortKey{binary.BigEndian.Uint64(first[:]), uint32(from + i)}
	}
	slices.SortFunc(order, func(a, b sortKey) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		return strings.Compare(v.terms[a.number], v.terms[b.number])
	})
	return order
}
