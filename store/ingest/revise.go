package ingest

import (
	"context"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/terms"
)

// writer decides, in one transaction per batch, what to add, replace or skip; the revision then writes it.
type writer struct {
	st       store.Store
	read     readVersions
	analyzer terms.Analyzer // for turns that analysis left out

	vectorsOf Model
	restore   bool
}

// transact implements transactor.
func (w *writer) transact(ctx context.Context, fn func(writeBatch) error) error {
	return w.st.Update(ctx, func(tx store.Tx) error {
		known, err := w.st.Forgotten(ctx) // as it is now: there is no other writer
		if err != nil {
			return err
		}
		gone := &forgotten{Forgotten: known, restore: w.restore}
		err = fn(func(b *batch) (outcome, error) {
			left, err := gone.leaveOut(ctx, w.st, b)
			if err != nil {
				return outcome{}, err
			}
			r, err := w.revise(ctx, tx, b)
			if err != nil {
				return outcome{}, err
			}
			r.outcome.forgotten = left
			return r.outcome, r.write(ctx, tx)
		})
		if err == nil && gone.changed {
			err = tx.PutForgotten(ctx, gone.Forgotten)
		}
		return err
	})
}

// revise collects the changes that b makes.
func (w *writer) revise(ctx context.Context, tx store.Tx, b *batch) (*revision, error) {
	r := &revision{writer: w}
	versions, err := storedVersions(ctx, tx, b)
	if err != nil {
		return r, err
	}
	owners, err := messageOwners(ctx, tx, b, versions, w.read)
	if err != nil {
		return r, err
	}
	for i := range b.entries {
		e := &b.entries[i]
		if e.parsed == nil {
			continue
		}
		if stored, known := versions[e.parsed.ID]; !known {
			separateSharedIDs(e.parsed, owners, storedVersion{})
			r.add(e)
			w.read.add(e.parsed.ID)
		} else if err := r.merge(ctx, e, stored, owners); err != nil {
			return r, err
		}
	}
	return r, nil
}

// merge adds a conversation of which the archive holds a version.
func (r *revision) merge(ctx context.Context, e *entry, stored storedVersion, owners map[uuid.UUID]uuid.UUID) error {
	p := e.parsed
	switch stored.compare(p, r.read) {
	case replaceStored:
		separateSharedIDs(p, owners, stored)
		stored.recordSuperseded(p)
		r.read.add(p.ID)
		return r.update(ctx, e, stored)
	case rememberImported:
		r.countUnchanged(p)
		return r.addSuperseded(ctx, p)
	}
	if p.Hash == stored.state.Hash {
		r.read.add(p.ID)
	}
	r.countUnchanged(p)
	return nil
}
