package cursor

import (
	"strings"
	"testing"

	"lens/store/ingest/source/sourcetest"
)

const tables = "CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);" +
	"CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);"

func value(table, key, json string) string {
	return "INSERT INTO " + table + " VALUES (" + sourcetest.Quoted(key) + ", " + sourcetest.Quoted(json) + ")"
}

func kv(key, json string) string { return value("cursorDiskKV", key, json) }

const chatOfEditor = `{"composerId":"c1","name":"Masts","createdAt":1775030400000,"lastUpdatedAt":1775030409000,"modelConfig":{"modelName":"claude-x"},
"fullConversationHeadersOnly":[{"bubbleId":"b1","type":1},{"bubbleId":"b2","type":2},{"bubbleId":"b3","type":2},{"bubbleId":"gone","type":1},{"bubbleId":"b1","type":1}]}`

func editor(tb testing.TB) string {
	tb.Helper()
	return sourcetest.Database(tb, tables, kv("composerData:c1", chatOfEditor),
		kv("bubbleId:c1:b1", `{"type":1,"text":"Which wood?","createdAt":"2026-04-01T08:00:01.000Z"}`),
		kv("bubbleId:c1:b2", `{"type":2,"text":"","toolFormerData":{"name":"read_file","result":"secret"}}`),
		kv("bubbleId:c1:b3", `{"type":2,"text":"Spruce.","modelInfo":{"modelName":"gpt-x"}}`),
		kv("bubbleId:c10:b1", `{"type":1,"text":"of another chat"}`),
		kv("composerData:c2", `{"conversation":[{"type":1,"bubbleId":"x","text":"Old?"},{"type":2,"bubbleId":"y","text":"Yes."},7]}`),
		kv("composerData:c3", `{"name":"empty"}`), kv("composerData:c4", "{"),
		value("ItemTable", chatdata, `{"tabs":[{"tabId":"t1","chatTitle":"Tab","bubbles":[{"type":"user","id":"1","rawText":"Older?"},{"type":"ai","id":"2","text":"Yes."}]},{}]}`),
		value("ItemTable", "aiService.prompts", `[]`))
}

func TestDatabase_Chats(t *testing.T) {
	data := editor(t)
	if !sourcetest.Matches(t, &Database, "state.vscdb", data) {
		t.Error("the database does not match")
	}
	all, skipped := sourcetest.Parse(t, &Database, "state.vscdb", data)
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Masts", `2026-04-01T08:00:01Z "Which wood?" -> "Spruce." by gpt-x`,
		"Old?", `undated "Old?" -> "Yes."`,
		"Tab", `undated "Older?" -> "Yes."`,
	})
	sourcetest.Equal(t, skipped, []string{"no messages", "unreadable", "no messages"})
	if n := all[0].Count.Skipped["unreadable message"]; n != 2 {
		t.Errorf("%d messages count as unreadable", n)
	}
}

func TestDatabase_Grown(t *testing.T) {
	before := sourcetest.Database(t, tables, kv("composerData:c", `{"fullConversationHeadersOnly":[{"bubbleId":"1"}]}`), kv("bubbleId:c:1", `{"type":1,"text":"q"}`))
	after := sourcetest.Database(t, tables, kv("composerData:c", `{"fullConversationHeadersOnly":[{"bubbleId":"1"},{"bubbleId":"2"}]}`),
		kv("bubbleId:c:1", `{"type":1,"text":"q"}`), kv("bubbleId:c:2", `{"type":1,"text":"r"}`))
	sourcetest.Grown(t, &Database, "state.vscdb", before, after)
}

func TestDatabase_SharedFixture(t *testing.T) { sourcetest.Fixture(t, &Database, "cursor_db") }

// TestDatabase_MatchesNothingElse tells the state of other editors apart, which has the same tables.
func TestDatabase_MatchesNothingElse(t *testing.T) {
	sourcetest.NoOther(t, &Database, "cursor_db")
	data := sourcetest.Database(t, tables, value("ItemTable", "workbench.panel.chat", "{}"), kv("composer.x", "{}"))
	if sourcetest.Matches(t, &Database, "state.vscdb", data) {
		t.Error("the state of an editor without chats matches")
	}
}

func FuzzDatabase(f *testing.F) {
	sourcetest.FuzzValue(f, &Database, func(tb testing.TB, json string) string {
		return sourcetest.Database(tb, tables, kv("composerData:c1", json), kv("composerData:c2", `{"fullConversationHeadersOnly":[{"bubbleId":"b"}]}`),
			kv("bubbleId:c2:b", json), value("ItemTable", chatdata, json))
	}, chatOfEditor, `{"tabs":[{"bubbles":[{"type":"ai","text":"x"}]}]}`, strings.Repeat("[", 100))
}
