package postgres

import (
	"testing"

	"github.com/pressly/goose/v3"

	"lens/store"
	"lens/store/postgres/pgtest"
	"lens/store/storetest"
)

// An archive of schema 7 has generations without prefixes. They stay as they are, and an older Lens finds them again.
func TestMigrations_GenerationsOfSchema7(t *testing.T) {
	address := pgtest.Database(t)
	s := openAt(t, Options{URL: address})
	c := storetest.Chat(2, "kept")
	must(t, put(t.Context(), s, c))
	embed := func(prefixes store.Prefixes, turns ...store.Turn) {
		must(t, s.Update(t.Context(), func(tx store.Tx) error {
			g, err := tx.PutGeneration(t.Context(), store.Generation{Provider: "p", Model: "m", Dim: 2, Recipe: 1, Prefixes: prefixes})
			must(t, err)
			for i := range turns {
				v := store.Vector{Turn: turns[i].ID, Text: prefixes.Document + "text", Values: []float32{3, 4}}
				must(t, tx.PutVectors(t.Context(), g.ID, []store.Vector{v}))
			}
			if prefixes != (store.Prefixes{}) {
				return nil
			}
			return tx.Activate(t.Context(), g.ID)
		}))
	}
	downTo7 := func(p *goose.Provider) error { _, err := p.DownTo(t.Context(), 7); return err }
	embed(store.Prefixes{}, c.Turns...)
	must(t, s.withMigrations(downTo7))
	must(t, s.Close())

	s = openAt(t, Options{URL: address})
	before, err := s.Generations(t.Context())
	must(t, err)
	if len(before) != 1 || !before[0].Active || before[0].Vectors != 2 || before[0].Prefixes != (store.Prefixes{}) {
		t.Fatalf("after the upgrade: %+v", before)
	}
	if found, err := s.Nearest(t.Context(), []float32{1, 0}, store.Filter{}, 2); err != nil || len(found) != 2 {
		t.Errorf("found %v: %v", found, err)
	}
	embed(store.Prefixes{Document: "d: "}, c.Turns[0])
	must(t, s.withMigrations(downTo7))
	must(t, s.Close())

	s = openAt(t, Options{URL: address})
	after, err := s.Generations(t.Context())
	must(t, err)
	if len(after) != 1 || after[0] != before[0] {
		t.Errorf("an older Lens left %+v of %+v", after, before)
	}
	if n := s.queryNumber(t, "SELECT count(*) FROM embedded_texts"); n != 1 {
		t.Errorf("%d texts are left, want that of the other vectors", n)
	}
}
