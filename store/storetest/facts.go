package storetest

import (
	"context"
	"slices"
	"testing"

	"lens/internal/errs"
	"lens/store"
	"lens/store/terms"
)

var factChecks = []check{
	{"of turns are found, apart from the metadata of chunks", turnsHaveFacts},
	{"are indexed afterwards as they are with an import", factsAreIndexedLater},
	{"are indexed on from where it was interrupted", factsAreResumed},
	{"leave with their turn", factsLeaveWithTurn},
	{"of a newer Lens are left alone", newerFacts},
	{"name every model once", modelsAreListed},
}

// indexed is the fact that every turn has once its facts are indexed.
var indexed = new(store.Turn).Facts()[0].Term

// codeChats are chats with code and several models, whose chunks also have metadata that reads like facts.
func codeChats() []store.Conversation {
	c := chat("code",
		exchange{"plain", []string{"yes", "words"}, "", at(1), false},
		exchange{"mine:\n```go\nx\n```", []string{"no"}, "", at(2), false},
		exchange{"yours", []string{"look", "~~~\nx\n~~~"}, "", at(3), true},
		exchange{"typed", []string{"x := 1"}, "", at(4), false},
		exchange{"from a tool", []string{"yes"}, "", at(5), false})
	models := []string{"GPT-4", "gpt-4", "o1", "", "gpt-4"}
	for i := range c.Turns {
		c.Turns[i].Model = models[i]
		c.Turns[i].CodeType = c.Turns[i].UserText == "typed"
	}
	for i := range c.Messages {
		if m := &c.Messages[i]; m.Turn == c.Turns[3].ID && m.Role == store.Assistant {
			m.ContentType = store.CodeType
		}
	}
	hidden := message(&c, "hidden", store.Assistant, "```\nx\n```", exchange{At: at(5)})
	hidden.Turn, hidden.Visible, hidden.ContentType = c.Turns[4].ID, false, store.CodeType
	c.Messages = append(c.Messages, hidden)
	return []store.Conversation{
		c, record("1", "hero", `{"model":"gpt-4","has":"code",":model":"gpt-4","":"model=gpt-4"}`),
		document("plan.md", exchange{User: "plan", Replies: []string{"a\n```\nx"}, At: at(3)}),
	}
}

// putLikeAnOlderLens writes chats without the facts of their turns.
func (a *archive) putLikeAnOlderLens(tb testing.TB, chats ...store.Conversation) []store.Conversation {
	tb.Helper()
	a.update(tb, func(tx store.Tx) error {
		ords, err := writeRows(tb.Context(), tx, chats)
		if err != nil {
			return err
		}
		var analyzer terms.Analyzer
		var counts []store.Terms
		for i := range chats {
			for j := range chats[i].Turns {
				counts = append(counts, analyzer.Chunk(&chats[i].Turns[j]))
			}
		}
		return tx.AddTerms(tb.Context(), ords, counts)
	})
	return chats
}

// withFact returns the user texts of the turns with a fact, in alphabetical order.
func (a *archive) withFact(tb testing.TB, fact string) string {
	tb.Helper()
	catalog, f := a.catalog(tb), store.Filter{AllBranches: true, Ords: new(store.OrdSet)}
	f.Ords.Add(living(catalog, a.postings(tb, fact)[0]).Ords...)
	var texts []string
	for _, turn := range a.each(tb, f) {
		texts = append(texts, turn.UserText)
	}
	return sorted(texts)
}

func (a *archive) wantUnindexed(tb testing.TB, wanted int) {
	tb.Helper()
	n, err := store.UnindexedFacts(tb.Context(), a)
	must(tb, err)
	want(tb, "turns without indexed facts", n, wanted)
	switch err := store.CheckFacts(tb.Context(), a); {
	case wanted == 0:
		must(tb, err)
	default:
		wantCode(tb, err, errs.Unavailable)
	}
}

func turnsHaveFacts(t *testing.T, a *archive) {
	a.put(t, codeChats()...)
	a.wantUnindexed(t, 0)
	wantCodeFacts(t, a)
}

func wantCodeFacts(t *testing.T, a *archive) {
	t.Helper()
	want(t, "with code", a.withFact(t, store.HasCode), "mine:\n```go\nx\n``` plan typed yours")
	want(t, "by GPT-4", a.withFact(t, store.OfModel("Gpt-4")), "from a tool hero mine:\n```go\nx\n``` plain plan")
	want(t, "by o1", a.withFact(t, store.OfModel("o1")), "yours")
	want(t, "by a model that none has", a.withFact(t, store.OfModel("gpt-4o")), "")
	want(t, "whose metadata names GPT-4", a.withFact(t, store.Fact("model", "gpt-4")), "hero")
}

