package sqlite

import (
	"context"
	"time"

	"lens/store"
	"lens/store/failure"
)

// Generations implements store.Reader.
func (s *Store) Generations(ctx context.Context) ([]store.Generation, error) {
	return list(ctx, s, "generations", row.generation, "Generations")
}

// generation reads the columns of Generations.
func (r row) generation() store.Generation {
	return store.Generation{
		ID: store.GenerationID(r.ColumnInt64(0)), Provider: r.ColumnText(1), Model: r.ColumnText(2), Dim: r.ColumnInt(3),
		Recipe: r.ColumnInt(4), Prefixes: store.Prefixes{Query: r.ColumnText(5), Document: r.ColumnText(6)},
		Active: r.ColumnBool(7), Created: r.time(8), Vectors: r.ColumnInt(9),
	}
}

// PutGeneration implements store.Tx.
func (t *tx) PutGeneration(_ context.Context, g store.Generation) (store.Generation, error) {
	name := []any{g.Provider, g.Model, g.Dim, g.Recipe, g.Prefixes.Query, g.Prefixes.Document}
	known := store.Generation{Provider: g.Provider, Model: g.Model, Dim: g.Dim, Recipe: g.Recipe, Prefixes: g.Prefixes}
	err := t.each("GenerationByName", name, func(r row) error {
		known.ID, known.Active = store.GenerationID(r.ColumnInt64(0)), r.ColumnBool(1)
		known.Created, known.Vectors = r.time(2), r.ColumnInt(3)
		return nil
	})
	if err != nil || known.ID != 0 {
		return known, err
	}
	if g.Dim <= 0 {
		return known, failure.NoDimension("sqlite: put generation")
	}
	t.vectors = true
	known.Created = store.MadeAt(g.Created, time.UnixMicro(time.Now().UnixMicro()).UTC())
	id, err := t.number("InsertGeneration", append(name, known.Created)...)
	known.ID = store.GenerationID(id)
	return known, err
}

// Activate implements store.Tx.
func (t *tx) Activate(_ context.Context, gen store.GenerationID) error {
	if err := t.run("Deactivate"); err != nil {
		return err
	}
	if err := t.run("Activate", gen); err != nil {
		return err
	}
	if t.Changes() == 0 {
		return failure.NoGeneration("sqlite: activate", gen)
	}
	t.vectors = true
	return nil
}

// generation returns a generation without its counts.
func (c *conn) generation(gen store.GenerationID) (g store.Generation, err error) {
	err = c.each("GenerationByID", []any{gen}, func(r row) error {
		g = store.Generation{
			ID: gen, Provider: r.ColumnText(0), Model: r.ColumnText(1), Dim: r.ColumnInt(2), Recipe: r.ColumnInt(3),
			Prefixes: store.Prefixes{Query: r.ColumnText(4), Document: r.ColumnText(5)},
		}
		return nil
	})
	return g, err
}
