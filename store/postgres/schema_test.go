package postgres

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pressly/goose/v3"

	"lens/store"
	"lens/store/postgres/pgtest"
	"lens/store/storetest"
)

// auditedArchive returns three embedded turns, and a connection beside Lens: an auditor reads and checks with SQL alone.
func auditedArchive(t *testing.T) (c store.Conversation, db *pgx.Conn) {
	t.Helper()
	address := pgtest.Schema(t)
	s := openAt(t, Options{URL: address})
	c = storetest.Chat(3, "kept")
	must(t, put(t.Context(), s, c))
	must(t, s.Update(t.Context(), func(tx store.Tx) error {
		g, err := tx.PutGeneration(t.Context(), store.Generation{Provider: "p", Model: "m", Dim: 2, Recipe: 1})
		must(t, err)
		for i := range c.Turns {
			v := store.Vector{Turn: c.Turns[i].ID, Text: c.Turns[i].EmbeddedText(), Values: []float32{3, 4}}
			must(t, tx.PutVectors(t.Context(), g.ID, []store.Vector{v}))
		}
		return tx.Activate(t.Context(), g.ID)
	}))
	db, err := pgx.Connect(t.Context(), address)
	must(t, err)
	t.Cleanup(func() { must(t, db.Close(t.Context())) })
	return c, db
}

func TestSchema_EmbeddingsRefuseWhatWouldNotBelong(t *testing.T) {
	c, db := auditedArchive(t)
	for name, change := range map[string]struct{ sql, code string }{
		"a turn that does not exist":           {"SET id = gen_random_uuid()", "23503"},
		"a user message that does not exist":   {"SET user_message_id = gen_random_uuid()", "23503"},
		"a reply that does not exist":          {"SET assistant_message_id = gen_random_uuid()", "23503"},
		"a generation that does not exist":     {"SET generation_id = 77", "23503"},
		"two vectors of a turn and generation": {"SET id = $2, user_message_id = gen_random_uuid()", "23505"},
		"two vectors of a message and model":   {"SET user_message_id = (SELECT user_message_id FROM message_embeddings WHERE id = $2)", "23505"},
		"the same in another generation":       {"SET generation_id = 78, user_message_id = (SELECT user_message_id FROM message_embeddings WHERE id = $2)", "23505"},
	} {
		t.Run(name, func(t *testing.T) {
			tx, err := db.Begin(t.Context())
			must(t, err)
			defer func() { _ = tx.Rollback(t.Context()) }()
			arguments := []any{c.Turns[0].ID, c.Turns[1].ID}[:1+strings.Count(change.sql, "$2")]
			_, err = tx.Exec(t.Context(), "UPDATE message_embeddings "+change.sql+" WHERE id = $1", arguments...)
			if err == nil {
				_, err = tx.Exec(t.Context(), "SET CONSTRAINTS ALL IMMEDIATE")
			}
			var refused *pgconn.PgError
			if !errors.As(err, &refused) || refused.Code != change.code {
				t.Errorf("got %v, want %s", err, change.code)
			}
		})
	}
}

func TestSchema_EmbeddingsOfAMessageAreIndexed(t *testing.T) {
	_, db := auditedArchive(t)
	for _, column := range []string{"assistant_message_id", "user_message_id", "id"} {
		var n int
		must(t, db.QueryRow(t.Context(), `SELECT count(*) FROM pg_indexes
			WHERE schemaname = current_schema() AND tablename = 'message_embeddings' AND indexdef LIKE '%btree (' || $1 || '%'`, column).Scan(&n))
		if n == 0 {
			t.Errorf("no index begins with %s", column)
		}
	}
	var kind, storage string
	must(t, db.QueryRow(t.Context(), `SELECT format_type(atttypid, atttypmod), attstorage::text FROM pg_attribute
		WHERE attrelid = 'message_embeddings'::regclass AND attname = 'vector'`).Scan(&kind, &storage))
	if kind != "halfvec" || storage != "p" {
		t.Errorf("vectors are %s with storage %s, want halfvec inline", kind, storage)
	}
}

