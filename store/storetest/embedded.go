package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store"
)

var embeddedChecks = []check{
	{"are those of the active generation", embeddedInActiveGeneration},
	{"are kept to the byte", embeddedToTheByte},
	{"are stored once and leave with their last vector", embeddedOnce},
	{"leave with their conversation", embeddedForgotten},
	{"come with the vectors or not at all", embeddedWithVectors},
	{"of vectors that are gone are dropped", embeddedWithoutVector},
	{"come in pages", embeddedInPages},
	{"lead to the vectors made of them", embeddedToVectors},
	{"that are unknown are found, and filled in once", embeddedUnknown},
	{"of an older Lens are filled in where they are proved", embeddedFilled},
	{"are filled in beside other writers, and after an interruption", embeddedFilledLater},
	{"are read beside their turns where these say something else", embeddedBesideTurns},
}

// embeddedOf reads the embedded texts of turns.
func (a *archive) embeddedOf(tb testing.TB, ids ...uuid.UUID) []store.Embedded {
	tb.Helper()
	all, err := a.Embedded(tb.Context(), ids)
	must(tb, err)
	return all
}

// embeddedTexts reads all texts, in ascending order.
func (a *archive) embeddedTexts(tb testing.TB) (texts []string) {
	tb.Helper()
	all, err := a.EmbeddedTexts(tb.Context(), store.Hash{}, 1000)
	must(tb, err)
	for _, e := range all {
		texts = append(texts, e.Text)
	}
	slices.Sort(texts)
	return texts
}

// withoutText reads the turns of vectors without text, in their order.
func (a *archive) withoutText(tb testing.TB, lost bool) []uuid.UUID {
	tb.Helper()
	all, err := a.VectorsWithoutText(tb.Context(), lost, store.Embedded{}, 1000)
	must(tb, err)
	ids := make([]uuid.UUID, len(all))
	for i := range all {
		ids[i] = all[i].Turn
	}
	return ids
}

func (a *archive) putVectors(tb testing.TB, g store.Generation, vectors ...store.Vector) {
	tb.Helper()
	for i := range vectors {
		vectors[i].Values = vectorOf(g.Dim, vectors[i].Text)
	}
	a.update(tb, func(tx store.Tx) error { return tx.PutVectors(tb.Context(), g.ID, vectors) })
}

func embeddedInActiveGeneration(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 3)
	first, second := a.generation(t, 8, true), a.generation(t, 16, false)
	a.putVectors(t, first, store.Vector{Turn: turns[0].ID, Text: "whole"},
		store.Vector{Turn: turns[1].ID, Text: "short", UsedSummary: true})
	a.putVectors(t, second, store.Vector{Turn: turns[0].ID, Text: "cut"})
	got := a.embeddedOf(t, turns[1].ID, idOf("unknown"), turns[0].ID, turns[2].ID)
	wanted := []store.Embedded{
		{
			Turn: turns[1].ID, Generation: first.ID, Content: store.ContentHash("short"), UsedSummary: true, Text: "short",
		},
		{Turn: idOf("unknown")},
		{Turn: turns[0].ID, Generation: first.ID, Content: store.ContentHash("whole"), Text: "whole"},
		{Turn: turns[2].ID},
	}
	if !slices.Equal(got, wanted) {
		t.Errorf("got %v, want %v", got, wanted)
	}
	a.update(t, func(tx store.Tx) error { return tx.Activate(t.Context(), second.ID) })
	want(t, "text in the other generation", a.embeddedOf(t, turns[0].ID)[0].Text, "cut")
}

