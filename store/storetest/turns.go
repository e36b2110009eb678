package storetest

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store"
)

var turnChecks = []check{
	{"are returned whole, in the requested order", turnsComeBack},
	{"that do not exist are not found", unknownTurnsAreNotFound},
	{"may be requested twice", turnsMayBeRequestedTwice},
	{"get ordinals that were never used", ordinalsAreFresh},
	{"are replaced by their id, under a new ordinal", turnsAreReplaced},
	{"have the text of their messages", turnsHaveTheTextOfTheirMessages},
	{"are found by a prefix of their id", turnsAreFoundByPrefix},
	{"are not found by an impossible prefix", impossiblePrefixes},
	{"are yielded in time order, ties by id, undated last", eachTurnInTimeOrder},
	{"are yielded only as long as they are wanted", eachTurnCanBeLeft},
	{"can be read while they are yielded", eachTurnAllowsReads},
}

func turnsComeBack(t *testing.T, a *archive) {
	c := a.put(t, chat("one",
		exchange{User: "hello", Replies: []string{"first", "second"}, Summary: "greeted", At: at(1)},
		exchange{User: "alone", At: at(2)},
		exchange{User: "undated", Replies: []string{"indeed"}, Branch: true}))[0]
	ids := []uuid.UUID{c.Turns[2].ID, c.Turns[0].ID, c.Turns[1].ID}
	wanted := []store.Turn{c.Turns[2], c.Turns[0], c.Turns[1]}
	if got := a.turns(t, ids...); !reflect.DeepEqual(got, wanted) {
		t.Errorf("got %+v, want %+v", got, wanted)
	}
}

func unknownTurnsAreNotFound(t *testing.T, a *archive) {
	c := a.put(t, small("one", at(1)))[0]
	_, err := a.Turns(t.Context(), []uuid.UUID{c.Turns[0].ID, idOf("unknown")})
	wantCode(t, err, errs.NotFound)
}

func turnsMayBeRequestedTwice(t *testing.T, a *archive) {
	c := a.put(t, small("one", at(1)))[0]
	got := a.turns(t, c.Turns[0].ID, c.Turns[0].ID)
	if wanted := []store.Turn{c.Turns[0], c.Turns[0]}; !reflect.DeepEqual(got, wanted) {
		t.Errorf("got %+v, want %+v", got, wanted)
	}
	want(t, "turns of no ids", len(a.turns(t)), 0)
}

func ordinalsAreFresh(t *testing.T, a *archive) {
	var first, second, third store.Ord
	a.update(t, func(tx store.Tx) (err error) {
		if first, err = tx.ReserveOrds(t.Context(), 10); err != nil {
			return err
		}
		second, err = tx.ReserveOrds(t.Context(), 1)
		return err
	})
	a.update(t, func(tx store.Tx) (err error) {
		third, err = tx.ReserveOrds(t.Context(), 1)
		return err
	})
	if first == 0 {
		t.Error("got ordinal 0, which stands for no turn")
	}
	want(t, "after ten", second, first+10)
	want(t, "in the next commit", third, second+1)
}

func turnsAreReplaced(t *testing.T, a *archive) {
	before := a.put(t, small("one", at(1)))[0].Turns[0]
	after := before
	after.Time, after.OnPath, after.Position = at(7), false, 3
	after.Hash, after.Length, after.Model = hashOf("x"), 9, "gpt-5"
	a.update(t, func(tx store.Tx) (err error) {
		if after.Ord, err = tx.ReserveOrds(t.Context(), 1); err != nil {
			return err
		}
		return tx.PutTurns(t.Context(), []store.Turn{after})
	})
	if got := a.turns(t, before.ID)[0]; !reflect.DeepEqual(got, after) {
		t.Errorf("got %+v, want %+v", got, after)
	}
	catalog := a.catalog(t)
	want(t, "rows", catalog.Len(), 1)
	if _, alive := catalog.Row(before.Ord); alive {
		t.Error("the old ordinal is still alive")
	}
}