func TestSchema_AuditReadsTheEmbeddedTexts(t *testing.T) {
	c, db := auditedArchive(t)
	rows, err := db.Query(t.Context(), `SELECT content_used, provider, dim, used_turn_summary FROM message_embeddings_audit
		JOIN turns USING (id) ORDER BY position`)
	must(t, err)
	defer rows.Close()
	for i := range c.Turns {
		var text, provider string
		var dim int
		var summary bool
		if !rows.Next() {
			t.Fatalf("only %d vectors (%v)", i, rows.Err())
		}
		must(t, rows.Scan(&text, &provider, &dim, &summary))
		if text != c.Turns[i].EmbeddedText() || provider != "p" || dim != 2 || summary {
			t.Errorf("turn %d: %q, %s, %d, %v", i, text, provider, dim, summary)
		}
	}
}

// An archive of schema 3 has no foreign keys, so it may hold vectors that belong to nothing. The upgrade drops those alone.
func TestMigrations_EmbeddingsOfSchema3(t *testing.T) {
	address := pgtest.Database(t)
	s := openAt(t, Options{URL: address})
	c := storetest.Chat(3, "kept")
	must(t, put(t.Context(), s, c))
	one, err := s.Turns(t.Context(), []uuid.UUID{c.Turns[0].ID})
	must(t, err)
	text := one[0].EmbeddedText() // of each of them
	must(t, s.Update(t.Context(), func(tx store.Tx) error {
		g, err := tx.PutGeneration(t.Context(), store.Generation{Provider: "p", Model: "m", Dim: 2, Recipe: 1})
		must(t, err)
		for i := range c.Turns {
			v := store.Vector{Turn: c.Turns[i].ID, Text: text, Values: []float32{3, 4}}
			must(t, tx.PutVectors(t.Context(), g.ID, []store.Vector{v}))
		}
		return tx.Activate(t.Context(), g.ID)
	}))
	must(t, s.withMigrations(func(p *goose.Provider) error { _, err := p.DownTo(t.Context(), 3); return err }))
	changed := s.queryNumber(t, "SELECT max(changed) FROM generations")
	db, err := pgx.Connect(t.Context(), address)
	must(t, err)
	defer db.Close(t.Context())
	for _, bad := range []string{
		"gen_random_uuid(), generation_id, user_message_id, assistant_message_id", // no turn
		"id, 77, user_message_id, assistant_message_id",                           // no generation
		"id, generation_id + 1, gen_random_uuid(), assistant_message_id",          // no question
		"id, generation_id + 2, user_message_id, gen_random_uuid()",               // no reply
	} {
		_, err := db.Exec(t.Context(), `INSERT INTO message_embeddings
			(id, generation_id, user_message_id, assistant_message_id, provider, model, dim, content_hash, used_turn_summary, created_at, vector)
			SELECT `+bad+`, gen_random_uuid()::text, model, dim, content_hash, used_turn_summary, created_at, vector
			FROM message_embeddings WHERE id = $1`, c.Turns[0].ID)
		must(t, err)
	}
	must(t, s.Close())

	s = openAt(t, Options{URL: address})
	if n := s.queryNumber(t, "SELECT count(*) FROM message_embeddings"); n != len(c.Turns) {
		t.Errorf("%d vectors are left, want %d", n, len(c.Turns))
	}
	if n := s.queryNumber(t, "SELECT max(changed) FROM generations"); n <= changed {
		t.Errorf("vector indexes count as current: %d after %d", n, changed)
	}
	always := func(_, _, _ string) bool { return true }
	must(t, store.FillEmbeddedTexts(t.Context(), s, always, nil))
	all, err := s.Embedded(t.Context(), []uuid.UUID{c.Turns[0].ID, c.Turns[1].ID, c.Turns[2].ID})
	must(t, err)
	for i, e := range all {
		if e.Text != text {
			t.Errorf("turn %d: the text is %q", i, e.Text)
		}
	}
}
