package storetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/store"
)

var dumpChecks = []check{
	{"have everything in the order in which it is written", dumpsHaveEverything},
	{"are of one commit", dumpsAreOfOneCommit},
	{"end with the first error", dumpsEnd},
	{"keep times and stored vectors as they are", storedVectorsAreKept},
}

// dump returns what an archive passes on, by kind, in its order.
func (a *archive) dump(tb testing.TB, after func(kind string)) (kinds []string, vectors []store.Vector) {
	tb.Helper()
	add := func(kind string) error {
		kinds = append(kinds, kind)
		after(kind)
		return nil
	}
	must(tb, a.Store.(store.Dumper).Dump(tb.Context(), store.Dump{
		Generation: func(g store.Generation) error { return add(fmt.Sprint("generation ", g.Dim, g.Active)) },
		Conversation: func(c store.Conversation) error {
			for i := range c.Turns {
				kinds = append(kinds, "turn "+c.Turns[i].UserText)
			}
			return add(fmt.Sprint("conversation ", len(c.Messages), " ", c.Document != nil))
		},
		Versions: func(_ uuid.UUID, body []byte) error { return add("versions " + string(body)) },
		Vectors: func(_ store.GenerationID, page []store.Vector) error {
			vectors = append(vectors, page...)
			return add(fmt.Sprint("vectors ", len(page)))
		},
		Texts:     func(page []store.EmbeddedText) error { return add(fmt.Sprint("texts ", len(page))) },
		Run:       func(r store.ImportRun) error { return add("run " + string(r.Receipt)) },
		Forgotten: func(f store.Forgotten) error { return add(fmt.Sprint("forgotten ", len(f.Hashes))) },
		Imported:  func(all store.Imported) error { return add(fmt.Sprint("imported ", all)) },
	}))
	return kinds, vectors
}

func ignore(string) {}

func dumpsHaveEverything(t *testing.T, a *archive) {
	c := a.put(t, small("one", at(1)))[0]
	g := a.generation(t, 4, true)
	a.embed(t, g, c.Turns...)
	a.update(t, func(tx store.Tx) error {
		var gone store.Forgotten
		gone.Add(idOf("forgotten"))
		return errors.Join(
			tx.PutVersions(t.Context(), c.ID, []byte("of one")),
			tx.PutImportRun(t.Context(), run(2)), tx.PutImportRun(t.Context(), run(1)), tx.PutForgotten(t.Context(), gone),
			tx.PutImportedFiles(t.Context(), 1, []store.ImportedFile{file("/b", "", 1), file("/b", "/b/one", 2)}),
		)
	})
	kinds, vectors := a.dump(t, ignore)
	n := len(c.Turns)
	want := []string{"generation 4 true"}
	for _, turn := range a.turns(t, turnIDs(c)...) {
		want = append(want, "turn "+turn.UserText)
	}
	files := []store.ImportedFile{file("/b", "", 1), file("/b", "/b/one", 2)}
	want = append(want, fmt.Sprint("conversation ", len(c.Messages), " false"), "versions of one",
		fmt.Sprint("vectors ", n),
		fmt.Sprint("texts ", n), "run "+string(run(1).Receipt), "run "+string(run(2).Receipt), "forgotten 1",
		fmt.Sprint("imported ", store.Imported{Epoch: 1, Files: files}))
	if !slices.Equal(kinds, want) {
		t.Errorf("got %q, want %q", kinds, want)
	}
	for _, v := range vectors {
		if !v.Stored || v.Content == (store.Hash{}) || len(v.Values) != 4 || time.Since(v.Created) > time.Hour {
			t.Errorf("vector %+v", v)
		}
	}
}

func dumpsAreOfOneCommit(t *testing.T, a *archive) {
	a.put(t, small("one", at(1)))
	a.generation(t, 4, true)
	before, _ := a.dump(t, ignore)
	written := false
	during, _ := a.dump(t, func(string) {
		if !written {
			written = true
			a.put(t, small("two", at(2)))
		}
	})
	after, _ := a.dump(t, ignore)
	if !slices.Equal(before, during) || slices.Equal(before, after) {
		t.Errorf("before %q, during %q, after %q", before, during, after)
	}
}

func dumpsEnd(t *testing.T, a *archive) {
	a.generation(t, 4, true)
	failed := errors.New("no more")
	err := a.Store.(store.Dumper).Dump(t.Context(), store.Dump{
		Generation: func(store.Generation) error { return failed },
	})
	if !errors.Is(err, failed) {
		t.Errorf("got %v", err)
	}
}

func storedVectorsAreKept(t *testing.T, a *archive) {
	c, when := small("one", at(1)), at(-1000)
	for i := range c.Turns {
		c.Turns[i].Created = when
	}
	a.put(t, c)
	halves := []float32{store.Widen(0x3801), store.Widen(0x3a02), 0, store.Widen(0x8003)} // not of unit length
	a.update(t, func(tx store.Tx) error {
		made := store.Generation{Provider: "test", Model: "m", Dim: 4, Recipe: 1, Created: when}
		g, err := tx.PutGeneration(t.Context(), made)
		if err != nil {
			return err
		}
		v := store.Vector{Turn: c.Turns[0].ID, Values: halves, Stored: true, Created: when}
		return tx.PutVectors(t.Context(), g.ID, []store.Vector{v})
	})
	_, vectors := a.dump(t, ignore)
	if len(vectors) != 1 || !slices.Equal(vectors[0].Values, halves) || !vectors[0].Created.Equal(when) {
		t.Errorf("got %+v, want %v of %v", vectors, halves, when)
	}
	turns, err := a.Turns(t.Context(), turnIDs(c))
	must(t, err)
	if made := a.generations(t)[0].Created; !turns[0].Created.Equal(when) || !made.Equal(when) {
		t.Errorf("the turn is of %v, the generation of %v, want %v", turns[0].Created, made, when)
	}
}