func embeddedBesideTurns(t *testing.T, a *archive) {
	reader, ok := a.Store.(store.ShownReader)
	if !ok {
		t.Skip("the store has no way of its own")
	}
	c := chat("one",
		exchange{User: "as it is", Replies: []string{"reply"}, At: at(1)},
		exchange{User: "summarized", Replies: []string{"long"}, Summary: "short", At: at(2)},
		exchange{User: "cut", Replies: []string{"a long reply"}, At: at(3)},
		exchange{User: "lost", Replies: []string{"reply"}, At: at(4)},
		exchange{User: "without", Replies: []string{"a vector"}, At: at(5)},
		exchange{User: "alone", At: at(6)},
		exchange{User: "of another turn", Replies: []string{"reply"}, At: at(7)})
	page := document("plan.md", exchange{User: "plan.md", Replies: []string{"first"}, At: at(3)})
	put := a.put(t, c, page)
	turns, catalog := put[0].Turns, a.catalog(t)
	ids := append(slices.Clone(catalog.ID), catalog.ID[0])
	ords := append(slices.Clone(catalog.Ord), catalog.Ord[0])
	check := func(when string, differ ...string) {
		t.Helper()
		got, embedded, err := reader.Shown(t.Context(), ords)
		must(t, err)
		wanted, err := a.Turns(t.Context(), ids)
		must(t, err)
		want(t, when+", the turns are equal", reflect.DeepEqual(got, wanted), true)
		var texts []string
		for i, e := range a.embeddedOf(t, ids...) {
			if e.Text == "" || e.Text == got[i].EmbeddedText() {
				e = store.Embedded{}
			} else {
				texts = append(texts, e.Text)
			}
			want(t, fmt.Sprint(when, ", turn ", i), embedded[i], e)
		}
		want(t, when, fmt.Sprint(texts), fmt.Sprint(differ))
	}
	check("nothing is embedded")
	first, second := a.generation(t, 8, true), a.generation(t, 16, false)
	asItIs := func(i int) store.Vector { return store.Vector{Turn: turns[i].ID, Text: turns[i].EmbeddedText()} }
	turns = append(turns, put[1].Turns...)
	a.putVectors(t, first, asItIs(0), asItIs(1), asItIs(7),
		store.Vector{Turn: turns[2].ID, Text: "User: cut\nAssistant: a lo"},
		store.Vector{Turn: turns[3].ID, Content: store.ContentHash("forgotten")},
		store.Vector{Turn: turns[5].ID, Text: "older"}, store.Vector{Turn: turns[6].ID, Text: turns[0].EmbeddedText()})
	a.putVectors(t, second, store.Vector{Turn: turns[0].ID, Text: "other"}, asItIs(2))
	check("in the first generation", "User: cut\nAssistant: a lo", "older", turns[0].EmbeddedText())
	a.update(t, func(tx store.Tx) error { return tx.Activate(t.Context(), second.ID) })
	check("in the second generation", "other", "other")
	_, _, err := reader.Shown(t.Context(), []store.Ord{ords[0], 1 << 30})
	wantCode(t, err, errs.NotFound)
}

func embeddedToTheByte(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 3)
	g := a.generation(t, 8, true)
	texts := []string{" \t\u00e9e\u0301 \U0001F9D1\u200d\U0001F680\r\n", strings.Repeat("long line\n", 60_000), "x"}
	for i, text := range texts {
		a.putVectors(t, g, store.Vector{Turn: turns[i].ID, Text: text})
	}
	for i, e := range a.embeddedOf(t, idsOf(turns)...) {
		want(t, fmt.Sprint("text ", i), e.Text == texts[i], true)
		want(t, fmt.Sprint("hash ", i), e.Content, store.ContentHash(texts[i]))
	}
}

func embeddedOnce(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 3)
	first, second := a.generation(t, 8, true), a.generation(t, 16, false)
	for _, g := range []store.Generation{first, second} {
		a.putVectors(t, g, store.Vector{Turn: turns[0].ID, Text: "same"}, store.Vector{Turn: turns[1].ID, Text: "same"},
			store.Vector{Turn: turns[2].ID, Text: "other"})
	}
	want(t, "texts", strings.Join(a.embeddedTexts(t), " "), "other same")
	a.putVectors(t, second, store.Vector{Turn: turns[2].ID, Text: "new"})
	want(t, "texts, one replaced in one generation", strings.Join(a.embeddedTexts(t), " "), "new other same")
	a.putVectors(t, first, store.Vector{Turn: turns[2].ID, Text: "new"}, store.Vector{Turn: turns[0].ID, Text: "same"})
	want(t, "texts, one replaced in both", strings.Join(a.embeddedTexts(t), " "), "new same")
	a.update(t, func(tx store.Tx) error { return tx.DeleteVectors(t.Context(), []uuid.UUID{turns[0].ID, turns[2].ID}) })
	want(t, "texts, vectors deleted", strings.Join(a.embeddedTexts(t), " "), "same")
	a.update(t, func(tx store.Tx) error { // as a re-import does
		if err := tx.DeleteVectors(t.Context(), []uuid.UUID{turns[1].ID}); err != nil {
			return err
		}
		v := store.Vector{Turn: turns[1].ID, Text: "same", Values: vectorOf(8, "same")}
		return tx.PutVectors(t.Context(), first.ID, []store.Vector{v})
	})
	want(t, "texts, deleted and put again", strings.Join(a.embeddedTexts(t), " "), "same")
	a.update(t, func(tx store.Tx) error { return tx.DeleteVectors(t.Context(), idsOf(turns)) })
	want(t, "texts left", len(a.embeddedTexts(t)), 0)
}