func turnsHaveTheTextOfTheirMessages(t *testing.T, a *archive) {
	c := chat("one", exchange{User: "hello", Replies: []string{"first", "", "thinking", "second", "third"}, At: at(1)})
	c.Messages[1].Summary, c.Messages[4].Summary = "early", "late"
	c.Messages[3].Visible, c.Messages[3].Summary = false, "hidden"
	tool := hidden(&c)
	tool.Turn, tool.Visible = c.Turns[0].ID, true
	c.Messages = append(c.Messages, tool)
	a.put(t, c)
	got := a.turns(t, turnIDs(c)...)[0]
	want(t, "user text", got.UserText, "hello")
	want(t, "assistant text: visible, not empty, in order", got.AssistantText, "first\n\nsecond\n\nthird")
	want(t, "summary: the last that is not empty", got.Summary, "late")
}

func turnsAreFoundByPrefix(t *testing.T, a *archive) {
	var all []uuid.UUID
	for i := range 40 {
		all = append(all, turnIDs(a.put(t, small(fmt.Sprint(i), at(i)))[0])...)
	}
	slices.SortFunc(all, func(x, y uuid.UUID) int { return slices.Compare(x[:], y[:]) })
	for n := 0; n <= 36; n++ {
		prefix := all[17].String()[:n]
		got, err := a.FindTurns(t.Context(), prefix, 100)
		must(t, err)
		if wanted := beginningWith(all, prefix); !slices.Equal(got, wanted) {
			t.Errorf("prefix %q: got %v, want %v", prefix, got, wanted)
		}
	}
	got, err := a.FindTurns(t.Context(), "", 3)
	must(t, err)
	if !slices.Equal(got, all[:3]) {
		t.Errorf("limit 3: got %v, want %v", got, all[:3])
	}
}

func beginningWith(ids []uuid.UUID, prefix string) (found []uuid.UUID) {
	for _, id := range ids {
		if len(prefix) <= 36 && id.String()[:len(prefix)] == prefix {
			found = append(found, id)
		}
	}
	return found
}

func impossiblePrefixes(t *testing.T, a *archive) {
	id := turnIDs(a.put(t, small("one", at(1)))[0])[0].String()
	for _, prefix := range []string{"x", "%", "_", "-", id + "0", "0000-", "' OR 1=1 --", "é"} {
		got, err := a.FindTurns(t.Context(), prefix, 10)
		if err != nil || len(got) > 0 {
			t.Errorf("prefix %q: got %v, %v", prefix, got, err)
		}
	}
}

func eachTurnInTimeOrder(t *testing.T, a *archive) {
	put := a.put(t,
		chat("late", exchange{User: "c", At: at(9)}, exchange{User: "undated"}, exchange{User: "a", At: at(1)}),
		small("tie one", at(5)), small("tie two", at(5)), small("tie three", at(5)),
		chat("old", exchange{User: "before the epoch", At: at(-24 * 365 * 60)}))
	var wanted []store.Turn
	for _, c := range put {
		wanted = append(wanted, c.Turns...)
	}
	slices.SortFunc(wanted, inTimeOrder)
	if got := a.each(t, store.Filter{}); !reflect.DeepEqual(got, wanted) {
		t.Errorf("got %+v, want %+v", got, wanted)
	}
}

func inTimeOrder(x, y store.Turn) int {
	switch {
	case x.Time.IsZero() != y.Time.IsZero():
		if y.Time.IsZero() {
			return -1
		}
		return 1
	case !x.Time.Equal(y.Time):
		return x.Time.Compare(y.Time)
	}
	return slices.Compare(x.ID[:], y.ID[:])
}

func eachTurnCanBeLeft(t *testing.T, a *archive) {
	for i := range 5 {
		a.put(t, small(fmt.Sprint(i), at(i)))
	}
	n := 0
	for _, err := range a.EachTurn(t.Context(), store.Filter{}) {
		must(t, err)
		if n++; n == 2 {
			break
		}
	}
	want(t, "turns seen", n, 2)
	a.put(t, small("afterwards", at(9))) // no lock is left behind
	want(t, "turns afterwards", len(a.each(t, store.Filter{})), 6)
}

func eachTurnAllowsReads(t *testing.T, a *archive) {
	for i := range 20 {
		a.put(t, small(fmt.Sprint(i), at(i)))
	}
	for outer, err := range a.EachTurn(t.Context(), store.Filter{}) {
		must(t, err)
		want(t, "the same turn by id", a.turns(t, outer.ID)[0].Ord, outer.Ord)
		for _, err := range a.EachTurn(t.Context(), store.Filter{}) {
			must(t, err)
			break
		}
	}
}
