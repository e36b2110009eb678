package shard

import (
	"context"
	"errors"
	"slices"
	"time"

	"lens/internal/errs"
)

// openObject is an object that is open or being opened.
type openObject struct {
	ref      Ref
	users    int           // queries that use it; it is closed only at 0
	lastUsed time.Time     // when a query last acquired it
	evicted  bool          // no longer in the cache; its last user closes it
	ready    chan struct{} // closed once shard and err are set
	shard    *shard
	err      error
	release  func()
}

// close closes an unused object.
func (h *openObject) close() error {
	err := h.shard.close()
	h.release()
	return err
}

// changed reports whether the file of an open object has been written to since it was opened.
func (h *openObject) changed() bool {
	select {
	case <-h.ready:
		return h.err == nil && h.shard.changed()
	default:
		return false
	}
}

// viewCache holds the open objects of an Index, and views over them.
type viewCache struct {
	objects map[string]*openObject // by key
	views   []*cachedView          // most recently used first
}

// cachedView is cached because joining catalogs costs more than a query.
type cachedView struct {
	parts []*openObject // its objects; all are open, because eviction drops the view too
	view  *View
}

const maxViews = 8

// acquire returns an object for use and opens it if necessary. Concurrent callers wait for the one that opens
// it; if that one is canceled, the next one tries.
func (x *Index) acquire(ctx context.Context, root string, ref Ref) (*openObject, error) {
	for {
		x.mu.Lock()
		if x.closed {
			x.mu.Unlock()
			return nil, &errs.Error{Code: errs.Unavailable, Op: "shard: open", Message: "the index is closed"}
		}
		h, there := x.cache.objects[ref.Key]
		if !there {
			h = &openObject{ref: ref, ready: make(chan struct{})}
			x.cache.objects[ref.Key] = h
		}
		h.users++
		h.lastUsed = time.Now()
		x.mu.Unlock()
		if !there {
			x.fetch(ctx, root, h)
		}
		select {
		case <-h.ready:
		case <-ctx.Done():
			x.releaseAll([]*openObject{h})
			return nil, ctx.Err()
		}
		if h.err == nil {
			return h, nil
		}
		if there && ctx.Err() == nil && (errors.Is(h.err, context.Canceled) || errors.Is(h.err, context.DeadlineExceeded)) {
			continue
		}
		return nil, h.err
	}
}

// fetch opens an object. One that fails to open leaves the cache.
func (x *Index) fetch(ctx context.Context, root string, h *openObject) {
	defer close(h.ready)
	ref := h.ref
	ref.Key = root + ref.Key
	var path string
	if path, h.release, h.err = x.files.File(ctx, ref); h.err == nil {
		if h.shard, h.err = openShard(ctx, path); h.err != nil {
			h.release()
		}
	}
	if h.err != nil {
		x.mu.Lock()
		delete(x.cache.objects, h.ref.Key)
		x.mu.Unlock()
	}
}

// cachedViewOf returns a cached view that contains all of refs, with its objects; nil for none.
func (x *Index) cachedViewOf(m *Manifest, refs []Ref) (*View, []*openObject) {
	x.mu.Lock()
	defer x.mu.Unlock()
	views := x.cache.views
	i := slices.IndexFunc(views, func(k *cachedView) bool { return k.view.manifest == m && k.covers(refs) })
	if i < 0 {
		return nil, nil
	}
	kept := views[i]
	copy(views[1:i+1], views[:i])
	views[0] = kept
	for _, h := range kept.parts {
		h.users++
		h.lastUsed = time.Now()
	}
	return kept.view, kept.parts
}

func (k *cachedView) covers(refs []Ref) bool {
	for _, ref := range refs {
		if !slices.ContainsFunc(k.parts, func(h *openObject) bool { return h.ref.Key == ref.Key }) {
			return false
		}
	}
	return true
}

// newCachedView creates the view of acquired objects, the first of which has the statistics.
func (x *Index) newCachedView(m *Manifest, all []*openObject) *View {
	shards := make([]*shard, len(all))
	for i, h := range all {
		shards[i] = h.shard
	}
	kept := &cachedView{all, newView(m, shards[0], shards[1:])}
	x.mu.Lock()
	defer x.mu.Unlock()
	if slices.ContainsFunc(all, func(h *openObject) bool { return h.evicted }) {
		return kept.view // for this query only
	}
	x.cache.views = slices.Insert(x.cache.views, 0, kept)
	x.cache.views = x.cache.views[:min(len(x.cache.views), maxViews)]
	return kept.view
}

// trim closes unused objects: those that keep rejects and then the least recently used, until at most limit
// bytes are open; 0: no limit.
func (s *viewCache) trim(keep func(key string) bool, limit int64) error {
	err := s.evictIdle(func(h *openObject) bool { return !keep(h.ref.Key) })
	if limit <= 0 {
		return err
	}
	total := int64(0)
	var idle []*openObject
	for _, h := range s.objects {
		total += h.ref.Size
		if h.users == 0 {
			idle = append(idle, h)
		}
	}
	slices.SortFunc(idle, func(a, b *openObject) int { return a.lastUsed.Compare(b.lastUsed) })
	for _, h := range idle {
		if total <= limit {
			break
		}
		total -= h.ref.Size
		err = errors.Join(err, s.evictIdle(func(other *openObject) bool { return other == h }))
	}
	return err
}

// evictIdle closes the unused objects that chosen accepts, and drops their views.
func (s *viewCache) evictIdle(chosen func(h *openObject) bool) error {
	var failures []error
	for _, h := range s.objects {
		if h.users > 0 || !chosen(h) {
			continue
		}
		failures = append(failures, s.evict(h))
	}
	return errors.Join(failures...)
}

// evict removes an object and its views from the cache, and closes it unless it is in use.
func (s *viewCache) evict(h *openObject) error {
	delete(s.objects, h.ref.Key)
	s.views = slices.DeleteFunc(s.views, func(k *cachedView) bool { return slices.Contains(k.parts, h) })
	h.evicted = true
	if h.users > 0 {
		return nil
	}
	return h.close()
}

// evictChanged evicts objects whose files have changed, so that they are opened and verified again.
func (x *Index) evictChanged() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, h := range x.cache.objects {
		if h.changed() {
			_ = x.cache.evict(h)
		}
	}
}
