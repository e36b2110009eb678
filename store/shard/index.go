package shard

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"lens/store"
)

// Options says which index is read and how. The zero value reads the only one there is.
type Options struct {
	Model        string        // ID of the model, where there are indexes of several
	Dims         int           // with Model: of its vectors; 0: whatever there is
	Refresh      time.Duration // how old what is known of the manifest may be before it is looked up again: see manifest; 0: 10 s, negative: with every query
	MaxIdleBytes int64         // bytes of shards that stay open while no query needs them; 0: all
	MaxFetches   int           // how many shards are fetched at once; 0: 4
}

// Index reads a published index. It is safe for concurrent use.
type Index struct {
	bucket Bucket
	files  Files
	opts   Options

	refreshToken chan struct{} // holds one token: who takes it may look for a manifest
	root         string        // where it was last; of who has the token
	refreshes    sync.WaitGroup
	ctx          context.Context // over when the index is closed
	cancel       context.CancelFunc

	mu      sync.Mutex
	latest  *Manifest
	etag    string
	checked time.Time
	cache   viewCache
	closed  bool
}

// NewIndex returns an index that has read nothing yet.
func NewIndex(bucket Bucket, files Files, opts Options) *Index {
	if opts.Refresh == 0 {
		opts.Refresh = 10 * time.Second
	}
	if opts.MaxFetches <= 0 {
		opts.MaxFetches = 4
	}
	x := &Index{bucket: bucket, files: files, opts: opts, refreshToken: make(chan struct{}, 1)}
	x.refreshToken <- struct{}{}
	x.ctx, x.cancel = context.WithCancel(context.Background())
	x.cache.objects = map[string]*openObject{}
	return x
}

// Narrow returns a view of the shards that can hold what f lets through; the others are not fetched. Release must be called once when the view is no longer
// used. Errors: not_found when there is no index or one of its shards is gone, unavailable when the bucket is out of reach or
// what lies there is damaged or of another Lens.
func (x *Index) View(ctx context.Context, f store.Filter) (v *View, release func(), err error) {
	m, err := x.manifest(ctx)
	if err != nil {
		return nil, nil, err
	}
	v, release, err = x.openView(ctx, m, f)
	if !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrDamaged) {
		return v, release, err
	}
	now, failed := x.refresh(ctx, 0) // an old generation may have been pruned
	if failed != nil {
		return nil, nil, failed
	}
	if now != m { // and one of the same number be another index: numbers begin anew where one was deleted
		return x.openView(ctx, now, f)
	}
	if errors.Is(err, ErrNotFound) {
		err = errShardGone
	}
	return nil, nil, err
}

// Model returns by what queries must be embedded. Errors: those of Narrow.
func (x *Index) Model(ctx context.Context) (Model, error) {
	m, err := x.manifest(ctx)
	if err != nil {
		return Model{}, err
	}
	return m.Model, nil
}

// view opens what is needed of a generation.
func (x *Index) openView(ctx context.Context, m *Manifest, f store.Filter) (*View, func(), error) {
	refs := []Ref{m.Statistics}
	for i := range m.Shards {
		if m.Shards[i].mayMatch(f) {
			refs = append(refs, m.Shards[i].Ref)
		}
	}
	x.evictChanged()
	if v, all := x.cachedViewOf(m, refs); v != nil {
		return v, sync.OnceFunc(func() { x.releaseAll(all) }), nil
	}
	all := make([]*openObject, len(refs))
	release := func() { x.releaseAll(all) }
	fetching, opening := errgroup.WithContext(ctx)
	fetching.SetLimit(x.opts.MaxFetches)
	for i, ref := range refs {
		fetching.Go(func() (err error) {
			all[i], err = x.acquire(opening, m.Model.Root(), ref)
			return err
		})
	}
	if err := fetching.Wait(); err != nil {
		release()
		return nil, nil, err
	}
	return x.newCachedView(m, all), sync.OnceFunc(release), nil
}

// What is not there, as who asks is told.
var (
	errNoIndex error = &store.Error{
		Code: store.CodeNotFound, Op: "shard: open", Message: "no index is published there", Hint: "lens shard publish makes one; or name another place.",
	}
	errShardGone error = &store.Error{
		Code: store.CodeNotFound, Op: "shard: open", Message: "a shard of the index is missing", Hint: "lens shard verify says which; publish the index again.",
	}
)

// Close gives back what is open. Views must have been released.
func (x *Index) Close() error {
	x.mu.Lock()
	x.closed = true
	x.mu.Unlock()
	x.cancel()
	x.refreshes.Wait()
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.cache.evictIdle(func(*openObject) bool { return true })
}

// giveBack ends a query's use of shards.
func (x *Index) releaseAll(all []*openObject) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, h := range all {
		if h == nil {
			continue
		}
		if h.users--; h.users == 0 && h.evicted {
			_ = h.close()
		}
	}
	_ = x.cache.trim(x.isCurrent(), x.opts.MaxIdleBytes) // what cannot be closed is no less closed for the caller
}

// keep tells which objects are of the present generation.
func (x *Index) isCurrent() func(key string) bool {
	m := x.latest
	return func(key string) bool {
		return m != nil && (key == m.Statistics.Key || slices.ContainsFunc(m.Shards, func(p Part) bool { return p.Key == key }))
	}
}
