package postgres

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/vecindex"
)

const (
	// maxSketchBytes limits the memory for signs: those of 349,000 vectors of 3,072 dimensions.
	maxSketchBytes = 128 << 20

	// maxMissingTurns is the number of turns that a sketch may lack; they are compared too.
	maxMissingTurns = 1000

	// sketchRetry is the delay before another attempt after making a sketch has failed.
	sketchRetry = time.Minute
)

// errNoSketch means that no usable sketch exists for a search.
var errNoSketch = errors.New("no sketch of these vectors")

// sketch holds the signs of a generation's vectors, which select the vectors that are worth comparing.
type sketch struct {
	*vecindex.Sketch
	tuples *tupleCache
	plan   searchPlan // of the commit that the sketch was made from
}

// fits reports whether k's content is valid in v, though v may have more vectors.
func (k *sketch) fits(v *view) bool {
	return k != nil && k.plan.gen == v.gen && k.plan.changed == v.changed && k.plan.file == v.file
}

// split returns the rows in k of the turns of scope, and the turns that have no row.
func (k *sketch) split(c *store.Catalog, scope *store.Scope) (keep vecindex.Set, missing []uuid.UUID) {
	keep = vecindex.NewSet(k.Len())
	for row := range scope.Rows() {
		if at, ok := k.Row(c.Ord[row]); ok {
			keep.Add(at)
		} else {
			missing = append(missing, c.ID[row])
		}
	}
	return keep, missing
}

// sketcher makes sketches in the background, one at a time, and keeps the last.
type sketcher struct {
	mu         sync.Mutex
	latest     *sketch
	cancel     context.CancelFunc // of the sketch in progress; nil: none
	background sync.WaitGroup
	failed     time.Time // the time of the last failure
	closed     bool
}

// get returns a sketch that fits v, nil if there is none. It starts make if the sketch is missing or
// incomplete.
func (k *sketcher) get(v *view, make func(ctx context.Context, base *sketch) (*sketch, error)) *sketch {
	k.mu.Lock()
	defer k.mu.Unlock()
	fits := k.latest.fits(v)
	complete := fits && k.latest.plan.version == v.version
	if !complete && k.cancel == nil && !k.closed && time.Since(k.failed) > sketchRetry {
		k.start(make)
	}
	if !fits {
		return nil
	}
	return k.latest
}

// start runs make in the background. Searches work without a sketch, so a failure is only remembered.
func (k *sketcher) start(make func(ctx context.Context, base *sketch) (*sketch, error)) {
	ctx, cancel := context.WithCancel(context.Background())
	base := k.latest
	k.cancel = cancel
	k.background.Go(func() {
		made, err := make(ctx, base)
		cancel()
		k.mu.Lock()
		defer k.mu.Unlock()
		k.cancel = nil
		if err != nil {
			k.failed = time.Now()
			return
		}
		k.latest = made
	})
}

// close cancels a sketch in progress.
func (k *sketcher) close() {
	k.mu.Lock()
	k.closed = true
	if k.cancel != nil {
		k.cancel()
	}
	k.mu.Unlock()
	k.background.Wait()
}
