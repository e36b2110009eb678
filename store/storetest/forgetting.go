package storetest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store"
)

var forgetChecks = []check{
	{"removes conversations with everything in them", forgetRemovesConversations},
	{"an unknown conversation does nothing", forgetUnknown},
	{"everything leaves an empty, usable archive", forgetEverythingEmpties},
	{"removes single turns with their messages and words", forgetRemovesTurns},
	{"removes vectors of turns elsewhere whose messages go", forgetRemovesVectorsElsewhere},
	{"removes turns and messages that another version has", removeTakesOut},
	{"is remembered until everything is forgotten", forgetRemembers},
	{"never reuses an ordinal", forgetKeepsOrdinals},
}

func (a *archive) forget(tb testing.TB, ids ...uuid.UUID) (turns int) {
	tb.Helper()
	a.update(tb, func(tx store.Tx) (err error) {
		turns, err = tx.Forget(tb.Context(), ids)
		return err
	})
	return turns
}

func forgetRemovesConversations(t *testing.T, a *archive) {
	put := a.put(t, filterChats()...)
	g := a.generation(t, 8, true)
	a.embed(t, g, append(put[0].Turns, put[1].Turns...)...)
	query := vectorOf(8, "query")
	a.nearest(t, query, 10)
	want(t, "removed turns", a.forget(t, put[0].ID), len(put[0].Turns))
	_, err := a.Conversations(t.Context(), []uuid.UUID{put[0].ID})
	wantCode(t, err, errs.NotFound)
	_, err = a.Turns(t.Context(), turnIDs(put[0])[:1])
	wantCode(t, err, errs.NotFound)
	messages, err := a.Messages(t.Context(), put[0].ID)
	must(t, err)
	want(t, "messages", len(messages), 0)
	want(t, "turns left", len(a.each(t, store.Filter{AllBranches: true})), len(put[1].Turns))
	want(t, "vectors left", a.generations(t)[0].Vectors, len(put[1].Turns))
	want(t, "neighbors left", len(a.nearest(t, query, 10)), len(put[1].Turns))
	want(t, "turns with a word of the forgotten conversation", len(a.postings(t, "branch")[0].Ords), 0)
	want(t, "turns with a word of both conversations", len(a.postings(t, "yes")[0].Ords), len(put[1].Turns))
}

func removeTakesOut(t *testing.T, a *archive) {
	put := a.put(t, filterChats()...)
	g := a.generation(t, 8, true)
	a.embed(t, g, append(put[0].Turns, put[1].Turns...)...)
	all := len(put[0].Turns) + len(put[1].Turns)
	near := len(a.nearest(t, vectorOf(8, "query"), 10))
	messages, err := a.Messages(t.Context(), put[0].ID)
	must(t, err)
	a.update(t, func(tx store.Tx) error {
		return tx.Remove(t.Context(), []uuid.UUID{put[0].Turns[0].ID, idOf("unknown")}, []uuid.UUID{messages[0].ID})
	})
	_, err = a.Turns(t.Context(), []uuid.UUID{put[0].Turns[0].ID})
	wantCode(t, err, errs.NotFound)
	left, err := a.Messages(t.Context(), put[0].ID)
	must(t, err)
	want(t, "messages left", len(left), len(messages)-1)
	want(t, "turns left", len(a.each(t, store.Filter{AllBranches: true})), all-1)
	want(t, "neighbors left", len(a.nearest(t, vectorOf(8, "query"), 10)), near-1)
}

func forgetRemovesTurns(t *testing.T, a *archive) {
	put := a.put(t, filterChats()...)
	g := a.generation(t, 8, true)
	a.embed(t, g, append(put[0].Turns, put[1].Turns...)...)
	doomed, all := put[0].Turns[0], len(put[0].Turns)+len(put[1].Turns)
	near := len(a.nearest(t, vectorOf(8, "query"), 10))
	messages, err := a.Messages(t.Context(), put[0].ID)
	must(t, err)
	before := len(messages)
	a.update(t, func(tx store.Tx) error {
		ids := []uuid.UUID{doomed.UserMessage, doomed.Assistant, idOf("no message")}
		return tx.ForgetTurns(t.Context(), []uuid.UUID{doomed.ID, idOf("no turn")}, ids)
	})
	_, err = a.Turns(t.Context(), []uuid.UUID{doomed.ID})
	wantCode(t, err, errs.NotFound)
	want(t, "turns left", len(a.each(t, store.Filter{AllBranches: true})), all-1)
	want(t, "vectors left", a.generations(t)[0].Vectors, all-1)
	want(t, "neighbors left", len(a.nearest(t, vectorOf(8, "query"), 10)), near-1)
	messages, err = a.Messages(t.Context(), put[0].ID)
	must(t, err)
	want(t, "messages left", len(messages), before-2)
	for _, list := range a.postings(t, "yes") {
		if slices.Contains(list.Ords, doomed.Ord) {
			t.Error("the words of the turn are still indexed")
		}
	}
}

