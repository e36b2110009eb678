package sqlite

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store"
)

// PutVectors implements store.Tx.
func (t *tx) PutVectors(_ context.Context, gen store.GenerationID, vectors []store.Vector) error {
	g, err := t.generation(gen)
	switch {
	case err != nil:
		return err
	case g.ID == 0:
		return noGeneration("put vectors", gen)
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
	if len(v.Values) != g.Dim {
		return &errs.Error{
			Code: errs.DimensionMismatch, Op: "sqlite: put vectors",
			Message: fmt.Sprintf("a vector has %d dimensions, but its generation has %d", len(v.Values), g.Dim),
		}
	}
	unit, err := store.Unit(v.Values)
	if err != nil {
		return &errs.Error{Code: errs.Invalid, Op: "sqlite: put vectors", Err: err}
	}
	if err := t.run("DeleteVector", v.Turn, g.ID); err != nil {
		return err
	}
	t.moved = t.moved || t.Changes() > 0
	return t.run("PutVector", v.Turn, g.ID, g.Provider, generationName(g), g.Dim, v.Content, v.UsedSummary, now,
		store.Halves(unit))
}

// generationName distinguishes the generations of one model.
func generationName(g store.Generation) string {
	return fmt.Sprintf("%s/%d/%d", g.Model, g.Dim, g.Recipe)
}

// DeleteVectors implements store.Tx.
func (t *tx) DeleteVectors(_ context.Context, turns []uuid.UUID) error {
	for _, id := range turns {
		if err := t.run("DeleteVectors", id); err != nil {
			return err
		}
		t.moved = t.moved || t.Changes() > 0
	}
	return nil
}
