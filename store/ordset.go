package store

// OrdSet is a set of ordinals, one bit each. The zero OrdSet is empty. It is safe for concurrent reads.
type OrdSet struct{ words []uint64 }

// Add adds ords to the set.
func (s *OrdSet) Add(ords ...Ord) {
	for _, ord := range ords {
		if need := int(ord/64) + 1 - len(s.words); need > 0 {
			s.words = append(s.words, make([]uint64, need)...)
		}
		s.words[ord/64] |= 1 << (ord % 64)
	}
}

// Has reports whether ord is in the set.
func (s *OrdSet) Has(ord Ord) bool {
	return int(ord/64) < len(s.words) && s.words[ord/64]&(1<<(ord%64)) != 0
}

// And removes the ordinals that are not in other.
func (s *OrdSet) And(other *OrdSet) {
	s.words = s.words[:min(len(s.words), len(other.words))]
	for i := range s.words {
		s.words[i] &= other.words[i]
	}
}

// AndNot removes the ordinals that are in other.
func (s *OrdSet) AndNot(other *OrdSet) {
	for i := range min(len(s.words), len(other.words)) {
		s.words[i] &^= other.words[i]
	}
}
