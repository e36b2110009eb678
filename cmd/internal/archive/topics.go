package archive

import (
	"context"
	"time"

	"lens/internal/errs"
	"lens/store"
)

// MakeTopics makes the topics of the present archive unless they are known, and stores them with it. Where the archive
// cannot be written, its engine knows them until it is closed. Searches go on meanwhile. Errors: see Engine.
func (a *Archive) MakeTopics(ctx context.Context) error {
	engine, err := a.Engine(ctx)
	if err != nil {
		return err
	}
	return engine.MakeTopics(ctx, a.putKept)
}

// putKept keeps data with the archive, if that can be written.
func (a *Archive) putKept(ctx context.Context, name string, of int64, data []byte) error {
	st, err := a.Reading(ctx)
	if err != nil || a.limited() != nil {
		return err
	}
	if a.remote() { // the open store only reads
		writer, err := a.openWith(ctx, access{})
		if err != nil {
			return ignoreDenied(err)
		}
		defer func() { _ = writer.Close() }() // everything is committed
		st = writer
	}
	return ignoreDenied(st.Update(ctx, func(tx store.Tx) error { return tx.PutKept(ctx, name, of, data) }))
}

// ignoreDenied drops the error of an archive that another process writes, or that this one may not write: topics
// can be made again.
func ignoreDenied(err error) error {
	switch errs.CodeOf(err) {
	case errs.Unavailable, errs.Invalid:
		return nil
	}
	return err
}

// topicsInterval is how often a process that runs long looks whether the archive has changed.
const topicsInterval = time.Minute

// KeepTopics makes the topics of the archive whenever it has changed, until ctx ends, for a process that runs long.
// report gets failures, after which it tries again.
func (a *Archive) KeepTopics(ctx context.Context, report func(error)) {
	for {
		if !a.keys.Locked() {
			if err := a.MakeTopics(ctx); err != nil && ctx.Err() == nil && errs.CodeOf(err) != errs.NotFound {
				report(err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(topicsInterval):
		}
	}
}
