package postgres

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
		ids, err = c.derivedIDs(ctx, conversations)
		return err
	})
	return ids, err
}

// DerivedIDs implements store.Tx.
func (t *tx) DerivedIDs(ctx context.Context, conversations []uuid.UUID) ([]uuid.UUID, error) {
	return t.derivedIDs(ctx, conversations)
}

func (c *conn) derivedIDs(ctx context.Context, conversations []uuid.UUID) (ids []uuid.UUID, err error) {
	for _, id := range conversations {
		after, before := store.DerivedPaths(id)
		some, err := collect(ctx, c, row.firstID, "DerivedIDs", after, before)
		if err != nil {
			return nil, err
		}
		ids = append(ids, some...)
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	return ids, nil
}

// fillDocuments reads the documents of those conversations that have one.
func (c *conn) fillDocuments(ctx context.Context, conversations []store.Conversation) error {
	var ids []uuid.UUID
	for i := range conversations {
		if conversations[i].Source.Chunked() {
			ids = append(ids, conversations[i].ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	found := make(map[uuid.UUID]*store.Document, len(ids))
	err := c.each(ctx, "Documents", []any{ids}, func(r row) error {
		d := r.document(0)
		found[r.id(7)] = &d
		return nil
	})
	for i := range conversations {
		conversations[i].Document = found[conversations[i].ID]
	}
	return err
}

// document reads seven columns, starting at first.
func (r row) document(first int) store.Document {
	return store.Document{
		Path: r.text(first), Filename: r.text(first + 1), ClientTag: r.text(first + 2), Modified: r.time(first + 3),
		MIME: r.text(first + 4), Content: r.hash(first + 5), Gone: r.bool(first + 6),
	}
}

func (t *tx) putDocuments(ctx context.Context, conversations []store.Conversation) error {
	b := t.bulk("CopyDocuments", "DeleteDocuments")
	for i := range conversations {
		id, d := conversations[i].ID, conversations[i].Document
		if d == nil {
			continue
		}
		if err := b.add(ctx, id, id, d.Path, d.Filename, d.ClientTag, d.Modified, d.MIME, d.Content, d.Gone); err != nil {
			return err
		}
	}
	return b.flush(ctx)
}

func (t *tx) putChunks(ctx context.Context, turns []store.Turn) error {
	b := t.bulk("CopyChunks", "DeleteChunks")
	for i := range turns {
		u := &turns[i]
		c := u.Chunk
		if c == nil {
			continue
		}
		err := b.add(ctx, u.ID, u.Conversation, u.ID, int32(c.Seq), int32(c.Pages.First), int32(c.Pages.Last), c.ID,
			string(c.Meta))
		if err != nil {
			return err
		}
	}
	return b.flush(ctx)
}
