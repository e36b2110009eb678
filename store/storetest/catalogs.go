package storetest

import (
	"testing"

	"lens/store"
)

var catalogChecks = []check{
	{"of an empty archive is empty", emptyCatalog},
	{"holds every turn in time order", catalogHoldsEveryTurn},
	{"is cached until something changes", catalogIsKept},
	{"changes with every commit that changes a turn or a vector", catalogChangesWithCommits},
	{"shows the writes of another opening", catalogShowsOthersWrites},
}

func emptyCatalog(t *testing.T, a *archive) {
	c := a.catalog(t)
	want(t, "rows", c.Len(), 0)
	want(t, "dated", c.Dated, 0)
	want(t, "turns", len(a.each(t, store.Filter{})), 0)
}

func catalogHoldsEveryTurn(t *testing.T, a *archive) {
	a.put(t, filterChats()...)
	c, turns := a.catalog(t), a.each(t, store.Filter{AllBranches: true})
	want(t, "rows", c.Len(), len(turns))
	want(t, "dated", c.Dated, 5)
	for row, turn := range turns {
		want(t, "ord", c.Ord[row], turn.Ord)
		want(t, "id", c.ID[row], turn.ID)
		want(t, "conversation", c.Conversations[c.Conversation[row]], turn.Conversation)
		want(t, "length", int(c.Length[row]), turn.Length)
		want(t, "on path", c.Flags[row]&store.FlagOnPath != 0, turn.OnPath)
		want(t, "embeddable", c.Flags[row]&store.FlagEmbeddable != 0, turn.Embeddable)
		if row < c.Dated {
			want(t, "time", c.Time[row], store.Micros(turn.Time))
		}
	}
	first, _ := c.Row(turns[0].Ord) // "a", before "c" in its conversation
	want(t, "next turn", c.ID[c.Next[first]], store.TurnID(idOf("one 1 user")))
}

func catalogIsKept(t *testing.T, a *archive) {
	a.put(t, small("one", at(1)))
	first := a.catalog(t)
	if a.catalog(t) != first {
		t.Error("the catalog of an unchanged archive was loaded again")
	}
	a.update(t, func(store.Tx) error { return nil })
	want(t, "version after an empty commit", a.catalog(t).Version, first.Version)
}

func catalogChangesWithCommits(t *testing.T, a *archive) {
	seen := map[int64]string{a.catalog(t).Version: "the empty archive"}
	differs := func(after string) {
		t.Helper()
		v := a.catalog(t).Version
		if before, known := seen[v]; known {
			t.Errorf("the version after %s equals that after %s", after, before)
		}
		seen[v] = after
	}
	c := a.put(t, small("one", at(1)))[0]
	differs("the first turn")
	a.put(t, small("two", at(2)))
	differs("the second turn")
	gen := a.generation(t, 8, false)
	a.embed(t, gen, c.Turns...)
	differs("a vector")
	a.update(t, func(tx store.Tx) error { return tx.Activate(t.Context(), gen.ID) })
	differs("activation")
	a.embed(t, gen, c.Turns...)
	differs("the vector's replacement")
	a.update(t, func(tx store.Tx) error { return tx.DeleteVectors(t.Context(), turnIDs(c)) })
	differs("the vector's end")
	a.forget(t, c.ID)
	differs("forgetting")
	a.update(t, func(tx store.Tx) error { return tx.ForgetEverything(t.Context()) })
	differs("forgetting everything")
}

func catalogShowsOthersWrites(t *testing.T, a *archive) {
	other := a.openAgain(t)
	for i, name := range []string{"one", "two", "three"} {
		a.put(t, small(name, at(i)))
		c, err := other.Catalog(t.Context())
		must(t, err)
		want(t, "rows that the other sees", c.Len(), i+1)
		want(t, "version", c.Version, a.catalog(t).Version)
	}
}
