package sqlite

import (
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"

	"lens/store"
	"lens/store/storetest"
)

// An archive of schema 7 has generations without prefixes. They stay as they are, and an older Lens finds them again.
func TestMigrations_GenerationsOfSchema7(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), Options{Dir: dir})
	must(t, err)
	c := storetest.Chat(2, "kept")
	must(t, put(t.Context(), s, c))
	must(t, embedAll(t.Context(), s, c))
	must(t, s.Close())
	downTo7 := func(p *goose.Provider) error { _, err := p.DownTo(t.Context(), 7); return err }
	must(t, withMigrations("file:"+filepath.Join(dir, "lens.db"), downTo7))

	s, err = Open(t.Context(), Options{Dir: dir})
	must(t, err)
	before, err := s.Generations(t.Context())
	must(t, err)
	if len(before) != 1 || !before[0].Active || before[0].Vectors != 2 || before[0].Prefixes != (store.Prefixes{}) {
		t.Fatalf("after the upgrade: %+v", before)
	}
	if found, err := s.Nearest(t.Context(), []float32{1, 0, 0, 0}, store.Filter{}, 2); err != nil || len(found) != 2 {
		t.Errorf("found %v: %v", found, err)
	}
	must(t, s.Update(t.Context(), func(tx store.Tx) error {
		prefixed := store.Generation{Provider: "p", Model: "m", Dim: 4, Recipe: 1, Prefixes: store.Prefixes{Document: "d: "}}
		g, err := tx.PutGeneration(t.Context(), prefixed)
		must(t, err)
		return tx.PutVectors(t.Context(), g.ID, []store.Vector{
			{Turn: c.Turns[0].ID, Text: "of the prefixed alone", Values: []float32{1, 0, 0, 0}},
		})
	}))
	must(t, s.Close())

	must(t, withMigrations("file:"+filepath.Join(dir, "lens.db"), downTo7))
	s = openIn(t, Options{Dir: dir})
	after, err := s.Generations(t.Context())
	must(t, err)
	if len(after) != 1 || after[0] != before[0] {
		t.Errorf("an older Lens left %+v of %+v", after, before)
	}
	if texts, err := s.EmbeddedTexts(t.Context(), store.Hash{}, 9); err != nil || len(texts) != 0 {
		t.Errorf("texts of the prefixed vectors are left: %v, %v", texts, err)
	}
}
