package shard

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"lens/internal/errs"
	"lens/store"
)

// Options selects an index and limits its resources. The zero value reads the only index.
type Options struct {
	Model string // ID of the model; needed if there are indexes of several

	// Refresh is the age at which the manifest is looked up again: see manifest. 0: 10 s, negative: with every query.
	Refresh time.Duration

	MaxIdleBytes int64 // of open shards that no query uses; 0: unlimited
	MaxFetches   int   // concurrent fetches of shards; 0: 4
}

// Index reads a published index. It is safe for concurrent use.
type Index struct {
	bucket Bucket
	files  Files
	opts   Options

	refreshing *semaphore.Weighted // of 1: its holder may look for a manifest
	root       string              // location of the last manifest; guarded by refreshing
	refreshes  sync.WaitGroup
	ctx        context.Context // done when the index is closed
	cancel     context.CancelFunc

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
	x := &Index{bucket: bucket, files: files, opts: opts, refreshing: semaphore.NewWeighted(1)}
	x.ctx, x.cancel = context.WithCancel(context.Background())
	x.cache.objects = map[string]*openObject{}
	return x
}

// View returns a view of the shards that may match f; the others are not fetched. The caller calls release
// once. Errors: not_found without an index or if a shard is gone, unavailable if the bucket cannot be reached
// or its contents are damaged or from another version of Lens.
func (x *Index) View(ctx context.Context, f store.Filter) (v *View, release func(), err error) {
	m, err := x.manifest(ctx)
	if err != nil {
		return nil, nil, err
	}
	v, release, err = x.openView(ctx, m, f)
	if !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrDamaged) {
		return v, release, err
	}
	now, failed := x.refresh(ctx, 0) // the old generation may have been pruned
	if failed != nil {
		return nil, nil, failed
	}
	if now != m { // compare pointers: generation numbers restart if an index was deleted
		return x.openView(ctx, now, f)
	}
	if errors.Is(err, ErrNotFound) {
		err = errShardGone
	}
	return nil, nil, err
}

// Model returns the model that queries must be embedded with. Errors: those of View.
func (x *Index) Model(ctx context.Context) (Model, error) {
	m, err := x.manifest(ctx)
	if err != nil {
		return Model{}, err
	}
	return m.Model, nil
}

// openView opens the needed objects of a generation.
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

// Errors for a missing index or shard.
var (
	errNoIndex error = &errs.Error{
		Code: errs.NotFound, Op: "shard: open", Message: "no index is published there",
		Hint: "run lens shard publish, or name another location",
	}
	errShardGone error = &errs.Error{
		Code: errs.NotFound, Op: "shard: open", Message: "a shard of the index is missing",
		Hint: "run lens shard verify, then publish the index again",
	}
)

// Close releases all resources. Views must have been released.
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

// releaseAll ends a query's use of shards.
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
	_ = x.cache.trim(x.isCurrent(), x.opts.MaxIdleBytes) // the caller cannot act on a failed close
}

// isCurrent returns a predicate for the objects of the current generation.
func (x *Index) isCurrent() func(key string) bool {
	m := x.latest
	return func(key string) bool {
		isPart := func(p Part) bool { return p.Key == key }
		return m != nil && (key == m.Statistics.Key || slices.ContainsFunc(m.Shards, isPart))
	}
}
