package storetest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lens/store"
)

var termChecks = []check{
	{"do not occur in an empty archive", termsOfAnEmptyArchive},
	{"list turns with counts, ascending, in the requested order", postingsListTurns},
	{"are collected from all segments", postingsGatherSegments},
	{"survive Optimize, without dead turns", postingsOutliveOptimize},
	{"of every script are found", termsOfEveryScript},
	{"may be common", commonTermsAreListed},
}

func (a *archive) postings(tb testing.TB, terms ...string) []store.Postings {
	tb.Helper()
	lists, err := a.Postings(tb.Context(), terms)
	must(tb, err)
	want(tb, "lists", len(lists), len(terms))
	return lists
}

// addTerms adds a segment. Each line is a document; its words are the terms, counted.
func (a *archive) addTerms(tb testing.TB, first store.Ord, lines ...string) {
	tb.Helper()
	var ords []store.Ord
	var counts [][]store.TermCount
	for i, line := range lines {
		ords, counts = append(ords, first+store.Ord(i)), append(counts, countWords(line))
	}
	a.update(tb, func(tx store.Tx) error { return tx.AddTerms(tb.Context(), ords, store.ListTerms(counts...)) })
}

func countWords(line string) (counts []store.TermCount) {
	words := strings.Fields(line)
	slices.Sort(words)
	for _, w := range words {
		if n := len(counts); n > 0 && counts[n-1].Term == w {
			counts[n-1].Count++
			continue
		}
		counts = append(counts, store.TermCount{Term: w, Count: 1})
	}
	return counts
}

func list(pairs ...uint32) (p store.Postings) {
	for i := 0; i < len(pairs); i += 2 {
		p.Ords, p.Counts = append(p.Ords, store.Ord(pairs[i])), append(p.Counts, pairs[i+1])
	}
	return p
}

func wantLists(tb testing.TB, got []store.Postings, wanted ...store.Postings) {
	tb.Helper()
	for i := range wanted {
		if !slices.Equal(got[i].Ords, wanted[i].Ords) || !slices.Equal(got[i].Counts, wanted[i].Counts) {
			tb.Errorf("list %d: got %v, want %v", i, got[i], wanted[i])
		}
	}
}

func termsOfAnEmptyArchive(t *testing.T, a *archive) {
	wantLists(t, a.postings(t, "anything", ""), list(), list())
	want(t, "lists of no terms", len(a.postings(t)), 0)
}

func postingsListTurns(t *testing.T, a *archive) {
	a.addTerms(t, 1, "b a b", "c", "b", "")
	wantLists(t, a.postings(t, "c", "b", "nowhere", "a", "b"),
		list(2, 1), list(1, 2, 3, 1), list(), list(1, 1), list(1, 2, 3, 1))
}

func postingsGatherSegments(t *testing.T, a *archive) {
	a.addTerms(t, 1, "a b", "a a")
	a.addTerms(t, 3, "b b b")
	a.addTerms(t, 4, "a", "z")
	wantLists(t, a.postings(t, "a", "b", "z"), list(1, 1, 2, 2, 4, 1), list(1, 1, 3, 3), list(5, 1))
}

func postingsOutliveOptimize(t *testing.T, a *archive) {
	var wanted []store.Ord
	for i := range 30 {
		name := fmt.Sprintf("talk%d", i)
		turn := a.put(t, chat(name, exchange{User: "shared " + name, Replies: []string{"shared"}, At: at(i)}))[0].Turns[0]
		wanted = append(wanted, turn.Ord)
	}
	dead := a.put(t, chat("talk0", exchange{User: "other words", At: at(0)}))[0].Turns[0].Ord
	alive := append(slices.Clone(wanted[1:]), dead)
	before := a.postings(t, "share", "talk7")
	catalog := a.catalog(t)
	must(t, a.Optimize(t.Context()))
	after := a.postings(t, "share", "talk7")
	for i := range before {
		got, wanted := living(catalog, after[i]), living(catalog, before[i])
		if !reflect.DeepEqual(got, wanted) || len(got.Ords) == 0 {
			t.Errorf("list %d: got %v, want %v as before", i, got, wanted)
		}
	}
	want(t, "turns that share a word", len(living(catalog, after[0]).Ords), len(alive)-1)
	must(t, a.Optimize(t.Context())) // nothing to do any more
}

// living returns the part of a list that the catalog knows.
func living(c *store.Catalog, p store.Postings) (alive store.Postings) {
	for i, ord := range p.Ords {
		if _, ok := c.Row(ord); ok {
			alive.Ords, alive.Counts = append(alive.Ords, ord), append(alive.Counts, p.Counts[i])
		}
	}
	return alive
}

func termsOfEveryScript(t *testing.T, a *archive) {
	words := []string{
		"猫", "привет", "שלום", "🏳️‍🌈", "é", "e\u0301", "𓀀",
		"a", "A", "~", "\U0010ffff", "\u0080", "aa", "a'b", `a"b\`,
	}
	for range 3 { // segments
		a.addTerms(t, 1, words...)
	}
	for i, w := range words {
		wantLists(t, a.postings(t, w), list(uint32(i+1), 1))
	}
}

func commonTermsAreListed(t *testing.T, a *archive) {
	const documents = 20_000
	lines := make([]string, documents)
	for i := range lines {
		lines[i] = fmt.Sprintf("common rare%d", i)
	}
	a.addTerms(t, 1, lines...)
	lists := a.postings(t, "common", "rare0", "rare19999", "rare20000")
	want(t, "documents with the common term", len(lists[0].Ords), documents)
	for i, ord := range lists[0].Ords {
		if ord != store.Ord(i+1) || lists[0].Counts[i] != 1 {
			t.Fatalf("document %d: got %d, %d times", i+1, ord, lists[0].Counts[i])
		}
	}
	wantLists(t, lists[1:], list(1, 1), list(documents, 1), list())
}
