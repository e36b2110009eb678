package rank

import (
	"sync"
	"sync/atomic"
)

// survey is what every query asks of an archive's columns.
type survey struct {
	once   sync.Once
	near   []int32   // by row: terms in the turns before and after it
	around int64     // sum of near
	talk   []float64 // by conversation: terms in it
	spare  sync.Pool // of *counter

	damping atomic.Pointer[damping] // of the last query's parameters
}

// Prepare computes what is the same for every query. The first query does it otherwise.
func (a *Columns) Prepare() {
	a.survey.once.Do(func() {
		s := &a.survey
		s.near, s.talk = make([]int32, len(a.Length)), make([]float64, a.Conversations)
		for row, length := range a.Length {
			if prev := a.Prev[row]; prev >= 0 {
				s.near[row] += a.Length[prev]
			}
			if next := a.Next[row]; next >= 0 {
				s.near[row] += a.Length[next]
			}
			s.around += int64(s.near[row])
			s.talk[a.Conversation[row]] += float64(length)
		}
	})
}
