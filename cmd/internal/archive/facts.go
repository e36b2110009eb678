package archive

import (
	"context"
	"fmt"
	"time"

	"lens/cmd/internal/doctor"
	"lens/internal/errs"
	"lens/store"
)

// Filters by code and model look up facts of turns, which an older Lens did not index.

// FactsMissing returns the number of turns whose facts IndexFacts would index; 0 if the archive cannot be written.
func (a *Archive) FactsMissing(ctx context.Context) (int, error) {
	st, err := a.Reading(ctx)
	if err != nil || a.limited() != nil {
		return 0, err
	}
	return store.UnindexedFacts(ctx, st)
}

// limited returns why the store could not be opened for writing, nil if it could.
func (a *Archive) limited() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.limit
}

// IndexFacts indexes the facts of the turns that lack them, for a verb that needs them at once. Afterwards there are
// none; usually there were none before. progress may be nil. Errors: unavailable, for an archive that cannot be
// written too.
func (a *Archive) IndexFacts(ctx context.Context, progress func(Progress)) error {
	return a.indexFacts(ctx, func(done, total int) {
		if progress != nil {
			progress(Progress{Done: int64(done), Total: int64(total)})
		}
	})
}

// writerPause is longer than a writer holds the archive after a commit: in this time, another process can begin.
const writerPause = 400 * time.Millisecond

// IndexFactsAside is IndexFacts for the background: other writers come first.
func (a *Archive) IndexFactsAside(ctx context.Context, progress func(Progress)) error {
	return a.IndexFacts(ctx, func(p Progress) {
		progress(p)
		select {
		case <-ctx.Done():
		case <-time.After(writerPause):
		}
	})
}

func (a *Archive) indexFacts(ctx context.Context, progress func(done, total int)) (err error) {
	st, err := a.Reading(ctx)
	if err != nil {
		return err
	}
	if missing, err := store.UnindexedFacts(ctx, st); err != nil || missing == 0 {
		return err
	}
	if err := a.limited(); err != nil {
		return err
	}
	if a.remote() { // the open store only reads
		writer, err := a.openWith(ctx, access{})
		if err != nil {
			return err
		}
		defer func() { _ = writer.Close() }() // everything is committed
		st = writer
	}
	return store.IndexFacts(ctx, st, progress)
}

// upkeepRetry is the pause before another attempt to index facts, for example because another process writes.
const upkeepRetry = time.Minute

// Upkeep indexes the facts of turns in the background until none is missing or ctx ends, for a process that runs long.
// report gets the progress, and failures, after which it tries again.
func (a *Archive) Upkeep(ctx context.Context, report func(p Progress, err error)) {
	for {
		err := a.IndexFactsAside(ctx, func(p Progress) { report(p, nil) })
		if err == nil || ctx.Err() != nil || errs.CodeOf(err) == errs.NotFound { // later imports index facts themselves
			return
		}
		report(Progress{}, err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(upkeepRetry):
		}
	}
}

// checkFacts checks whether the facts of all turns are indexed.
func checkFacts(ctx context.Context, st store.Reader) doctor.Check {
	missing, err := store.UnindexedFacts(ctx, st)
	switch {
	case err != nil:
		return doctor.Failed("facts", err)
	case missing > 0:
		return doctor.Check{
			Name: "facts", Status: doctor.Warn,
			Message: fmt.Sprintf("%d turns are not yet indexed by code and model", missing),
			Hint:    "run lens, or lens peek has-code:yes, to index them",
		}
	}
	return doctor.Check{Name: "facts", Status: doctor.OK, Message: "every turn is indexed by code and model"}
}
