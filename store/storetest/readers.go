package storetest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"lens/store"
)

var readerChecks = []check{
	{"see whole commits during writes", readersSeeWholeCommits},
	{"that began before a commit do not see it", readersKeepTheirCommit},
	{"do not wait for a writer", readersDoNotWait},
}

// perCommit is the number of turns, with as many vectors, in each commit of readersSeeWholeCommits.
const perCommit = 7

func readersSeeWholeCommits(t *testing.T, a *archive) {
	g := a.generation(t, 8, true)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var group sync.WaitGroup
	reads := []func(context.Context) (int, error){a.countCatalog, a.countEach, a.countNearest, a.countPostings}
	for _, look := range reads {
		group.Go(func() {
			for seen := 0; ctx.Err() == nil; {
				n, err := look(context.Background())
				if err != nil || n%perCommit != 0 || n < seen {
					t.Errorf("saw %d turns after %d, want whole commits of %d (%v)", n, seen, perCommit, err)
					return
				}
				seen = n
			}
		})
	}
	for i := range 25 {
		a.writeCommit(t, g, i)
	}
	stop()
	group.Wait()
	want(t, "turns at the end", a.catalog(t).Len(), 25*perCommit)
}

func (a *archive) writeCommit(t *testing.T, g store.Generation, i int) {
	t.Helper()
	exchanges := make([]exchange, perCommit)
	for j := range exchanges {
		exchanges[j] = exchange{User: fmt.Sprintf("shared %d %d", i, j), Replies: []string{"yes"}, At: at(i)}
	}
	c := []store.Conversation{chat(fmt.Sprint("commit ", i), exchanges...)}
	a.update(t, func(tx store.Tx) error {
		if err := write(t.Context(), tx, c); err != nil {
			return err
		}
		var vectors []store.Vector
		for _, turn := range c[0].Turns {
			vectors = append(vectors, store.Vector{Turn: turn.ID, Values: vectorOf(g.Dim, turn.UserText)})
		}
		return tx.PutVectors(t.Context(), g.ID, vectors)
	})
}

func (a *archive) countCatalog(ctx context.Context) (int, error) {
	c, err := a.Catalog(ctx)
	if err != nil {
		return 0, err
	}
	return c.Len(), nil
}

func (a *archive) countEach(ctx context.Context) (n int, err error) {
	for _, err := range a.EachTurn(ctx, store.Filter{}) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func (a *archive) countNearest(ctx context.Context) (int, error) {
	found, err := a.Nearest(ctx, vectorOf(8, "query"), store.Filter{}, 10_000)
	return len(found), err
}

func (a *archive) countPostings(ctx context.Context) (int, error) {
	lists, err := a.Postings(ctx, []string{"share"})
	if err != nil {
		return 0, err
	}
	return len(lists[0].Ords), nil
}

func readersKeepTheirCommit(t *testing.T, a *archive) {
	var chats []store.Conversation
	for i := range 150 {
		chats = append(chats, small(fmt.Sprint(i), at(i)))
	}
	a.put(t, chats...)
	n := 0
	for _, err := range a.EachTurn(t.Context(), store.Filter{}) {
		must(t, err)
		if n == 0 {
			a.put(t, small("in between", at(1000)))
			a.forget(t, chats[149].ID)
		}
		n++
	}
	want(t, "turns yielded", n, 150)
	want(t, "turns afterwards", len(a.each(t, store.Filter{})), 150)
}

func readersDoNotWait(t *testing.T, a *archive) {
	c := a.put(t, small("one", at(1)))[0]
	a.update(t, func(tx store.Tx) error {
		must(t, write(t.Context(), tx, []store.Conversation{small("two", at(2))}))
		want(t, "turns that others see", a.catalog(t).Len(), 1)
		want(t, "a turn that others see", a.turns(t, turnIDs(c)...)[0].UserText, c.Turns[0].UserText)
		other := a.openAgain(t)
		seen, err := other.FindTurns(t.Context(), "", 10)
		must(t, err)
		if !slices.Equal(seen, turnIDs(c)) {
			t.Errorf("another opening sees %v, want %v", seen, turnIDs(c))
		}
		return nil
	})
}
