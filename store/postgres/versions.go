package postgres

import (
	"context"

	"github.com/google/uuid"
)

// Versions implements store.Reader.
func (s *Store) Versions(ctx context.Context, conversation uuid.UUID) (body []byte, err error) {
	err = s.read(ctx, "versions", func(c *conn) error {
		body, err = c.versions(ctx, conversation)
		return err
	})
	return body, err
}

func (c *conn) versions(ctx context.Context, conversation uuid.UUID) (body []byte, err error) {
	err = c.each(ctx, "Versions", []any{conversation}, func(r row) error {
		body = r.bytes(0)
		return nil
	})
	return body, err
}

// VersionedIDs implements store.Reader.
func (s *Store) VersionedIDs(ctx context.Context) ([]uuid.UUID, error) {
	return list(ctx, s, "versioned ids", row.firstID, "VersionedIDs")
}

// PutVersions implements store.Tx.
func (t *tx) PutVersions(ctx context.Context, conversation uuid.UUID, body []byte) (err error) {
	if len(body) == 0 {
		_, err = t.run(ctx, "DropVersions", []uuid.UUID{conversation})
	} else {
		_, err = t.run(ctx, "PutVersions", conversation, body)
	}
	return err
}