func embeddedForgotten(t *testing.T, a *archive) {
	put := a.put(t, filterChats()...)
	g := a.generation(t, 8, true)
	a.embed(t, g, append(put[0].Turns, put[1].Turns...)...)
	a.putVectors(t, g, store.Vector{Turn: put[0].Turns[0].ID, Text: "both"},
		store.Vector{Turn: put[1].Turns[0].ID, Text: "both"},
		store.Vector{Turn: put[0].Turns[1].ID, Content: store.ContentHash("lost")})
	a.update(t, func(tx store.Tx) error {
		return tx.PutEmbeddedTexts(t.Context(), []store.EmbeddedText{{Content: store.ContentHash("lost")}})
	})
	a.forget(t, put[0].ID)
	wanted := []string{"both"}
	for _, turn := range put[1].Turns[1:] {
		wanted = append(wanted, turn.UserText)
	}
	slices.Sort(wanted)
	want(t, "texts left", fmt.Sprint(a.embeddedTexts(t)), fmt.Sprint(wanted))
	want(t, "vectors whose text is lost", len(a.withoutText(t, true)), 0)
	a.update(t, func(tx store.Tx) error { return tx.ForgetEverything(t.Context()) })
	want(t, "texts after everything", len(a.embeddedTexts(t)), 0)
}

func embeddedWithVectors(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 2)
	g := a.generation(t, 8, true)
	broken := errors.New("broken")
	err := a.Update(t.Context(), func(tx store.Tx) error {
		v := store.Vector{Turn: turns[0].ID, Text: "never", Values: vectorOf(8, "never")}
		return errors.Join(tx.PutVectors(t.Context(), g.ID, []store.Vector{v}), broken)
	})
	want(t, "failed", errors.Is(err, broken), true)
	want(t, "texts", len(a.embeddedTexts(t)), 0)
	want(t, "vectors", a.generations(t)[0].Vectors, 0)
}

func embeddedWithoutVector(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 1)
	g := a.generation(t, 8, true)
	a.putVectors(t, g, store.Vector{Turn: turns[0].ID, Text: "here"}, store.Vector{Turn: idOf("unknown"), Text: "gone"})
	a.update(t, func(tx store.Tx) error {
		return tx.PutEmbeddedTexts(t.Context(), []store.EmbeddedText{
			{Content: store.ContentHash("late"), Text: "late"}, {Content: store.ContentHash("lost")},
		})
	})
	want(t, "texts", fmt.Sprint(a.embeddedTexts(t)), "[here]")
}

func embeddedInPages(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 25)
	a.embed(t, a.generation(t, 8, true), turns...)
	var pages []int
	found := make(map[string]bool)
	for after := (store.Hash{}); ; {
		page, err := a.EmbeddedTexts(t.Context(), after, 10)
		must(t, err)
		if len(page) == 0 {
			break
		}
		for _, e := range page {
			want(t, "hash", e.Content, store.ContentHash(e.Text))
			want(t, "ascending", string(after[:]) < string(e.Content[:]), true)
			after, found[e.Text] = e.Content, true
		}
		pages = append(pages, len(page))
	}
	want(t, "pages", fmt.Sprint(pages), "[10 10 3]") // every tenth turn repeats the text of another
	for _, turn := range turns {
		want(t, "found "+turn.UserText, found[turn.UserText], true)
	}
}

