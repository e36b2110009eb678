package postgres

import (
	"context"

	"github.com/google/uuid"

	"lens/store"
)

// Embedded implements store.Reader.
func (s *Store) Embedded(ctx context.Context, turns []uuid.UUID) (all []store.Embedded, err error) {
	err = s.read(ctx, "embedded", func(c *conn) error {
		found := make(map[uuid.UUID]store.Embedded, len(turns))
		err := c.each(ctx, "Embedded", []any{turns}, func(r row) error {
			found[r.id(0)] = store.Embedded{
				Generation: store.GenerationID(r.number(1)), Content: r.hash(2), UsedSummary: r.bool(3), Text: r.text(4),
			}
			return nil
		})
		all = make([]store.Embedded, len(turns))
		for i, id := range turns {
			all[i] = found[id]
			all[i].Turn = id
		}
		return err
	})
	return all, err
}

// VectorsOfTexts implements store.Reader.
func (s *Store) VectorsOfTexts(
	ctx context.Context, gen store.GenerationID, contents []store.Hash,
) (all [][]float32, err error) {
	hashes := make([][]byte, len(contents))
	for i := range contents {
		hashes[i] = contents[i][:]
	}
	err = s.read(ctx, "vectors of texts", func(c *conn) error {
		all = make([][]float32, len(contents))
		return c.each(ctx, "VectorsOfTexts", []any{gen, hashes}, func(r row) error {
			all[r.number(0)-1] = r.widened(1)
			return nil
		})
	})
	return all, err
}

// EmbeddedTexts implements store.Reader.
func (s *Store) EmbeddedTexts(ctx context.Context, after store.Hash, limit int) ([]store.EmbeddedText, error) {
	return list(ctx, s, "embedded texts", func(r row) store.EmbeddedText {
		return store.EmbeddedText{Content: r.hash(0), Text: r.text(1)}
	}, "EmbeddedTexts", after, limit)
}

// VectorsWithoutText implements store.Reader.
func (s *Store) VectorsWithoutText(
	ctx context.Context, lost bool, after store.Embedded, limit int,
) ([]store.Embedded, error) {
	return list(ctx, s, "vectors without text", func(r row) store.Embedded {
		return store.Embedded{Content: r.hash(0), Turn: r.id(1), Generation: store.GenerationID(r.number(2))}
	}, "VectorsWithoutText", lost, after.Content, [16]byte(after.Turn), after.Generation, limit)
}

// PutEmbeddedTexts implements store.Tx.
func (t *tx) PutEmbeddedTexts(ctx context.Context, texts []store.EmbeddedText) error {
	var b textBatch
	for _, e := range texts {
		if b.bytes > bulkSize {
			if err := t.writeTexts(ctx, b); err != nil {
				return err
			}
			b = textBatch{}
		}
		b.add(e)
	}
	return t.writeTexts(ctx, b)
}

// textBatch collects texts for one statement, each once.
type textBatch struct {
	hashes [][]byte
	texts  []string
	bytes  int
	seen   map[store.Hash]struct{}
}

func (b *textBatch) add(e store.EmbeddedText) {
	if b.seen == nil {
		b.seen = make(map[store.Hash]struct{})
	}
	if _, again := b.seen[e.Content]; again {
		return
	}
	b.seen[e.Content] = struct{}{}
	b.hashes, b.texts = append(b.hashes, e.Content[:]), append(b.texts, e.Text)
	b.bytes += len(e.Text)
}

func (t *tx) writeTexts(ctx context.Context, b textBatch) error {
	if len(b.hashes) == 0 {
		return nil
	}
	_, err := t.run(ctx, "PutEmbeddedTexts", b.hashes, b.texts)
	return err
}

// dropUnusedTexts deletes the texts whose last vector this transaction deleted.
func (t *tx) dropUnusedTexts(ctx context.Context) error {
	if len(t.unused) == 0 {
		return nil
	}
	hashes := make([][]byte, 0, len(t.unused))
	for content := range t.unused {
		hashes = append(hashes, content[:])
	}
	_, err := t.run(ctx, "DropEmbeddedTexts", hashes)
	return err
}
