package sqlite

import (
	"context"
	"time"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/failure"
)

// PutVectors implements store.Tx.
func (t *tx) PutVectors(_ context.Context, gen store.GenerationID, vectors []store.Vector) error {
	g, err := t.generation(gen)
	switch {
	case err != nil:
		return err
	case g.ID == 0:
		return failure.NoGeneration("sqlite: put vectors", gen)
	}
	now := time.Now()
	for i := range vectors {
		if err := t.putVector(g, &vectors[i], now); err != nil {
			return err
		}
	}
	t.vectors = t.vectors || len(vectors) > 0
	return nil
}

func (t *tx) putVector(g store.Generation, v *store.Vector, now time.Time) error {
	unit, err := g.UnitOf("sqlite: put vectors", v)
	if err != nil {
		return err
	}
	if err := t.deleteVectors("DeleteVector", v.Turn, g.ID); err != nil {
		return err
	}
	content := v.ContentHash()
	err = t.run("PutVector", v.Turn, g.ID, g.Provider, g.Name(), g.Dim, content, v.UsedSummary,
		store.MadeAt(v.Created, now), store.Halves(unit))
	if err != nil || v.Text == "" {
		return err
	}
	return t.putEmbeddedText(store.EmbeddedText{Content: content, Text: v.Text})
}

// DeleteVectors implements store.Tx.
func (t *tx) DeleteVectors(_ context.Context, turns []uuid.UUID) error {
	for _, id := range turns {
		if err := t.deleteVectors("DeleteVectors", id); err != nil {
			return err
		}
	}
	return nil
}

// deleteVectors runs a named query that deletes vectors and returns what they were made of.
func (t *tx) deleteVectors(name string, args ...any) error {
	return t.each(name, args, func(r row) error {
		t.moved = true
		if t.unused == nil {
			t.unused = make(map[store.Hash]struct{})
		}
		t.unused[r.hash(0)] = struct{}{}
		return nil
	})
}
