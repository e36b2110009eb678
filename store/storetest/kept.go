package storetest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"lens/store"
)

var keptChecks = []check{
	{"returns the data, and whether it is current", keptIsCurrent},
	{"is not written for turns that have changed", keptOfAnotherState},
	{"is dropped when anything is forgotten", keptIsForgotten},
	{"lists every term of every segment", eachTerm},
}

const keptName = "topics"

func (a *archive) kept(tb testing.TB) store.Kept {
	tb.Helper()
	k, err := a.Kept(tb.Context(), keptName)
	must(tb, err)
	return k
}

func (a *archive) keep(tb testing.TB, of int64, data string) {
	tb.Helper()
	a.update(tb, func(tx store.Tx) error { return tx.PutKept(tb.Context(), keptName, of, []byte(data)) })
}

func keptIsCurrent(t *testing.T, a *archive) {
	if k := a.kept(t); k.Data != nil || k.Current() {
		t.Errorf("an empty archive keeps %q", k.Data)
	}
	a.put(t, small("one", at(1)))
	of := a.kept(t).Now
	for _, data := range []string{"first", "", "\x00second"} {
		a.keep(t, of, data)
		if k := a.kept(t); string(k.Data) != data || !k.Current() {
			t.Errorf("got %q of %d at %d, want %q", k.Data, k.Of, k.Now, data)
		}
	}
	other, err := a.Kept(t.Context(), "other")
	must(t, err)
	want(t, "another name", other.Data == nil, true)
	put := a.put(t, small("two", at(2)))
	if k := a.kept(t); k.Current() || string(k.Data) != "\x00second" {
		t.Errorf("after another turn: %q, current: %v", k.Data, k.Current())
	}
	of = a.kept(t).Now
	a.keep(t, of, "third")
	a.embed(t, a.generation(t, 8, true), put[0].Turns...)
	want(t, "current after embedding", a.kept(t).Current(), true)
}

func keptOfAnotherState(t *testing.T, a *archive) {
	a.put(t, small("one", at(1)))
	of := a.kept(t).Now
	a.put(t, small("two", at(2)))
	a.keep(t, of, "late")
	want(t, "kept nothing", a.kept(t).Data == nil, true)
}

func keptIsForgotten(t *testing.T, a *archive) {
	put := a.put(t, small("one", at(1)), small("two", at(2)), small("three", at(3)))
	for name, forget := range map[string]func(tx store.Tx) error{
		"a conversation": func(tx store.Tx) error {
			_, err := tx.Forget(t.Context(), []uuid.UUID{put[0].ID})
			return err
		},
		"a turn":     func(tx store.Tx) error { return tx.ForgetTurns(t.Context(), turnIDs(put[1])[:1], nil) },
		"everything": func(tx store.Tx) error { return tx.ForgetEverything(t.Context()) },
	} {
		a.keep(t, a.kept(t).Now, "words")
		want(t, "kept before", a.kept(t).Current(), true)
		a.update(t, forget)
		if k := a.kept(t); k.Data != nil {
			t.Errorf("%s was forgotten, and %q is kept", name, k.Data)
		}
	}
}

func eachTerm(t *testing.T, a *archive) {
	terms := func() (all []string) {
		t.Helper()
		must(t, a.EachTerm(t.Context(), func(term string, p store.Postings) error {
			all = append(all, fmt.Sprint(term, p.Ords, p.Counts))
			return nil
		}))
		return all
	}
	want(t, "terms of an empty archive", len(terms()), 0)
	a.addTerms(t, 1, "b a b", "c")
	a.addTerms(t, 3, "é b b b", "")
	want(t, "terms", fmt.Sprint(terms()), "[a[1] [1] b[1 3] [2 3] c[2] [1] é[3] [1]]")
	stop := errors.New("enough")
	seen := 0
	err := a.EachTerm(t.Context(), func(string, store.Postings) error {
		seen++
		return stop
	})
	if !errors.Is(err, stop) || seen != 1 {
		t.Errorf("stopped with %v after %d terms", err, seen)
	}
}
