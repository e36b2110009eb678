package postgres

import (
	"context"

	"lens/store"
	"lens/store/termindex"
)

// Optimize implements store.Store. Each merge is its own transaction, so that an interruption keeps
// the others.
func (s *Store) Optimize(ctx context.Context) error {
	for merged := true; merged; {
		err := s.Update(ctx, func(w store.Tx) error {
			var err error
			merged, err = w.(*tx).mergeOnce(ctx)
			return err
		})
		if err != nil {
			return err
		}
	}
	return s.write(ctx, "optimize", func(c *conn) error {
		_, err := c.run(ctx, "Analyze")
		return err
	})
}

// mergeOnce merges the segments that are due; false if there are none.
func (t *tx) mergeOnce(ctx context.Context) (bool, error) {
	segments, err := t.segments(ctx)
	if err != nil {
		return false, err
	}
	group := termindex.Due(segments, func(s segment) int64 { return s.bytes })
	if group == nil {
		return false, nil
	}
	return true, t.merge(ctx, group)
}

// merge replaces segments by one with their live turns.
func (t *tx) merge(ctx context.Context, segments []segment) error {
	live, err := t.liveOrds(ctx)
	if err != nil {
		return err
	}
	w, err := t.newSegment(ctx)
	if err != nil {
		return err
	}
	ids, readers := make([]int64, len(segments)), make([]termindex.Segment, len(segments))
	for i, seg := range segments {
		ids[i], readers[i] = seg.id, t.blocks(ctx, seg.id)
	}
	if err := termindex.Merge(readers, live.Has, func(b termindex.Block) error { return w.add(ctx, b) }); err != nil {
		return err
	}
	for _, name := range []string{"DeleteBlocks", "DeleteSegments"} {
		if _, err := t.run(ctx, name, ids); err != nil {
			return err
		}
	}
	return w.finish(ctx, 0)
}

// blocksPerFetch is the number of blocks of a segment that are fetched at a time.
const blocksPerFetch = 32

// blocks yields the blocks of one segment, fetched in portions: a connection runs one query at a time,
// and several segments are read in parallel.
func (c *conn) blocks(ctx context.Context, segment int64) termindex.Segment {
	return func(yield func(termindex.Block, error) bool) {
		for after, full := "", true; full; {
			blocks, err := c.blocksAfter(ctx, segment, after)
			if err != nil {
				yield(termindex.Block{}, err)
				return
			}
			for _, b := range blocks {
				after = b.FirstTerm
				if !yield(b, nil) {
					return
				}
			}
			full = len(blocks) == blocksPerFetch
		}
	}
}

// blocksAfter returns the next blocks of a segment. No term is empty, so all blocks come after "".
func (c *conn) blocksAfter(ctx context.Context, segment int64, term string) ([]termindex.Block, error) {
	return collect(ctx, c, func(r row) termindex.Block {
		return termindex.Block{FirstTerm: r.text(0), Data: r.bytes(1)}
	}, "BlocksAfter", segment, term, blocksPerFetch)
}

// liveOrds returns the ordinals in use.
func (c *conn) liveOrds(ctx context.Context) (*store.OrdSet, error) {
	live := new(store.OrdSet)
	err := c.each(ctx, "LiveOrds", nil, func(r row) error {
		live.Add(store.Ord(r.number(0)))
		return nil
	})
	return live, err
}
