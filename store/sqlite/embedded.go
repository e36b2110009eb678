package sqlite

import (
	"context"

	"github.com/google/uuid"

	"lens/store"
)

// Embedded implements store.Reader.
func (s *Store) Embedded(ctx context.Context, turns []uuid.UUID) (all []store.Embedded, err error) {
	err = s.read(ctx, "embedded", func(c *conn) error {
		all = make([]store.Embedded, len(turns))
		for i, id := range turns {
			if all[i], err = c.embedded(id); err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

// embedded returns what the vector of a turn in the active generation was made of.
func (c *conn) embedded(turn uuid.UUID) (store.Embedded, error) {
	e := store.Embedded{Turn: turn}
	err := c.each("Embedded", []any{turn}, func(r row) (err error) {
		e.Generation, e.Content, e.UsedSummary = store.GenerationID(r.ColumnInt64(0)), r.hash(1), r.ColumnBool(2)
		e.Text, err = r.packedText(3)
		return err
	})
	return e, err
}

// VectorsOfTexts implements store.Reader.
func (s *Store) VectorsOfTexts(
	ctx context.Context, gen store.GenerationID, contents []store.Hash,
) (all [][]float32, err error) {
	err = s.read(ctx, "vectors of texts", func(c *conn) error {
		all = make([][]float32, len(contents))
		for i, content := range contents {
			err := c.each("VectorOfText", []any{content, gen}, func(r row) error {
				all[i] = store.Widened(r.ColumnRawBlob(0))
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

// EmbeddedTexts implements store.Reader.
func (s *Store) EmbeddedTexts(ctx context.Context, after store.Hash, limit int) (all []store.EmbeddedText, err error) {
	err = s.read(ctx, "embedded texts", func(c *conn) error {
		return c.each("EmbeddedTexts", []any{after, limit}, func(r row) error {
			text, err := r.packedText(1)
			all = append(all, store.EmbeddedText{Content: r.hash(0), Text: text})
			return err
		})
	})
	return all, err
}

// packedText returns the text of a packed column, "" for NULL.
func (r row) packedText(col int) (string, error) {
	if r.null(col) {
		return "", nil
	}
	return unpackText(r.ColumnRawBlob(col))
}

// VectorsWithoutText implements store.Reader.
func (s *Store) VectorsWithoutText(
	ctx context.Context, lost bool, after store.Embedded, limit int,
) ([]store.Embedded, error) {
	return list(ctx, s, "vectors without text", func(r row) store.Embedded {
		return store.Embedded{Content: r.hash(0), Turn: r.id(1), Generation: store.GenerationID(r.ColumnInt64(2))}
	}, "VectorsWithoutText", lost, after.Content, after.Turn[:], after.Generation, limit)
}

// PutEmbeddedTexts implements store.Tx.
func (t *tx) PutEmbeddedTexts(_ context.Context, texts []store.EmbeddedText) error {
	for _, e := range texts {
		if err := t.putEmbeddedText(e); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) putEmbeddedText(e store.EmbeddedText) error {
	if e.Text == "" {
		return t.run("PutEmbeddedText", e.Content, nil)
	}
	p := packers.Get().(*packer)
	defer packers.Put(p)
	return t.run("PutEmbeddedText", e.Content, p.packForAll(e.Text, nil))
}

// dropUnusedTexts deletes the texts whose last vector this transaction deleted.
func (t *tx) dropUnusedTexts() error {
	for content := range t.unused {
		if err := t.run("DropEmbeddedText", content); err != nil {
			return err
		}
	}
	return nil
}
