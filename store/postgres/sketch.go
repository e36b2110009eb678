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
	// maxSketchBytes is how many bytes of signs are kept: those of 349,000 vectors of 3072 dimensions.
	maxSketchBytes = 128 << 20

	// maxMissingTurns is how many vectors a sketch may lack: they are compared too.
	maxMissingTurns = 1000

	// sketchRetry is how long after a failure the making of a sketch is not tried again.
	sketchRetry = time.Minute
)

// errNoSketch says that a sketch cannot tell what is near.
var errNoSketch = errors.New("no sketch of these vectors")

// sketch holds the signs of a generation's vectors, which tell those that are worth comparing.
type sketch struct {
	*vecindex.Sketch
	tuples *tupleCache
	plan   searchPlan // of the commit that it is of
}

// fits reports whether what k holds is true of v too, though v may have more.
func (k *sketch) fits(v *view) bool {
	return k != nil && k.plan.gen == v.gen && k.plan.changed == v.changed && k.plan.file == v.file
}

// split returns the rows in k of the turns of scope, and those turns that have none.
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
	cancel     context.CancelFunc // of the one that is being made; nil: none is
	background sync.WaitGroup
	failed     time.Time // when none could be made
	closed     bool
}

// of returns a sketch that fits v, nil where there is none. Where it lacks something, make is started.
func (k *sketcher) get(v *view, make func(ctx context.Context, base *sketch) (*sketch, error)) *sketch {
	k.mu.Lock()
	defer k.mu.Unlock()
	fits := k.latest.fits(v)
	if complete := fits && k.latest.plan.version == v.version; !complete && k.cancel == nil && !k.closed && time.Since(k.failed) > sketchRetry {
		k.start(make)
	}
	if !fits {
		return nil
	}
	return k.latest
}

// start starts make. That it fails is nobody's trouble: searches go another way.
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

// close ends what is being made.
func (k *sketcher) close() {
	k.mu.Lock()
	k.closed = true
	if k.cancel != nil {
		k.cancel()
	}
	k.mu.Unlock()
	k.background.Wait()
}