func factsAreIndexedLater(t *testing.T, a *archive) {
	a.putLikeAnOlderLens(t, codeChats()...)
	chats := hourlyChats(5000)
	for i := range chats {
		for j := range chats[i].Turns {
			chats[i].Turns[j].Model = "many"
		}
	}
	a.putLikeAnOlderLens(t, chats...)
	before := a.catalog(t)
	words := a.postings(t, "plan", "about", store.Fact("model", "gpt-4"))
	a.wantUnindexed(t, before.Len())
	calls := 0
	must(t, store.IndexFacts(t.Context(), a, func(done, total int) {
		if calls++; done > total || done == 0 || total != before.Len() {
			t.Errorf("%d of %d turns", done, total)
		}
	}))
	want(t, "some progress", calls > 1, true)
	for range 2 {
		a.wantUnindexed(t, 0)
		wantCodeFacts(t, a)
		want(t, "turns that are indexed", len(a.postings(t, indexed)[0].Ords), before.Len())
		wantLists(t, a.postings(t, "plan", "about", store.Fact("model", "gpt-4")), words...)
		after := a.catalog(t)
		want(t, "terms of all texts", after.TotalLength, before.TotalLength)
		must(t, store.IndexFacts(t.Context(), a, func(done, total int) { t.Errorf("again %d of %d", done, total) }))
		must(t, a.Optimize(t.Context()))
	}
	a.putLikeAnOlderLens(t, small("late", at(3))) // as an older Lens beside this one does
	a.wantUnindexed(t, 1)
	must(t, store.IndexFacts(t.Context(), a, nil))
	a.wantUnindexed(t, 0)
}

func factsAreResumed(t *testing.T, a *archive) {
	const n = 5000
	a.putLikeAnOlderLens(t, hourlyChats(n)...)
	for begun := 0; begun < 3; begun++ {
		ctx, cancel := context.WithCancel(t.Context())
		err := store.IndexFacts(ctx, a, func(int, int) {
			cancel()
			a.put(t, small("in between", at(begun))) // another writer
		})
		cancel()
		if err == nil {
			break
		}
		wantCode(t, err, errs.Unavailable)
	}
	a.wantUnindexed(t, 0)
	list := a.postings(t, indexed)[0]
	want(t, "turns that are indexed", len(living(a.catalog(t), list).Ords), n+1)
	want(t, "by their model", len(living(a.catalog(t), a.postings(t, store.OfModel("gpt-4"))[0]).Ords), n+1)
}

func factsLeaveWithTurn(t *testing.T, a *archive) {
	chats := a.putLikeAnOlderLens(t, codeChats()...)
	must(t, store.IndexFacts(t.Context(), a, nil))
	chats[0].Turns[1].UserText, chats[0].Messages[2].Text = "mine", "mine"
	a.put(t, chats[0]) // without code, under other ordinals
	want(t, "with code", a.withFact(t, store.HasCode), "plan typed yours")
	a.forget(t, chats[0].ID)
	for _, fact := range []string{store.HasCode, indexed} {
		ords := a.postings(t, fact)[0].Ords
		if slices.ContainsFunc(ords, func(ord store.Ord) bool { _, alive := a.catalog(t).Row(ord); return !alive }) {
			t.Errorf("forgotten turns still have the fact %q: %v", fact, ords)
		}
	}
	a.wantUnindexed(t, 0)
}

func newerFacts(t *testing.T, a *archive) {
	turns := a.put(t, codeChats()...)[0].Turns
	a.update(t, func(tx store.Tx) error {
		newer := store.ListTerms([]store.TermCount{{Term: indexed, Count: store.FactsVersion + 1}})
		return tx.AddTerms(t.Context(), []store.Ord{turns[0].Ord}, newer)
	})
	must(t, a.Optimize(t.Context()))
	_, err := store.UnindexedFacts(t.Context(), a)
	for _, err := range []error{err, store.CheckFacts(t.Context(), a), store.IndexFacts(t.Context(), a, nil)} {
		wantCode(t, err, errs.Unavailable)
	}
	want(t, "turns with a word", len(a.postings(t, "plain")[0].Ords), 1)
}

func modelsAreListed(t *testing.T, a *archive) {
	models, err := a.Models(t.Context())
	must(t, err)
	want(t, "models of an empty archive", len(models), 0)
	a.put(t, codeChats()...)
	models, err = a.Models(t.Context())
	must(t, err)
	if wanted := []string{"gpt-4", "o1"}; !slices.Equal(models, wanted) {
		t.Errorf("got %q, want %q", models, wanted)
	}
}
