package sqlite

import (
	"testing"

	"lens/store/storetest"
)

func TestSchema_Embeddings(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir()})
	c := storetest.Chat(3, "kept")
	must(t, put(t.Context(), s, c))
	must(t, embedAll(t.Context(), s, c))
	for name, sql := range map[string]string{
		"two vectors of a turn and generation": "UPDATE message_embeddings SET id = (SELECT max(id) FROM message_embeddings)",
		"two vectors of a message and model": "UPDATE message_embeddings SET generation_id = seq + 70, " +
			"user_message_id = (SELECT max(user_message_id) FROM message_embeddings)",
	} {
		if err := s.writer.Exec(sql); err == nil {
			t.Errorf("stored %s", name)
		}
	}
	for _, column := range []string{"assistant_message_id", "user_message_id", "id"} {
		must(t, s.read(t.Context(), "test", func(c *conn) error {
			stmt, _, err := c.Prepare("EXPLAIN QUERY PLAN SELECT vector FROM message_embeddings WHERE " + column + " = x'00'")
			must(t, err)
			defer stmt.Close()
			if !stmt.Step() || len(stmt.ColumnText(3)) < 6 || stmt.ColumnText(3)[:6] != "SEARCH" {
				t.Errorf("%s: %s", column, stmt.ColumnText(3))
			}
			return stmt.Err()
		}))
	}
}