func embeddedToVectors(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 4)
	first, second := a.generation(t, 7, true), a.generation(t, 16, false)
	a.putVectors(t, first, store.Vector{Turn: turns[0].ID, Text: "same"}, store.Vector{Turn: turns[1].ID, Text: "same"},
		store.Vector{Turn: turns[2].ID, Content: store.ContentHash("of unknown text")})
	a.putVectors(t, second, store.Vector{Turn: turns[3].ID, Text: "in the second"})
	vectorsOf := func(g store.GenerationID, texts ...string) [][]float32 {
		t.Helper()
		contents := make([]store.Hash, len(texts))
		for i := range texts {
			contents[i] = store.ContentHash(texts[i])
		}
		got, err := a.VectorsOfTexts(t.Context(), g, contents)
		must(t, err)
		want(t, "answers", len(got), len(texts))
		return got
	}
	got := vectorsOf(first.ID, "in the second", "same", "nowhere", "of unknown text", "same")
	for i, text := range []string{"", "same", "", "", "same"} {
		wanted := []float32(nil)
		if text != "" {
			wanted = store.Widened(store.Halves(vectorOf(first.Dim, text)))
		}
		if i != 3 && !slices.Equal(got[i], wanted) {
			t.Errorf("vector %d is %v, want %v", i, got[i], wanted)
		}
	}
	want(t, "of a text that is not known", len(got[3]), first.Dim)
	want(t, "of the second generation", len(vectorsOf(second.ID, "in the second")[0]), second.Dim)
	want(t, "of no generation", vectorsOf(0, "same")[0] == nil, true)
	want(t, "of no text", len(vectorsOf(first.ID)), 0)

	a.update(t, func(tx store.Tx) error {
		v := store.Vector{Turn: turns[3].ID, Content: store.ContentHash("same"), Values: got[1], Stored: true}
		return tx.PutVectors(t.Context(), first.ID, []store.Vector{v})
	})
	want(t, "text of a vector that is stored again", a.embeddedOf(t, turns[3].ID)[0].Text, "same")
	a.update(t, func(tx store.Tx) error {
		return tx.DeleteVectors(t.Context(), []uuid.UUID{turns[0].ID, turns[1].ID})
	})
	if again := vectorsOf(first.ID, "same")[0]; !slices.Equal(again, got[1]) {
		t.Errorf("the vector stored again is %v, want %v", again, got[1])
	}
	want(t, "text", a.embeddedOf(t, turns[3].ID)[0].Text, "same")
}

func embeddedUnknown(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 6)
	g := a.generation(t, 8, true)
	var vectors []store.Vector
	for _, turn := range turns[:5] {
		vectors = append(vectors, store.Vector{Turn: turn.ID, Content: store.ContentHash(turn.UserText)})
	}
	a.putVectors(t, g, append(vectors, store.Vector{Turn: turns[5].ID, Text: "known"})...)
	e := a.embeddedOf(t, turns[0].ID)[0]
	want(t, "text", e.Text, "")
	want(t, "hash", e.Content, store.ContentHash(turns[0].UserText))

	all := a.withoutText(t, false)
	want(t, "vectors nothing has looked for", len(all), 5)
	want(t, "lost ones", len(a.withoutText(t, true)), 0)
	var paged []uuid.UUID
	for after := (store.Embedded{}); ; {
		page, err := a.VectorsWithoutText(t.Context(), false, after, 2)
		must(t, err)
		if len(page) == 0 {
			break
		}
		for _, e := range page {
			paged = append(paged, e.Turn)
			want(t, "generation", e.Generation, g.ID)
			after = e
		}
	}
	want(t, "in pages", fmt.Sprint(paged), fmt.Sprint(all))

	lost, text := store.ContentHash(turns[0].UserText), turns[1].UserText
	a.update(t, func(tx store.Tx) error {
		return tx.PutEmbeddedTexts(t.Context(), []store.EmbeddedText{
			{Content: lost}, {Content: store.ContentHash(text), Text: text}, {Content: store.ContentHash("known")},
		})
	})
	want(t, "known texts stay", a.embeddedOf(t, turns[5].ID)[0].Text, "known")
	want(t, "filled in", a.embeddedOf(t, turns[1].ID)[0].Text, text)
	want(t, "left to look for", len(a.withoutText(t, false)), 3)
	want(t, "lost", fmt.Sprint(a.withoutText(t, true)), fmt.Sprint([]uuid.UUID{turns[0].ID}))
	a.embed(t, g, turns[0]) // embedded again
	want(t, "lost, embedded again", len(a.withoutText(t, true)), 0)
	want(t, "text, embedded again", a.embeddedOf(t, turns[0].ID)[0].Text, turns[0].UserText)
}

