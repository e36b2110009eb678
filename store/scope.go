package store

import (
	"iter"
	"slices"

	"github.com/google/uuid"
)

// Scope is the set of rows of one catalog that match a filter.
type Scope struct {
	Lo, Hi int // the rows [Lo, Hi) lie within the filter's time bounds

	catalog      *Catalog
	required     Flag
	conversation int32    // index of the only eligible one, or anyConversation
	sources      []bool   // by index into catalog.Sources; nil: all
	withFacts    []uint64 // one bit per row: those with all facts; nil: all
	ords         *OrdSet  // nil: all
}

const anyConversation = -2 // -1: a conversation without turns, see ConversationIndex

// Scope returns the rows that match f. facts are the postings of f.Facts(), in its order.
func (c *Catalog) Scope(f Filter, facts []Postings) *Scope {
	s := &Scope{catalog: c, conversation: anyConversation, ords: f.Ords}
	s.Lo, s.Hi = c.RowRange(f)
	if !f.AllBranches {
		s.required = FlagOnPath
	}
	if f.Conversation != uuid.Nil {
		s.conversation = c.ConversationIndex(f.Conversation)
	}
	if len(f.Sources) > 0 {
		s.sources = make([]bool, len(c.Sources))
		for i, source := range c.Sources {
			s.sources[i] = slices.Contains(f.Sources, source)
		}
		if !slices.Contains(s.sources, false) {
			s.sources = nil
		}
	}
	for i := range facts {
		s.restrict(facts[i].Ords)
	}
	return s
}

// restrict limits the scope to the rows of ords. Dead ordinals have no row.
func (s *Scope) restrict(ords []Ord) {
	rows := make([]uint64, (s.catalog.Len()+63)/64)
	for _, ord := range ords {
		if row, alive := s.catalog.Row(ord); alive {
			rows[row/64] |= 1 << (row % 64)
		}
	}
	if s.withFacts != nil {
		for i := range rows {
			rows[i] &= s.withFacts[i]
		}
	}
	s.withFacts = rows
}

// TimeOnly reports whether nothing but time and, unless all branches are included, the active path
// restricts the scope.
func (s *Scope) TimeOnly() bool {
	return s.conversation == anyConversation && s.sources == nil && s.withFacts == nil && s.ords == nil
}

// Contains reports whether a row of [Lo, Hi) is in the scope.
func (s *Scope) Contains(row int) bool {
	c := s.catalog
	if c.Flags[row]&s.required != s.required {
		return false
	}
	of := c.Conversation[row]
	return (s.conversation == anyConversation || of == s.conversation) &&
		(s.sources == nil || s.sources[c.SourceOf[of]]) &&
		(s.withFacts == nil || s.withFacts[row/64]&(1<<(row%64)) != 0) &&
		(s.ords == nil || s.ords.Has(c.Ord[row]))
}

// Rows yields the rows of the scope in ascending order, which is time order.
func (s *Scope) Rows() iter.Seq[int] {
	return func(yield func(int) bool) {
		for row := s.Lo; row < s.Hi; row++ {
			if s.Contains(row) && !yield(row) {
				return
			}
		}
	}
}

// Ords returns the ordinals of the rows of the scope.
func (s *Scope) Ords() []Ord {
	ords := []Ord{}
	for row := range s.Rows() {
		ords = append(ords, s.catalog.Ord[row])
	}
	return ords
}

// Batches yields the turn ids of the scope in time order, up to size at a time. It reuses the slice.
func (s *Scope) Batches(size int) iter.Seq[[]uuid.UUID] {
	return func(yield func([]uuid.UUID) bool) {
		batch := make([]uuid.UUID, 0, size)
		for row := range s.Rows() {
			if batch = append(batch, s.catalog.ID[row]); len(batch) < size {
				continue
			}
			if !yield(batch) {
				return
			}
			batch = batch[:0]
		}
		if len(batch) > 0 {
			yield(batch)
		}
	}
}
