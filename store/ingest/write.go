package ingest

import (
	"context"

	"lens/store"
	"lens/store/terms"
)

// writer brings batches into an archive, one transaction each.
type writer struct {
	st       store.Store
	analyzer terms.Analyzer // for what analysis left out
}

// write writes one batch.
func (w *writer) write(ctx context.Context, b *batch) (outcome, error) {
	var done outcome
	err := w.st.Update(ctx, func(tx store.Tx) error {
		r, err := w.revise(ctx, tx, b)
		if err != nil {
			return err
		}
		done = r.outcome
		return r.write(ctx, tx)
	})
	return done, err
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
