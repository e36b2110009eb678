package retrieval

import (
	"context"
	"sync/atomic"
	"time"

	"lens/retrieval/rank"
	"lens/store"
)

// snapshot is what the engine derives from one version of the catalog.
type snapshot struct {
	*store.Catalog
	columns   rank.Columns // the catalog's columns in the form that rank needs
	pathTimes []int64      // UTC seconds of the dated turns on active paths, ascending: the baseline
	allTimes  []int64      // the same for all branches

	onPath       rank.Rows // the rows on active paths
	onPathBefore []int32   // by row, and for the end: how many earlier rows are on active paths

	sample []store.Ord // of the embeddable turns: see noise

	turns             int // on active paths, including undated ones
	embeddable        int // turns on active paths with text on both sides
	offPathEmbeddable int // embeddable turns off the active path

	active store.Generation // zero: none

	factsIndexed atomic.Bool                    // set once it was seen that every turn's facts are
	languages    atomic.Pointer[[]languageRows] // see wordIndex.languages; nil: not read yet
	turnWords    atomic.Pointer[turnWords]      // nil: none is kept yet
}

// snapshot returns the archive as of the latest commit.
func (e *Engine) snapshot(ctx context.Context) (*snapshot, error) {
	c, err := e.source.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	known := e.latest
	e.mu.Unlock()
	if known != nil && known.Version == c.Version {
		return known, nil
	}
	generations, err := e.source.Generations(ctx)
	if err != nil {
		return nil, err
	}
	a := newSnapshot(c, generations)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.latest = a
	return a, nil
}

func newSnapshot(c *store.Catalog, generations []store.Generation) *snapshot {
	a := &snapshot{Catalog: c, columns: rank.Columns{
		Length: c.Length, TotalLength: c.TotalLength, Prev: c.Prev, Next: c.Next,
		Conversation: c.Conversation, Conversations: len(c.Conversations),
	}}
	a.columns.Prepare()
	a.onPath, a.onPathBefore = rank.NewRows(c.Len()), make([]int32, 1, c.Len()+1)
	for row, flags := range c.Flags {
		if row < c.Dated {
			a.allTimes = append(a.allTimes, second(c.Time[row]))
		}
		onPath, embeddable := flags&store.FlagOnPath != 0, flags&store.FlagEmbeddable != 0
		switch {
		case onPath && embeddable:
			a.embeddable++
		case embeddable:
			a.offPathEmbeddable++
		}
		if onPath {
			a.turns++
			a.onPath.Add(int32(row))
			if row < c.Dated {
				a.pathTimes = append(a.pathTimes, a.allTimes[row])
			}
		}
		a.onPathBefore = append(a.onPathBefore, int32(a.turns))
	}
	a.sample = sampleOf(c, sampleSize, a.isOnPath)
	for _, g := range generations {
		if g.Active {
			a.active = g
		}
	}
	return a
}

// isOnPath reports whether a turn is on the active path of its conversation.
func (a *snapshot) isOnPath(row int) bool { return a.onPath.Has(int32(row)) }

// embeddedShare is the share of embeddable turns that have a vector: of active paths, or of all branches.
//
// A generation knows how many vectors it has, not which turns have one. For active paths the result is therefore an
// upper bound, at most 1: it is too high only where branches are embedded and turns of active paths still wait. An
// exact count would read all vectors before the first answer; lens doctor does that.
func (a *snapshot) embeddedShare(allBranches bool) float64 {
	total := a.embeddable
	if allBranches {
		total += a.offPathEmbeddable
	}
	if total == 0 {
		return 0
	}
	return min(1, float64(a.active.Vectors)/float64(total))
}

// baseline returns the times that matches are compared with: of active paths, or of all branches.
func (a *snapshot) baseline(allBranches bool) []int64 {
	if allBranches {
		return a.allTimes
	}
	return a.pathTimes
}

// second floors microseconds to seconds, also before 1970.
func second(micros int64) int64 { return store.FromMicros(micros).Unix() }

// timeOf returns a row's time, nil when it is undated.
func (a *snapshot) timeOf(row int) *time.Time {
	if row >= a.Dated {
		return nil
	}
	t := store.FromMicros(a.Time[row])
	return &t
}