// olderVectors puts vectors as an older Lens did: without the texts.
func (a *archive) olderVectors(tb testing.TB, g store.Generation, turns []store.Turn) {
	tb.Helper()
	vectors := make([]store.Vector, len(turns))
	for i := range turns {
		vectors[i] = store.Vector{Turn: turns[i].ID, Content: store.ContentHash(turns[i].EmbeddedText())}
	}
	a.putVectors(tb, g, vectors...)
}

// always says that a model got every text whole.
func always(_, _, _ string) bool { return true }

func embeddedFilled(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 8)
	g := a.generation(t, 8, true)
	a.olderVectors(t, g, turns[:6])
	a.putVectors(t, g, store.Vector{Turn: turns[1].ID, Content: store.ContentHash("an earlier version")},
		store.Vector{Turn: turns[6].ID, Content: store.ContentHash(turns[5].EmbeddedText())},
		store.Vector{Turn: turns[7].ID, Text: "known"})
	cut := turns[2].EmbeddedText()
	whole := func(provider, model, text string) bool {
		want(t, "model of the vectors", provider+" "+model, g.Provider+" "+g.Model)
		return text != cut
	}
	var last [2]int
	must(t, store.FillEmbeddedTexts(t.Context(), a, whole, func(done, total int) { last = [2]int{done, total} }))
	want(t, "progress", last, [2]int{7, 7})
	for i, wanted := range []string{
		turns[0].EmbeddedText(), "", "", turns[3].EmbeddedText(), turns[4].EmbeddedText(), turns[5].EmbeddedText(),
		turns[5].EmbeddedText(), "known", // one turn proves a text for all
	} {
		want(t, fmt.Sprint("text ", i), a.embeddedOf(t, turns[i].ID)[0].Text, wanted)
	}
	for lost, wanted := range map[bool]int{true: 2, false: 0} {
		n, err := store.CountVectorsWithoutText(t.Context(), a, lost)
		must(t, err)
		want(t, fmt.Sprint("unknown texts, lost: ", lost), n, wanted)
	}
	err := store.FillEmbeddedTexts(t.Context(), a, whole, func(int, int) { t.Error("it began again") })
	must(t, err)
}

func embeddedFilledLater(t *testing.T, a *archive) {
	turns := a.manyTurns(t, 2500) // in two transactions
	g := a.generation(t, 4, true)
	a.olderVectors(t, g, turns)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := store.FillEmbeddedTexts(ctx, a, always, func(done, total int) {
		want(t, "not all at once", done > 0 && done < total, true)
		cancel()
	})
	want(t, "canceled", errors.Is(err, context.Canceled), true)
	left, err := store.CountVectorsWithoutText(t.Context(), a, false)
	must(t, err)
	want(t, "kept the first texts", left > 0 && left < 2500, true)

	other := a.put(t, small("other", at(3)))[0]
	a.putVectors(t, g, store.Vector{Turn: other.Turns[0].ID, Text: "other"})
	must(t, store.FillEmbeddedTexts(t.Context(), a, always, func(int, int) {
		a.forget(t, other.ID) // another writer, between two transactions
	}))
	for _, e := range a.embeddedOf(t, idsOf(turns)...) {
		if store.ContentHash(e.Text) != e.Content {
			t.Fatalf("the text of %s is %q", e.Turn, e.Text)
		}
	}
	want(t, "a forgotten text", slices.Contains(a.embeddedTexts(t), "other"), false)
}
