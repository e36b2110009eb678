package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store"
)

var commitChecks = []check{
	{"that fail leave nothing behind", failedCommitsLeaveNothing},
	{"that panic leave nothing behind and the archive usable", panicsLeaveNothing},
	{"return the caller's own error", ownErrorsComeBack},
	{"see their own writes", writesAreSeenInside},
	{"are serialized", commitsComeOneAtATime},
	{"are serialized between two openings", commitsFromTwoOpenings},
	{"survive reopening", commitsSurvive},
	{"fail on a closed archive, and so do reads", closedArchivesRefuse},
	{"that are repeated change nothing", writingTwiceChangesNothing},
}

var errOwn = errors.New("the caller's own")

func failedCommitsLeaveNothing(t *testing.T, a *archive) {
	kept := a.put(t, small("kept", at(1)))[0]
	g := a.generation(t, 8, true)
	a.embed(t, g, kept.Turns...)
	before := a.catalog(t).Version
	err := a.Update(t.Context(), func(tx store.Tx) error {
		changed := chat("kept", exchange{User: "changed", At: at(5)})
		must(t, write(t.Context(), tx, []store.Conversation{small("lost", at(2)), changed}))
		must(t, tx.DeleteVectors(t.Context(), turnIDs(kept)))
		must(t, tx.PutImportRun(t.Context(), store.ImportRun{ID: uuid.New(), Started: at(1), Receipt: []byte("{}")}))
		_, err := tx.Forget(t.Context(), []uuid.UUID{kept.ID})
		must(t, err)
		return errOwn
	})
	if !errors.Is(err, errOwn) {
		t.Fatalf("got %v, want the caller's own error", err)
	}
	want(t, "version", a.catalog(t).Version, before)
	if got := a.each(t, store.Filter{AllBranches: true}); !reflect.DeepEqual(got, kept.Turns) {
		t.Errorf("got %+v, want %+v", got, kept.Turns)
	}
	want(t, "neighbors", len(a.nearest(t, vectorOf(8, "q"), 10)), 1)
	want(t, "documents with a lost term", len(a.postings(t, "lost")[0].Ords), 0)
	runs, err := a.ImportRuns(t.Context(), 10)
	must(t, err)
	want(t, "runs", len(runs), 0)
}

func panicsLeaveNothing(t *testing.T, a *archive) {
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_ = a.Update(t.Context(), func(tx store.Tx) error {
			must(t, write(t.Context(), tx, []store.Conversation{small("lost", at(2))}))
			panic("the caller's own")
		})
	}()
	want(t, "turns", a.catalog(t).Len(), 0)
	a.put(t, small("afterwards", at(1)))
	want(t, "turns afterwards", a.catalog(t).Len(), 1)
}

func ownErrorsComeBack(t *testing.T, a *archive) {
	coded := &errs.Error{Code: errs.TooLarge, Op: "test", Message: "too much"}
	err := a.Update(t.Context(), func(store.Tx) error { return fmt.Errorf("wrapped: %w", coded) })
	wantCode(t, err, errs.TooLarge)
	if !errors.Is(err, coded) {
		t.Errorf("got %v, want an error that wraps the caller's own", err)
	}
}

func writesAreSeenInside(t *testing.T, a *archive) {
	c := small("one", at(1))
	a.update(t, func(tx store.Tx) error {
		must(t, write(t.Context(), tx, []store.Conversation{c}))
		conversations, err := tx.ConversationStates(t.Context(), []uuid.UUID{c.ID})
		must(t, err)
		want(t, "conversations", len(conversations), 1)
		turns, err := tx.TurnStates(t.Context(), []uuid.UUID{c.ID})
		must(t, err)
		want(t, "turns", len(turns), 1)
		want(t, "turns that others see", a.catalog(t).Len(), 0)
		return nil
	})
}

// count adds one turn to a conversation's turns. The result is right only if no other write happens in
// between.
func count(ctx context.Context, tx store.Tx) error {
	states, err := tx.TurnStates(ctx, []uuid.UUID{idOf("conversation counter")})
	if err != nil {
		return err
	}
	c := chat("counter", make([]exchange, len(states)+1)...)
	return write(ctx, tx, []store.Conversation{c})
}

func commitsFromTwoOpenings(t *testing.T, a *archive) {
	other := a.openAgain(t)
	for i := range 3 { // in turns: each sees the other's writes
		s := []store.Store{a.Store, other}[i%2]
		must(t, s.Update(t.Context(), func(tx store.Tx) error { return count(t.Context(), tx) }))
	}
	want(t, "turns", a.catalog(t).Len(), 3)
}

func commitsComeOneAtATime(t *testing.T, a *archive) {
	const writers, writes = 4, 10
	var group sync.WaitGroup
	for range writers {
		group.Go(func() {
			for range writes {
				if err := a.Update(t.Context(), func(tx store.Tx) error { return count(t.Context(), tx) }); err != nil {
					t.Errorf("update: %v", err)
				}
			}
		})
	}
	group.Wait()
	want(t, "turns", a.catalog(t).Len(), writers*writes)
}

func commitsSurvive(t *testing.T, a *archive) {
	put := a.put(t, filterChats()...)
	a.embed(t, a.generation(t, 8, true), put[1].Turns...)
	query := vectorOf(8, "query")
	before, near := a.each(t, store.Filter{AllBranches: true}), a.nearest(t, query, 10)
	must(t, a.Optimize(t.Context()))
	must(t, a.Close())
	a.Store = a.openAgain(t)
	if got := a.each(t, store.Filter{AllBranches: true}); !reflect.DeepEqual(got, before) {
		t.Errorf("got %+v, want %+v", got, before)
	}
	if got := a.nearest(t, query, 10); !reflect.DeepEqual(got, near) || len(near) == 0 {
		t.Errorf("got %v, want %v", got, near)
	}
}

func closedArchivesRefuse(t *testing.T, a *archive) {
	a.put(t, small("one", at(1)))
	must(t, a.Close())
	must(t, a.Close()) // a second Close is harmless
	_, err := a.Catalog(t.Context())
	wantCode(t, err, errs.Unavailable)
	_, err = a.Turns(t.Context(), []uuid.UUID{idOf("x")})
	wantCode(t, err, errs.Unavailable)
	err = a.Update(t.Context(), func(store.Tx) error { return nil })
	wantCode(t, err, errs.Unavailable)
	for _, err := range a.EachTurn(t.Context(), store.Filter{}) {
		wantCode(t, err, errs.Unavailable)
	}
}

func writingTwiceChangesNothing(t *testing.T, a *archive) {
	a.put(t, filterChats()...)
	before := a.each(t, store.Filter{AllBranches: true})
	a.put(t, filterChats()...)
	after := a.each(t, store.Filter{AllBranches: true})
	want(t, "turns", len(after), len(before))
	for i := range min(len(before), len(after)) {
		after[i].Ord = before[i].Ord
	}
	if !reflect.DeepEqual(after, before) {
		t.Errorf("got %+v, want %+v", after, before)
	}
}
