package goose

import (
	"fmt"
	"testing"

	"lens/store/ingest/source/sourcetest"
)

const tables = "CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, description TEXT, created_at TIMESTAMP, session_type TEXT);" +
	"CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER, metadata_json TEXT);"

func session(id, name, kind string) string {
	return fmt.Sprintf("INSERT INTO sessions VALUES ('%s', '%s', 'a description', '2026-04-01 08:00:00', '%s')", id, name, kind)
}

func said(session, role, content, metadata string) string {
	return fmt.Sprintf("INSERT INTO messages (session_id, role, content_json, created_timestamp, metadata_json) VALUES ('%s', '%s', %s, 1775030400, '%s')",
		session, role, sourcetest.Quoted(content), metadata)
}

func text(words string) string { return `[{"type":"text","text":"` + words + `"}]` }

func TestDatabase_Sessions(t *testing.T) {
	data := sourcetest.Database(t, tables, session("20260401_1", "Swans", "user"), session("20260401_2", "", "sub_agent"), session("3", "x", ""),
		said("20260401_1", "user", text("Do swans sleep?"), ""), said("20260401_1", "user", text("a reminder"), `{"userVisible":false}`),
		said("20260401_1", "assistant", text("They do."), ""), said("20260401_1", "user", "{", ""),
		said("20260401_2", "user", text("a task"), ""), said("20260401_2", "assistant", text("Done."), ""))
	if !sourcetest.Matches(t, &Database, "sessions.db", data) || sourcetest.Matches(t, &Log, "sessions.db", data) {
		t.Error("a database is taken for a log, or for neither")
	}
	all, skipped := sourcetest.Parse(t, &Database, "sessions.db", data)
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Swans", `2026-04-01T08:00:00Z "Do swans sleep?" -> "They do."`,
		"a description", `2026-04-01T08:00:00Z "" -> "Done."`,
	})
	sourcetest.Equal(t, skipped, []string{"no messages"})
	if n := all[0].Count.Skipped["unreadable message"]; n != 1 {
		t.Errorf("%d messages count as unreadable", n)
	}
}

// TestDatabase_TakesOverLogs has the messages of a log that a later release took into its database.
func TestDatabase_TakesOverLogs(t *testing.T) {
	log := `{"working_dir":"/x","description":"Swans"}` + "\n" + `{"role":"user","created":1775030400,"content":` + text("Do swans sleep?") + "}\n"
	data := sourcetest.Database(t, tables, session("20260401_080000", "Swans", "user"), said("20260401_080000", "user", text("Do swans sleep?"), ""))
	was, _ := sourcetest.Parse(t, &Log, "20260401_080000.jsonl", log)
	is, _ := sourcetest.Parse(t, &Database, "sessions.db", data)
	if was[0].ID != is[0].ID || was[0].Turns[0].ID != is[0].Turns[0].ID {
		t.Errorf("turn %s became %s", was[0].Turns[0].ID, is[0].Turns[0].ID)
	}
}

func TestDatabase_SharedFixture(t *testing.T) { sourcetest.Fixture(t, &Database, "goose_db") }

func TestDatabase_MatchesNothingElse(t *testing.T) { sourcetest.NoOther(t, &Database, "goose_db") }

func FuzzDatabase(f *testing.F) {
	sourcetest.FuzzValue(f, &Database, func(tb testing.TB, value string) string {
		return sourcetest.Database(tb, tables, session("1", "x", "user"), said("1", "user", value, ""), said("1", "assistant", value, ""))
	}, text("a"), `[{"type":"toolResponse","toolResult":{"value":[]}}]`)
}
