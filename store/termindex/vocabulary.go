package termindex

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"weak"

	"lens/store"
)

// vocabulary numbers terms in order of appearance. It knows their bytewise order, and their numbers in the vocabularies
// of the lists that it saw: to look a term up there takes neither a hash of its bytes nor a look at them.
type vocabulary struct {
	store.Vocabulary
	order  []uint32 // the numbers, in bytewise order of the terms; sort adds the new ones
	others map[weak.Pointer[store.Vocabulary]][]uint32
}

const (
	maxVocabulary = 1 << 17 // terms of a builder between two segments; more than most archives use again and again
	maxOthers     = 8       // more than there are analyzers
)

// numbersOf returns, by number in the vocabulary of a list, the number of a term plus one; 0: not looked up yet.
func (v *vocabulary) numbersOf(list *store.Terms) []uint32 {
	other := weak.Make(list.Vocabulary)
	known, seen := v.others[other]
	if v.others == nil || !seen && len(v.others) == maxOthers {
		v.others = make(map[weak.Pointer[store.Vocabulary]][]uint32)
	}
	if n := list.Known(); n > len(known) {
		known = append(known, make([]uint32, n-len(known))...)
		v.others[other] = known
	}
	return known
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
		at, _ := slices.BinarySearchFunc(v.order[:known], v.Term(key.number), func(n uint32, term string) int {
			return strings.Compare(v.Term(n), term)
		})
		free -= copy(v.order[free-(known-at):free], v.order[at:known])
		known = at
		free--
		v.order[free] = key.number
	}
}

// sorted returns the terms from a number on, in bytewise order.
func (v *vocabulary) sorted(from int) []sortKey {
	order := make([]sortKey, v.Len()-from)
	for i := range order {
		var first [8]byte
		number := uint32(from + i)
		copy(first[:], v.Term(number))
		order[i] = sortKey{binary.BigEndian.Uint64(first[:]), number}
	}
	slices.SortFunc(order, func(a, b sortKey) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		return strings.Compare(v.Term(a.number), v.Term(b.number))
	})
	return order
}
