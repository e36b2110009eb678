package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/pgvector/pgvector-go"

	"lens/store"
	"lens/store/failure"
)

// PutVectors implements store.Tx. It drops vectors of turns that do not exist.
func (t *tx) PutVectors(ctx context.Context, gen store.GenerationID, vectors []store.Vector) error {
	g, err := t.generation(ctx, gen)
	switch {
	case err != nil:
		return err
	case g.ID == 0:
		return failure.NoGeneration("postgres: put vectors", gen)
	}
	turns, err := t.messagesOf(ctx, vectors)
	if err != nil {
		return err
	}
	b := bulk{conn: t.conn, copy: "CopyVectors", clear: func(ctx context.Context, ids []uuid.UUID) (int64, error) {
		return t.deleteVectors(ctx, "DeleteGenerationVectors", ids, gen)
	}}
	texts := make([]store.EmbeddedText, 0, len(vectors))
	for i := range vectors {
		if err := b.addVector(ctx, g, &vectors[i], turns); err != nil {
			return err
		}
		if text := vectors[i].Text; text != "" {
			texts = append(texts, store.EmbeddedText{Content: vectors[i].ContentHash(), Text: text})
		}
	}
	t.vectors = t.vectors || len(vectors) > 0
	if err := b.flush(ctx); err != nil {
		return err
	}
	return t.PutEmbeddedTexts(ctx, texts)
}

// turnMessages are the messages of a turn, which its vector refers to.
type turnMessages struct{ user, assistant uuid.UUID }

func (t *tx) messagesOf(ctx context.Context, vectors []store.Vector) (map[uuid.UUID]turnMessages, error) {
	ids := make([]uuid.UUID, len(vectors))
	for i := range vectors {
		ids[i] = vectors[i].Turn
	}
	turns := make(map[uuid.UUID]turnMessages, len(ids))
	err := t.each(ctx, "MessagesOfTurns", []any{ids}, func(r row) error {
		turns[r.id(0)] = turnMessages{r.id(1), r.id(2)}
		return nil
	})
	return turns, err
}

func (b *bulk) addVector(
	ctx context.Context, g store.Generation, v *store.Vector, turns map[uuid.UUID]turnMessages,
) error {
	unit, err := g.UnitOf("postgres: put vectors", v)
	if err != nil {
		return err
	}
	m, there := turns[v.Turn]
	if !there {
		return nil
	}
	return b.add(ctx, v.Turn, v.Turn, g.ID, g.Provider, g.Name(), m.user, m.assistant, int32(g.Dim),
		v.ContentHash(), v.UsedSummary, store.MadeAt(v.Created, now()), pgvector.NewHalfVector(unit))
}

// DeleteVectors implements store.Tx.
func (t *tx) DeleteVectors(ctx context.Context, turns []uuid.UUID) error {
	_, err := t.deleteVectors(ctx, "DeleteVectors", turns)
	return err
}

// deleteVectors runs a named query that deletes vectors and returns what they were made of. It returns their number.
func (t *tx) deleteVectors(ctx context.Context, name string, args ...any) (deleted int64, err error) {
	err = t.each(ctx, name, args, func(r row) error {
		if t.unused == nil {
			t.unused = make(map[store.Hash]struct{})
		}
		t.unused[r.hash(0)] = struct{}{}
		deleted++
		return nil
	})
	t.moved = t.moved || deleted > 0
	return deleted, err
}
