package ingest

import (
	"context"

	"lens/store"
	"lens/store/terms"
)

// writer brings batches into an archive.
type writer struct {
	st       store.Store
	analyzer terms.Analyzer // for what analysis left out
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
	owners, err := ownersOf(ctx, tx, b, pasts)
	if err != nil {
		return r, err
	}
	for i := range b.entries {
		e := &b.entries[i]
		if e.parsed == nil {
			continue
		}
		stored, known := pasts[e.parsed.ID]
		switch {
		case !known:
			settle(e.parsed, owners, past{})
			r.add(e)
		case !supersedes(e.parsed, stored):
			r.leave(e.parsed)
		default:
			settle(e.parsed, owners, stored)
			if err := r.update(ctx, e, stored); err != nil {
				return r, err
			}
		}
	}
	return r, nil
}
