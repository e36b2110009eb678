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
	{"of answers that were not chosen have the question of the one that was", answersNotChosen},
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

// answersNotChosen puts a question with two answers: the second was not chosen.
func answersNotChosen(t *testing.T, a *archive) {
	c := chat("one", exchange{User: "hello", Replies: []string{"first"}, At: at(1)},
		exchange{User: "other", Replies: []string{"second", "third"}, At: at(2), Branch: true},
		exchange{Replies: []string{"hi"}, Branch: true})
	user, first := c.Turns[0].UserMessage, c.Messages[3].ID
	for i := range c.Messages {
		if m := &c.Messages[i]; m.Turn == c.Turns[1].ID && m.Role == store.User {
			m.Turn, m.Visible = uuid.Nil, false
		} else if m.Turn == c.Turns[1].ID {
			m.Turn = store.AnswerID(user, first)
		}
	}
	note := message(&c, "note", store.Assistant, "", exchange{At: at(9)})
	note.ContentType, note.Seq, note.Turn, note.Summary = store.LensSummary, 0, c.Turns[0].ID, "greeted"
	c.Messages = append(c.Messages, note)
	other := &c.Turns[1]
	other.ID, other.UserMessage, other.Embeddable, other.UserText = store.AnswerID(user, first), user, false, "hello"
	c.Turns[0].Summary = "greeted"
	a.put(t, c)
	want(t, "the turn", a.turns(t, other.ID)[0].UserText, "hello")
	want(t, "its answer", a.turns(t, other.ID)[0].AssistantText, "second\n\nthird")
	want(t, "the chosen one", a.turns(t, c.Turns[0].ID)[0].AssistantText, "first")
	want(t, "without a question", a.turns(t, c.Turns[2].ID)[0].UserText, "")
	var texts []string
	ords := make([]store.Ord, 3)
	for i, turn := range a.turns(t, other.ID, c.Turns[0].ID, c.Turns[2].ID) {
		ords[i] = turn.Ord
	}
	err := a.eachText(t.Context(), ords,
		func(_ int, user, assistant string) { texts = append(texts, user+"|"+assistant) })
	if wanted := []string{"hello|second\n\nthird", "hello|first", "|hi"}; err != nil || !slices.Equal(texts, wanted) {
		t.Errorf("texts %q, %v, want %q", texts, err, wanted)
	}
	got, err := a.Answers(t.Context(), c.ID, user)
	wanted := []store.Answer{{Turn: c.Turns[0].ID, First: c.Messages[1].ID}, {Turn: other.ID, First: first}}
	if err != nil || !slices.Equal(got, wanted) {
		t.Errorf("answers %v, %v, want %v", got, err, wanted)
	}
	for _, answer := range wanted {
		turn, err := a.FindAnswer(t.Context(), store.AnswerID(user, answer.First))
		if err != nil || turn != answer.Turn {
			t.Errorf("found %v, %v, want %v", turn, err, answer.Turn)
		}
	}
	_, err = a.FindAnswer(t.Context(), store.TurnID(user))
	wantCode(t, err, errs.NotFound)
	none, err := a.Answers(t.Context(), c.ID, idOf("unknown"))
	if err != nil || len(none) > 0 {
		t.Errorf("answers to an unknown message: %v, %v", none, err)
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
