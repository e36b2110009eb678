package rank

import (
	"sync"
	"sync/atomic"
)

// derived holds what every query needs to know about the columns.
type derived struct {
	once                sync.Once
	neighborLength      []int32   // by row: terms in the turns before and after it
	totalNeighborLength int64     // sum of neighborLength
	conversationLength  []float64 // by conversation: terms in it
	counters            sync.Pool // of *counter

	norms atomic.Pointer[lengthNorms] // of the last query's parameters
}

// Prepare computes what is the same for every query. Otherwise the first query does.
func (a *Columns) Prepare() {
	a.derived.once.Do(func() {
		s := &a.derived
		s.neighborLength, s.conversationLength = make([]int32, len(a.Length)), make([]float64, a.Conversations)
		for row, length := range a.Length {
			if prev := a.Prev[row]; prev >= 0 {
				s.neighborLength[row] += a.Length[prev]
			}
			if next := a.Next[row]; next >= 0 {
				s.neighborLength[row] += a.Length[next]
			}
			s.totalNeighborLength += int64(s.neighborLength[row])
			s.conversationLength[a.Conversation[row]] += float64(length)
		}
	})
}
