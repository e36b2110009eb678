package postgres

import (
	"context"

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
		ID: store.GenerationID(r.number(0)), Provider: r.text(1), Model: r.text(2), Dim: r.int(3),
		Recipe: r.int(4), Prefixes: store.Prefixes{Query: r.text(5), Document: r.text(6)},
		Active: r.bool(7), Created: r.time(8), Vectors: r.int(9),
	}
}

// inlineDim is the longest vector that fits into a page of 8 kB with the rest of its row.
const inlineDim = 3900

// PutGeneration implements store.Tx.
func (t *tx) PutGeneration(ctx context.Context, g store.Generation) (store.Generation, error) {
	name := []any{g.Provider, g.Model, g.Dim, g.Recipe, g.Prefixes.Query, g.Prefixes.Document}
	known := store.Generation{Provider: g.Provider, Model: g.Model, Dim: g.Dim, Recipe: g.Recipe, Prefixes: g.Prefixes}
	err := t.each(ctx, "GenerationByName", name, func(r row) error {
		known.ID, known.Active = store.GenerationID(r.number(0)), r.bool(1)
		known.Created, known.Vectors = r.time(2), r.int(3)
		return nil
	})
	if err != nil || known.ID != 0 {
		return known, err
	}
	if g.Dim <= 0 {
		return known, failure.NoDimension("postgres: put generation")
	}
	if g.Dim > inlineDim {
		if _, err := t.run(ctx, "AllowWideVectors"); err != nil {
			return known, err
		}
	}
	t.vectors = true
	known.Created = store.MadeAt(g.Created, now())
	id, err := t.number(ctx, "InsertGeneration", append(name, known.Created)...)
	known.ID = store.GenerationID(id)
	return known, err
}

// Activate implements store.Tx.
func (t *tx) Activate(ctx context.Context, gen store.GenerationID) error {
	if _, err := t.run(ctx, "Deactivate"); err != nil {
		return err
	}
	activated, err := t.run(ctx, "Activate", gen)
	if err == nil && activated == 0 {
		err = failure.NoGeneration("postgres: activate", gen)
	}
	t.vectors = true
	return err
}

// generation returns a generation without its counts.
func (c *conn) generation(ctx context.Context, gen store.GenerationID) (g store.Generation, err error) {
	err = c.each(ctx, "GenerationByID", []any{gen}, func(r row) error {
		g = store.Generation{
			ID: gen, Provider: r.text(0), Model: r.text(1), Dim: r.int(2), Recipe: r.int(3),
			Prefixes: store.Prefixes{Query: r.text(4), Document: r.text(5)},
		}
		return nil
	})
	return g, err
}
