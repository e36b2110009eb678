package storetest

import (
	"testing"

	"lens/internal/errs"
	"lens/store"
)

var generationChecks = []check{
	{"do not exist in an empty archive", noGenerations},
	{"are created once per provider, model, dim, recipe and prefixes", generationsAreMadeOnce},
	{"are listed, the active one first, with their numbers of vectors", generationsAreListed},
	{"are activated one at a time", oneGenerationIsActive},
	{"that do not exist cannot be activated or filled", unknownGenerations},
	{"of one model with different prefixes coexist", generationsOfOneModel},
}

// generation creates a generation, and activates it if asked to.
func (a *archive) generation(tb testing.TB, dim int, activate bool) (g store.Generation) {
	tb.Helper()
	a.update(tb, func(tx store.Tx) (err error) {
		tiny := store.Generation{Provider: "test", Model: "tiny", Dim: dim, Recipe: 1}
		if g, err = tx.PutGeneration(tb.Context(), tiny); err != nil {
			return err
		}
		if activate {
			return tx.Activate(tb.Context(), g.ID)
		}
		return nil
	})
	return g
}

func (a *archive) generations(tb testing.TB) []store.Generation {
	tb.Helper()
	all, err := a.Generations(tb.Context())
	must(tb, err)
	return all
}

func noGenerations(t *testing.T, a *archive) {
	want(t, "generations", len(a.generations(t)), 0)
	_, err := a.Nearest(t.Context(), vectorOf(8, "query"), store.Filter{}, 1)
	wantCode(t, err, errs.NotFound)
	_, err = a.Similarities(t.Context(), vectorOf(8, "query"), []store.Ord{1})
	wantCode(t, err, errs.NotFound)
}

func generationsAreMadeOnce(t *testing.T, a *archive) {
	base := store.Generation{Provider: "p", Model: "m", Dim: 8, Recipe: 1}
	others := []store.Generation{
		{Provider: "q", Model: "m", Dim: 8, Recipe: 1},
		{Provider: "p", Model: "n", Dim: 8, Recipe: 1},
		{Provider: "p", Model: "m", Dim: 9, Recipe: 1},
		{Provider: "p", Model: "m", Dim: 8, Recipe: 2},
		{Provider: "p", Model: "m", Dim: 8, Recipe: 1, Prefixes: store.Prefixes{Query: "q: "}},
		{Provider: "p", Model: "m", Dim: 8, Recipe: 1, Prefixes: store.Prefixes{Document: "q: "}},
		{Provider: "p", Model: "m", Dim: 8, Recipe: 1, Prefixes: store.Prefixes{Query: "q: ", Document: "d:\n"}},
		{Provider: "p", Model: "m", Dim: 8, Recipe: 1, Prefixes: store.Prefixes{Query: "q:", Document: "d:\n"}},
	}
	a.update(t, func(tx store.Tx) error {
		first, err := tx.PutGeneration(t.Context(), base)
		must(t, err)
		same := store.Generation{ID: 77, Provider: "p", Model: "m", Dim: 8, Recipe: 1, Active: true}
		again, err := tx.PutGeneration(t.Context(), same)
		must(t, err)
		want(t, "id the second time", again.ID, first.ID)
		want(t, "active", first.Active || again.Active, false)
		want(t, "time of creation", again.Created.Equal(first.Created) && !first.Created.IsZero(), true)
		seen := map[store.GenerationID]bool{first.ID: true, 0: true}
		for _, g := range others {
			other, err := tx.PutGeneration(t.Context(), g)
			must(t, err)
			if seen[other.ID] {
				t.Errorf("%+v has the id of another generation", g)
			}
			seen[other.ID] = true
		}
		return nil
	})
	names := make(map[string]bool)
	for i, g := range a.generations(t) {
		names[g.Provider+"/"+g.Name()] = true
		want(t, "prefixes", g.Prefixes, append([]store.Generation{base}, others...)[i].Prefixes)
	}
	want(t, "generations", len(names), 9)
}

func generationsAreListed(t *testing.T, a *archive) {
	c := a.put(t, filterChats()...)[0]
	first, second := a.generation(t, 8, false), a.generation(t, 16, true)
	a.embed(t, first, c.Turns...)
	a.embed(t, second, c.Turns[0])
	got := a.generations(t)
	want(t, "the active one", got[0].ID, second.ID)
	want(t, "is active", got[0].Active, true)
	want(t, "its vectors", got[0].Vectors, 1)
	want(t, "its dim", got[0].Dim, 16)
	want(t, "the other", got[1].ID, first.ID)
	want(t, "is active", got[1].Active, false)
	want(t, "its vectors", got[1].Vectors, len(c.Turns))
}

func oneGenerationIsActive(t *testing.T, a *archive) {
	first, second := a.generation(t, 8, true), a.generation(t, 16, true)
	for _, g := range a.generations(t) {
		want(t, "active", g.Active, g.ID == second.ID)
	}
	a.update(t, func(tx store.Tx) error { return tx.Activate(t.Context(), first.ID) })
	for _, g := range a.generations(t) {
		want(t, "active", g.Active, g.ID == first.ID)
	}
}

func unknownGenerations(t *testing.T, a *archive) {
	c := a.put(t, small("one", at(1)))[0]
	first := a.generation(t, 8, true)
	err := a.Update(t.Context(), func(tx store.Tx) error { return tx.Activate(t.Context(), first.ID+100) })
	wantCode(t, err, errs.NotFound)
	want(t, "the active one", a.generations(t)[0].Active, true)
	err = a.Update(t.Context(), func(tx store.Tx) error {
		return tx.PutVectors(t.Context(), first.ID+100, []store.Vector{{Turn: c.Turns[0].ID, Values: vectorOf(8, "x")}})
	})
	wantCode(t, err, errs.NotFound)
}

func generationsOfOneModel(t *testing.T, a *archive) {
	c := a.put(t, small("one", at(1)))[0]
	var gens [2]store.Generation
	for i := range gens {
		prefixes := store.Prefixes{Query: "query: "[:7*i], Document: "passage: "[:9*i]}
		a.update(t, func(tx store.Tx) (err error) {
			gens[i], err = tx.PutGeneration(t.Context(),
				store.Generation{Provider: "p", Model: "m", Dim: 8, Recipe: 1, Prefixes: prefixes})
			return err
		})
		a.embed(t, gens[i], c.Turns...)
	}
	for _, g := range a.generations(t) {
		want(t, "vectors", g.Vectors, 1)
	}
}
