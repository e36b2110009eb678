package storetest

import (
	"reflect"
	"testing"

	"lens/store"
)

var pendingChecks = []check{
	{"turns are the embeddable ones without a vector, whole, by ordinal", pendingTurns},
	{"turns are returned page by page", pendingByPage},
	{"turns of generation 0 are all embeddable ones", pendingWithoutGeneration},
}

func pendingTurns(t *testing.T, a *archive) {
	c := a.put(t, chat("one",
		exchange{User: "a", Replies: []string{"yes"}, Summary: "short", At: at(3)},
		exchange{User: "no reply", At: at(2)},
		exchange{User: "b", Replies: []string{"yes", "indeed"}, At: at(1)},
		exchange{User: "branch", Replies: []string{"yes"}, At: at(4), Branch: true}))[0]
	first, second := a.generation(t, 8, true), a.generation(t, 16, false)
	a.embed(t, first, c.Turns[2])
	for _, p := range []struct {
		gen  store.GenerationID
		f    store.Filter
		want []store.Turn
	}{
		{first.ID, store.Filter{}, []store.Turn{c.Turns[0]}},
		{first.ID, store.Filter{AllBranches: true}, []store.Turn{c.Turns[0], c.Turns[3]}},
		{second.ID, store.Filter{}, []store.Turn{c.Turns[0], c.Turns[2]}},
	} {
		got, err := a.Pending(t.Context(), p.gen, p.f, 0, 10)
		must(t, err)
		if got = withoutCreated(t, got); !reflect.DeepEqual(got, p.want) {
			t.Errorf("generation %d, %+v: got %+v, want %+v", p.gen, p.f, got, p.want)
		}
		n, err := a.CountPending(t.Context(), p.gen, p.f)
		must(t, err)
		want(t, "count", n, len(p.want))
	}
}

func pendingByPage(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 25)
	g := a.generation(t, 8, true)
	var got []store.Turn
	for after := store.Ord(0); ; {
		page, err := a.Pending(t.Context(), g.ID, store.Filter{}, after, 10)
		must(t, err)
		if len(page) == 0 {
			break
		}
		want(t, "page is within the limit", len(page) <= 10, true)
		got = append(got, withoutCreated(t, page)...)
		after = page[len(page)-1].Ord
	}
	if !reflect.DeepEqual(got, turns) {
		t.Errorf("got %d turns, want %d in the order of their ordinals", len(got), len(turns))
	}
}

func pendingWithoutGeneration(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 5)
	a.embed(t, a.generation(t, 8, true), turns...)
	n, err := a.CountPending(t.Context(), 0, store.Filter{})
	must(t, err)
	want(t, "count", n, 5)
	got, err := a.Pending(t.Context(), 0, store.Filter{}, 0, 10)
	must(t, err)
	want(t, "pending", len(got), 5)
}
