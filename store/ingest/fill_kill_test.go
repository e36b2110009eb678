//go:build system

package ingest_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest"
	"lens/store/sqlite"
)

// filling looks for the texts of vectors in the archive in a folder, in a process that the test may kill.
var filling = testenv.NewChild("fill texts", func(args []string) error {
	ctx := context.Background()
	st, err := sqlite.Open(ctx, sqlite.Options{Dir: args[0], Verb: "test"})
	if err != nil {
		return err
	}
	fmt.Println("ready")
	return store.FillEmbeddedTexts(ctx, st, func(_, _, _ string) bool { return true }, nil)
})

// withoutTexts stores vectors like an older Lens, which kept no texts.
type withoutTexts struct{ store.Store }

func (w withoutTexts) Update(ctx context.Context, fn func(store.Tx) error) error {
	return w.Store.Update(ctx, func(tx store.Tx) error { return fn(txWithoutTexts{tx}) })
}

type txWithoutTexts struct{ store.Tx }

func (t txWithoutTexts) PutVectors(ctx context.Context, gen store.GenerationID, vectors []store.Vector) error {
	for i := range vectors {
		vectors[i].Content, vectors[i].Text = vectors[i].ContentHash(), ""
	}
	return t.Tx.PutVectors(ctx, gen, vectors)
}

func TestFillEmbeddedTexts_Killed(t *testing.T) {
	if testing.Short() {
		t.Skip("kills between commits are NOT tested in -short mode")
	}
	const turns = 12_000 // six transactions
	dir := t.TempDir()
	file := filepath.Join(dir, "export.json")
	testenv.Must(t, testenv.WriteDemo(file, demo.Options{Turns: turns}))
	st := archiveIn(t, dir)
	_, err := ingest.Import(t.Context(), st, []string{file}, ingest.Options{})
	testenv.Must(t, err)
	_, err = ingest.Embed(t.Context(), withoutTexts{st}, &model{name: "scripted", dim: testDim}, ingest.EmbedOptions{})
	testenv.Must(t, err)
	left := func() int {
		n, err := store.CountVectorsWithoutText(t.Context(), st, false)
		testenv.Must(t, err)
		return n
	}
	killed, halfway := 0, 0
	for wait := 20 * time.Millisecond; left() > 0; {
		before := left()
		child := filling.Command(t, dir)
		out, err := child.StdoutPipe()
		testenv.Must(t, err)
		testenv.Must(t, child.Start())
		if _, err := out.Read(make([]byte, 6)); err != nil {
			t.Fatal(err)
		}
		defer time.AfterFunc(wait, func() { _ = child.Process.Kill() }).Stop()
		if child.Wait() != nil {
			killed++
		}
		switch n := left(); {
		case n > before:
			t.Fatalf("%d vectors without text, %d before", n, before)
		case n == before: // on a busy machine, a little longer may suffice for all of it
			wait += wait / 8
		case n > 0:
			halfway++
		}
	}
	t.Logf("killed %d times, %d times with some texts kept", killed, halfway)
	if killed < 5 || halfway < 1 {
		t.Errorf("killed %d times, %d times with some texts kept", killed, halfway)
	}
	lost, err := store.CountVectorsWithoutText(t.Context(), st, true)
	testenv.Must(t, err)
	if lost != 0 {
		t.Errorf("%d texts are lost", lost)
	}
	for turn, err := range st.EachTurn(t.Context(), store.Filter{}) {
		testenv.Must(t, err)
		e, err := st.Embedded(t.Context(), []uuid.UUID{turn.ID})
		testenv.Must(t, err)
		if e[0].Generation != 0 && e[0].Text != turn.EmbeddedText() {
			t.Fatalf("turn %s: %q", turn.ID, e[0].Text)
		}
	}
}
