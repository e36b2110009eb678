package ingest

import (
	"context"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/terms"
)

// writer brings batches into an archive.
type writer struct {
	st       store.Store
	read     read
	analyzer terms.Analyzer // for what analysis left out

	vectorsOf Model
}

// transact implements sink.
func (w *writer) transact(ctx context.Context, fn func(write) error) error {
	return w.st.Update(ctx, func(tx store.Tx) error {
		return fn(func(b *batch) (outcome, error) {
			r, err := w.revise(ctx, tx, b)
			if err != nil {
				return outcome{}, err
			}
			return r.outcome, r.write(ctx, tx)
		})
	})
}

// revise works out what b changes.
func (w *writer) revise(ctx context.Context, tx store.Tx, b *batch) (*revision, error) {
	r := &revision{writer: w}
	pasts, err := pastsOf(ctx, tx, b)
	if err != nil {
		return r, err
	}
	owners, err := ownersOf(ctx, tx, b, pasts, w.read)
	if err != nil {
		return r, err
	}
	for i := range b.entries {
		e := &b.entries[i]
		if e.parsed == nil {
			continue
		}
		if stored, known := pasts[e.parsed.ID]; !known {
			settle(e.parsed, owners, past{})
			r.add(e)
			w.read.add(e.parsed.ID)
		} else if err := r.meet(ctx, e, stored, owners); err != nil {
			return r, err
		}
	}
	return r, nil
}

// meet takes a conversation of which another version may be stored.
func (r *revision) meet(ctx context.Context, e *entry, stored past, owners map[uuid.UUID]uuid.UUID) error {
	p := e.parsed
	switch stored.compare(p, r.read) {
	case replace:
		settle(p, owners, stored)
		stored.succeed(p)
		r.read.add(p.ID)
		return r.update(ctx, e, stored)
	case yields:
		r.leave(p)
		return r.remember(ctx, p)
	}
	if p.Hash == stored.state.Hash {
		r.read.add(p.ID)
	}
	r.leave(p)
	return nil
}
