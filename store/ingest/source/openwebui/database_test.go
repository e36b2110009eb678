package openwebui

import (
	"strings"
	"testing"

	"lens/store/ingest/source/sourcetest"
)

const table = "CREATE TABLE chat (id TEXT, user_id TEXT, title TEXT, created_at INTEGER, updated_at INTEGER, chat JSON)"

func row(id, chat string) string {
	return "INSERT INTO chat VALUES ('" + id + "', 'u', 'Bread ''n'' \"salt\"', 1775030400, 1775030409, " + sourcetest.Quoted(chat) + ")"
}

const chatInRow = `{"id":"","title":"other","history":{"messages":{
"m1":{"id":"m1","parentId":null,"childrenIds":["m2"],"role":"user","content":"Why salt?","timestamp":1775030401},
"m2":{"id":"m2","parentId":"m1","childrenIds":[],"role":"assistant","content":"For taste.","model":"llama3"}},"currentId":"m2"}}`

func TestDatabase_Chats(t *testing.T) {
	data := sourcetest.Database(t, table, row("c1", chatInRow), row("c2", "{"), row("c3", "{}"))
	if !sourcetest.Matches(t, &Database, "webui.db", data) {
		t.Error("the database does not match")
	}
	all, skipped := sourcetest.Parse(t, &Database, "webui.db", data)
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		`Bread 'n' "salt"`, `2026-04-01T08:00:01Z "Why salt?" -> "For taste." by llama3`,
	})
	sourcetest.Equal(t, skipped, []string{"no messages", "no messages"})
	if all[0].SourceID != "c1" || all[0].Updated.Second() != 9 {
		t.Errorf("got %s, updated %v", all[0].SourceID, all[0].Updated)
	}
}

// TestDatabase_SameAsExport has the ids of an export of the same chat.
func TestDatabase_SameAsExport(t *testing.T) {
	exported, _ := sourcetest.Parse(t, &Format, "chat-export.json", `[{"id":"c1","title":"x","chat":`+chatInRow+`}]`)
	stored, _ := sourcetest.Parse(t, &Database, "webui.db", sourcetest.Database(t, table, row("c1", chatInRow)))
	if exported[0].ID != stored[0].ID || exported[0].Turns[0].ID != stored[0].Turns[0].ID {
		t.Error("the ids differ")
	}
}

func TestDatabase_Grown(t *testing.T) {
	grown := strings.Replace(chatInRow, `"childrenIds":[],`, `"childrenIds":["m3"],`, 1)
	grown = strings.Replace(grown, `}},"currentId":"m2"`, `},"m3":{"id":"m3","parentId":"m2","role":"user","content":"Thanks"}},"currentId":"m3"`, 1)
	sourcetest.Grown(t, &Database, "webui.db", sourcetest.Database(t, table, row("c1", chatInRow)), sourcetest.Database(t, table, row("c1", grown)))
}

func TestDatabase_SharedFixture(t *testing.T) { sourcetest.Fixture(t, &Database, "openwebui_db") }

func TestDatabase_MatchesNothingElse(t *testing.T) { sourcetest.NoOther(t, &Database, "openwebui_db") }

func FuzzDatabase(f *testing.F) {
	sourcetest.FuzzValue(f, &Database, func(tb testing.TB, value string) string {
		return sourcetest.Database(tb, table, row("c1", value))
	}, chatInRow, "[]", `{"history":{"messages":{"a":{"childrenIds":["a"]}}}}`)
}
