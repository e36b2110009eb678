package sqlite

import (
	"bytes"
	"context"
	"slices"

	"github.com/google/uuid"

	"lens/store"
)

// DocumentIDs implements store.Reader. The paths in a folder sort between the folder followed by a
// slash and the folder followed by "0", the character after the slash.
func (s *Store) DocumentIDs(ctx context.Context, under string) ([]uuid.UUID, error) {
	return list(ctx, s, "document ids", row.firstID, "DocumentIDs", under, under+"/", under+"0")
}

// DerivedIDs implements store.Reader.
func (s *Store) DerivedIDs(ctx context.Context, conversations []uuid.UUID) (ids []uuid.UUID, err error) {
	err = s.read(ctx, "derived ids", func(c *conn) error {
		ids, err = c.derivedIDs(conversations)
		return err
	})
	return ids, err
}

// DerivedIDs implements store.Tx.
func (t *tx) DerivedIDs(_ context.Context, conversations []uuid.UUID) ([]uuid.UUID, error) {
	return t.derivedIDs(conversations)
}

func (c *conn) derivedIDs(conversations []uuid.UUID) (ids []uuid.UUID, err error) {
	for _, id := range conversations {
		after, before := store.DerivedPaths(id)
		some, err := collect(c, row.firstID, "DerivedIDs", after, before)
		if err != nil {
			return nil, err
		}
		ids = append(ids, some...)
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	return ids, nil
}

// document reads the first columns of ConversationByID and Chunk.
func (r row) document() store.Document {
	return store.Document{
		Path: r.ColumnText(0), Filename: r.ColumnText(1), ClientTag: r.ColumnText(2), Modified: r.time(3),
		MIME: r.ColumnText(4), Content: r.hash(5), Gone: r.ColumnBool(6),
	}
}

// fillChunk reads the chunk of t from the conversation with the given number.
func (c *conn) fillChunk(t *store.Turn, conversation int64) error {
	return c.each("Chunk", []any{conversation, t.ID}, func(r row) error {
		t.Chunk = &store.Chunk{
			Document: r.document(), ID: r.ColumnText(7), Seq: r.ColumnInt(8),
			Pages: store.PageSpan{First: r.ColumnInt(9), Last: r.ColumnInt(10)},
		}
		if meta := r.ColumnText(11); meta != "" {
			t.Chunk.Meta = []byte(meta)
		}
		return nil
	})
}

func (t *tx) putDocument(conversation uuid.UUID, d *store.Document) error {
	number, err := t.numberOf(conversation)
	if err != nil {
		return err
	}
	return t.run("PutDocument", number, d.Path, d.Filename, d.ClientTag, d.Modified, d.MIME, d.Content, d.Gone)
}
