package sqlite

import (
	"context"

	"github.com/google/uuid"
)

// Versions implements store.Reader.
func (s *Store) Versions(ctx context.Context, conversation uuid.UUID) (body []byte, err error) {
	err = s.read(ctx, "versions", func(c *conn) error {
		body, err = c.versions(conversation)
		return err
	})
	return body, err
}

func (c *conn) versions(conversation uuid.UUID) (body []byte, err error) {
	err = c.each("Versions", []any{conversation}, func(r row) error {
		body = r.ColumnBlob(0, nil)
		return nil
	})
	return body, err
}

// VersionedIDs implements store.Reader.
func (s *Store) VersionedIDs(ctx context.Context) ([]uuid.UUID, error) {
	return list(ctx, s, "versioned ids", row.firstID, "VersionedIDs")
}

// PutVersions implements store.Tx.
func (t *tx) PutVersions(_ context.Context, conversation uuid.UUID, body []byte) error {
	if len(body) == 0 {
		return t.run("DropVersions", conversation)
	}
	number, err := t.numberOf(conversation)
	if err != nil {
		return err
	}
	return t.run("PutVersions", number, body)
}
