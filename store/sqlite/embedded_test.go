package sqlite

import (
	"encoding/hex"
	"testing"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/storetest"
)

// An archive of an older Lens may hold the vector of a turn that is gone.
func TestFillEmbeddedTexts_TurnIsMissing(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir()})
	c := storetest.Chat(3, "kept")
	must(t, put(t.Context(), s, c))
	one, err := s.Turns(t.Context(), []uuid.UUID{c.Turns[0].ID})
	must(t, err)
	text := one[0].EmbeddedText() // of each of them
	must(t, s.Update(t.Context(), func(tx store.Tx) error {
		g, err := tx.PutGeneration(t.Context(), store.Generation{Provider: "p", Model: "m", Dim: 2, Recipe: 1})
		must(t, err)
		for i := range c.Turns { // without texts
			v := store.Vector{Turn: c.Turns[i].ID, Content: store.ContentHash(text), Values: []float32{3, 4}}
			must(t, tx.PutVectors(t.Context(), g.ID, []store.Vector{v}))
		}
		return tx.Activate(t.Context(), g.ID)
	}))
	gone := uuid.New()
	must(t, s.writer.Exec("UPDATE message_embeddings SET id = x'"+hex.EncodeToString(gone[:])+"', content_hash = x'"+hex.EncodeToString(gone[:])+
		"' WHERE seq = (SELECT max(seq) FROM message_embeddings)"))
	var last [2]int
	always := func(_, _, _ string) bool { return true }
	must(t, store.FillEmbeddedTexts(t.Context(), s, always, func(done, total int) { last = [2]int{done, total} }))
	lost, err := s.VectorsWithoutText(t.Context(), true, store.Embedded{}, 10)
	must(t, err)
	if last != [2]int{3, 3} || len(lost) != 1 || lost[0].Turn != gone {
		t.Errorf("filled %v, lost %v, want that of %s", last, lost, gone)
	}
	all, err := s.Embedded(t.Context(), []uuid.UUID{c.Turns[0].ID, c.Turns[1].ID})
	must(t, err)
	for _, e := range all {
		if e.Text != text {
			t.Errorf("the text of %s is %q", e.Turn, e.Text)
		}
	}
}