// Two turns have messages in another conversation.
func forgetRemovesVectorsElsewhere(t *testing.T, a *archive) {
	const text = "of two conversations"
	asking, answering := small("asking", at(1)), small("answering", at(2))
	other := chat(
		"other", exchange{User: "one", Replies: []string{"first"}}, exchange{User: "two", Replies: []string{"second"}},
	)
	asking.Turns[0].UserMessage = other.Messages[0].ID
	answering.Turns[0].Assistant = other.Messages[3].ID
	for name, forget := range map[string]func(store.Tx) error{
		"conversation": func(tx store.Tx) error {
			_, err := tx.Forget(t.Context(), []uuid.UUID{other.ID})
			return err
		},
		"messages": func(tx store.Tx) error {
			return tx.ForgetTurns(t.Context(), nil, []uuid.UUID{other.Messages[0].ID, other.Messages[3].ID})
		},
	} {
		put := a.put(t, other, asking, answering)
		g := a.generation(t, 8, true)
		ids := []uuid.UUID{put[1].Turns[0].ID, put[2].Turns[0].ID}
		a.putVectors(t, g, store.Vector{Turn: ids[0], Text: text}, store.Vector{Turn: ids[1], Text: text})
		a.update(t, forget)
		for i, e := range a.embeddedOf(t, ids...) {
			want(t, fmt.Sprint(name, ": vector ", i), e.Generation, store.GenerationID(0))
		}
		want(t, name+": texts", len(a.embeddedTexts(t)), 0)
		turns, err := a.Turns(t.Context(), ids)
		must(t, err)
		want(t, name+": turns", len(turns), 2)
		a.update(t, func(tx store.Tx) error { return tx.ForgetEverything(t.Context()) })
	}
}

func forgetRemembers(t *testing.T, a *archive) {
	forgotten := func() store.Forgotten {
		t.Helper()
		f, err := a.Store.Forgotten(t.Context())
		must(t, err)
		return f
	}
	f := forgotten()
	want(t, "forgotten in a new archive", f.Has(idOf("chat")), false)
	f.Add(idOf("chat"), idOf("turn"))
	a.update(t, func(tx store.Tx) error { return tx.PutForgotten(t.Context(), f) })
	again := forgotten()
	want(t, "hashes", len(again.Hashes), 2)
	want(t, "forgotten turn", again.Has(idOf("turn")), true)
	want(t, "turn that was not forgotten", again.Has(idOf("another turn")), false)
	want(t, "removed", again.Remove(idOf("turn")), true)
	a.update(t, func(tx store.Tx) error { return tx.PutForgotten(t.Context(), again) })
	now := forgotten()
	want(t, "turn after its removal", now.Has(idOf("turn")), false)
	want(t, "conversation", now.Has(idOf("chat")), true)
	a.update(t, func(tx store.Tx) error { return tx.ForgetEverything(t.Context()) })
	empty := forgotten()
	want(t, "hashes after everything was forgotten", len(empty.Hashes), 0)
	want(t, "key after everything was forgotten", len(empty.Key), 0)
}

func forgetUnknown(t *testing.T, a *archive) {
	a.put(t, filterChats()...)
	want(t, "removed turns", a.forget(t, uuid.New()), 0)
	want(t, "removed turns of no conversation", a.forget(t), 0)
	want(t, "turns left", a.catalog(t).Len(), 7)
}

func forgetEverythingEmpties(t *testing.T, a *archive) {
	put := a.put(t, filterChats()...)
	a.embed(t, a.generation(t, 8, true), put[1].Turns...)
	a.update(t, func(tx store.Tx) error {
		return tx.PutImportRun(t.Context(), store.ImportRun{ID: uuid.New(), Started: at(1), Receipt: []byte("{}")})
	})
	a.update(t, func(tx store.Tx) error { return tx.ForgetEverything(t.Context()) })
	want(t, "turns", a.catalog(t).Len(), 0)
	want(t, "generations", len(a.generations(t)), 0)
	want(t, "documents", len(a.postings(t, "yes")[0].Ords), 0)
	runs, err := a.ImportRuns(t.Context(), 10)
	must(t, err)
	want(t, "runs", len(runs), 0)
	messages, err := a.Messages(t.Context(), put[0].ID)
	must(t, err)
	want(t, "messages", len(messages), 0)
	a.put(t, filterChats()...)
	a.embed(t, a.generation(t, 16, true), put[1].Turns...)
	want(t, "turns again", a.catalog(t).Len(), 7)
	want(t, "neighbors again", len(a.nearest(t, vectorOf(16, "q"), 10)), len(put[1].Turns))
}

func forgetKeepsOrdinals(t *testing.T, a *archive) {
	put := a.put(t, filterChats()...)
	last := put[1].Turns[len(put[1].Turns)-1].Ord
	a.update(t, func(tx store.Tx) error { return tx.ForgetEverything(t.Context()) })
	again := a.put(t, filterChats()...)
	if first := again[0].Turns[0].Ord; first <= last {
		t.Errorf("got ordinal %d, want one above %d", first, last)
	}
}
