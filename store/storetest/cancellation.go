package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store"
)

var cancelChecks = []check{
	{"is checked before every operation", canceledBefore},
	{"is checked between the turns of EachTurn", canceledInEachTurn},
	{"interrupts a query and leaves the archive usable", canceledInTheMiddle},
	{"interrupts a write, which leaves nothing", canceledWrites},
	{"of one reader does not affect the others", canceledAlone},
}

// operations are all operations that may take time.
func (a *archive) operations() map[string]func(context.Context) error {
	query, everything := vectorOf(8, "query"), store.Filter{AllBranches: true}
	return map[string]func(context.Context) error{
		"Catalog":       func(ctx context.Context) error { _, err := a.Catalog(ctx); return err },
		"Postings":      func(ctx context.Context) error { _, err := a.Postings(ctx, []string{"text"}); return err },
		"Nearest":       func(ctx context.Context) error { _, err := a.Nearest(ctx, query, everything, 10); return err },
		"Similarities":  func(ctx context.Context) error { _, err := a.Similarities(ctx, query, []store.Ord{1}); return err },
		"Turns":         func(ctx context.Context) error { _, err := a.Turns(ctx, nil); return err },
		"EachText":      func(ctx context.Context) error { return a.eachText(ctx, []store.Ord{1}, nil) },
		"FindTurns":     func(ctx context.Context) error { _, err := a.FindTurns(ctx, "", 10); return err },
		"EachTurn":      func(ctx context.Context) error { _, err := a.countEach(ctx); return err },
		"Conversations": func(ctx context.Context) error { _, err := a.Conversations(ctx, nil); return err },
		"Messages":      func(ctx context.Context) error { _, err := a.Messages(ctx, uuid.New()); return err },
		"Versions":      func(ctx context.Context) error { _, err := a.Versions(ctx, uuid.New()); return err },
		"MessageOwners": func(ctx context.Context) error { _, err := a.MessageOwners(ctx, []uuid.UUID{{}}); return err },
		"VersionedIDs":  func(ctx context.Context) error { _, err := a.VersionedIDs(ctx); return err },
		"Generations":   func(ctx context.Context) error { _, err := a.Generations(ctx); return err },
		"Pending":       func(ctx context.Context) error { _, err := a.Pending(ctx, 0, everything, 0, 10); return err },
		"CountPending":  func(ctx context.Context) error { _, err := a.CountPending(ctx, 0, everything); return err },
		"VectorsOfTexts": func(ctx context.Context) error {
			_, err := a.VectorsOfTexts(ctx, 1, []store.Hash{{}})
			return err
		},
		"ImportRuns":    func(ctx context.Context) error { _, err := a.ImportRuns(ctx, 10); return err },
		"ImportedRoots": func(ctx context.Context) error { _, err := a.ImportedRoots(ctx); return err },
		"ImportedFiles": func(ctx context.Context) error { _, err := a.ImportedFiles(ctx, "/"); return err },
		"Update":        func(ctx context.Context) error { return a.Update(ctx, func(store.Tx) error { return nil }) },
		"Optimize":      a.Optimize,
	}
}

func wantCanceled(tb testing.TB, what string, err error) {
	tb.Helper()
	if !errors.Is(err, context.Canceled) || errs.CodeOf(err) != errs.Unavailable {
		tb.Errorf("%s: got %v (%s), want an error that wraps context.Canceled", what, err, errs.CodeOf(err))
	}
}

func canceledBefore(t *testing.T, a *archive) {
	a.embed(t, a.generation(t, 8, true), a.manyTurns(t, 5)...)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, run := range a.operations() {
		wantCanceled(t, name, run(canceled))
		if err := run(t.Context()); err != nil {
			t.Errorf("%s afterwards: %v", name, err)
		}
	}
}

func canceledInEachTurn(t *testing.T, a *archive) {
	a.manyTurns(t, 300)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for _, err := range a.EachTurn(ctx, store.Filter{}) {
		if err != nil {
			wantCanceled(t, "EachTurn", err)
			want(t, "stopped early", n < 300, true)
			return
		}
		n++
		cancel()
	}
	t.Errorf("EachTurn yielded all %d turns after the cancellation", n)
}

func canceledInTheMiddle(t *testing.T, a *archive) {
	a.embed(t, a.generation(t, 8, true), a.manyTurns(t, 3000)...)
	for name, run := range a.operations() {
		for _, after := range []time.Duration{50 * time.Microsecond, 500 * time.Microsecond, 5 * time.Millisecond} {
			ctx, cancel := context.WithCancel(t.Context())
			timer := time.AfterFunc(after, cancel)
			if err := run(ctx); err != nil { // it may have ended before the cancellation
				wantCanceled(t, name, err)
			}
			timer.Stop()
			cancel()
		}
		if err := run(t.Context()); err != nil {
			t.Errorf("%s afterwards: %v", name, err)
		}
	}
}

func canceledWrites(t *testing.T, a *archive) {
	a.put(t, small("kept", at(1)))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := a.Update(ctx, func(tx store.Tx) error {
		for i := 0; ; i++ {
			if i == 20 {
				cancel()
			}
			if err := write(ctx, tx, []store.Conversation{small(fmt.Sprint("lost ", i), at(i))}); err != nil {
				return err
			}
		}
	})
	wantCanceled(t, "Update", err)
	want(t, "turns", a.catalog(t).Len(), 1)
	a.put(t, small("afterwards", at(2)))
	want(t, "turns afterwards", a.catalog(t).Len(), 2)
}

func canceledAlone(t *testing.T, a *archive) {
	a.manyTurns(t, 100)
	ctx, cancel := context.WithCancel(t.Context())
	for _, err := range a.EachTurn(ctx, store.Filter{}) {
		must(t, err)
		break
	}
	cancel()
	want(t, "turns", len(a.each(t, store.Filter{})), 100)
}
