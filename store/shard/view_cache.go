package shard

import (
	"context"
	"errors"
	"slices"
	"time"

	"lens/store"
)

// held is an object that is open, or being opened.
type openObject struct {
	ref      Ref
	users    int           // queries that use it; it is closed only when there is none
	lastUsed time.Time     // when one last began to
	evicted  bool          // no longer on the shelf: closed by its last user
	ready    chan struct{} // closed when shard and err are known
	shard    *shard
	err      error
	release  func()
}

// close gives back what nobody uses.
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

// shelf is what an Index has open, and views that were made of it.
type viewCache struct {
	objects map[string]*openObject // by key
	views   []*cachedView          // the latest used first
}

// keptView is remembered because joining catalogs costs more than a query.
type cachedView struct {
	parts []*openObject // the objects it is made of: all open, for it is forgotten when one is closed
	view  *View
}

const maxViews = 8

// take returns an object for use, opening it if nobody has. The users of one that is being opened wait for it; when that fails for
// whoever opens it, because he gave up, the next one tries.
func (x *Index) acquire(ctx context.Context, root string, ref Ref) (*openObject, error) {
	for {
		x.mu.Lock()
		if x.closed {
			x.mu.Unlock()
			return nil, &store.Error{Code: store.CodeUnavailable, Op: "shard: open", Message: "the index was closed"}
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

// fetch opens an object. One that cannot be opened is forgotten.
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

// covering returns a view that was made lately of all of refs, and maybe more, with the objects that it uses; nil for none.
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

// viewOf makes the view of objects in use, the first of which has the statistics.
func (x *Index) newCachedView(m *Manifest, all []*openObject) *View {
	shards := make([]*shard, len(all))
	for i, h := range all {
		shards[i] = h.shard
	}
	kept := &cachedView{all, newView(m, shards[0], shards[1:])}
	x.mu.Lock()
	defer x.mu.Unlock()
	if slices.ContainsFunc(all, func(h *openObject) bool { return h.evicted }) {
		return kept.view // for this query
	}
	x.cache.views = slices.Insert(x.cache.views, 0, kept)
	x.cache.views = x.cache.views[:min(len(x.cache.views), maxViews)]
	return kept.view
}

// trim closes what no query uses: all that keep does not want, and of the rest what was used longest ago, until no more than limit
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

// clear closes those that are chosen and not in use, and forgets views of them.
func (s *viewCache) evictIdle(chosen func(h *openObject) bool) error {
	var errs []error
	for _, h := range s.objects {
		if h.users > 0 || !chosen(h) {
			continue
		}
		errs = append(errs, s.evict(h))
	}
	return errors.Join(errs...)
}

// forget takes an object from the shelf, and views of it, and closes it unless it is in use.
func (s *viewCache) evict(h *openObject) error {
	delete(s.objects, h.ref.Key)
	s.views = slices.DeleteFunc(s.views, func(k *cachedView) bool { return slices.Contains(k.parts, h) })
	h.evicted = true
	if h.users > 0 {
		return nil
	}
	return h.close()
}

// discard forgets objects whose files have changed under them: they are opened, and verified, anew.
func (x *Index) evictChanged() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, h := range x.cache.objects {
		if h.changed() {
			_ = x.cache.evict(h)
		}
	}
}
