package deepseek

import (
	"maps"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"lens/store/ingest/source/sourcetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConversations(t *testing.T) {
	all, skipped := sourcetest.Parse(t, &Format, "conversations.json", sourcetest.File(t, "testdata/conversations.json"))
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Tide pools",
		`2025-05-01T02:00:01Z "What lives in a tide pool?" -> "Anemones\n\nand more [citation:1]." by deepseek-reasoner`,
		`2025-05-01T02:02:00Z "[file: pool.jpg]" -> "A starfish." by deepseek-reasoner`,
		`off 2025-05-01T02:00:01Z "What lives in a tide pool?" -> "Crabs." by deepseek-chat`,
		`off 2025-05-01T02:09:00Z "Which crabs?" -> ""`,
		"odd \uFFFD fields",
		`undated "odd ` + "\uFFFD" + ` fields" -> ""`,
	})
	sourcetest.Equal(t, skipped, []string{"null", "no messages", "no id"})
	if c := all[0]; !maps.Equal(c.Count.UnknownContent, map[string]int{"HOLOGRAM": 1}) || c.Updated.Hour() != 3 || c.SourceID != c.ID.String() {
		t.Errorf("got %v, updated %v", c.Count.UnknownContent, c.Updated)
	}
	if c := all[1].Count; !maps.Equal(c.Skipped, map[string]int{"unreadable node": 1, "unreadable message": 1}) || c.Scrubbed != 1 {
		t.Errorf("got %+v", c)
	}
}

const saved = `{"code":0,"data":{"biz_data":{"chat_session":{"id":"s1","title":"Kites","inserted_at":1746000000.5,"updated_at":1746000100},
"chat_messages":[{"message_id":1,"parent_id":null,"role":"USER","content":"Why a tail?","inserted_at":1746000001},
{"message_id":2,"parent_id":1,"role":"ASSISTANT","content":"For balance.","thinking_content":"drag","inserted_at":1746000002},3]}}}`

func TestConversations_SavedByAnExtension(t *testing.T) {
	all, _ := sourcetest.Parse(t, &Format, "chat.json", saved)
	sourcetest.Equal(t, sourcetest.Outline(all), []string{"Kites", `2025-04-30T08:00:01Z "Why a tail?" -> "For balance."`})
}

func TestConversations_WithoutIDs(t *testing.T) {
	all, _ := sourcetest.Parse(t, &Format, "chat.json", `{"data":{"biz_data":{"chat_session":{"id":"c","title":"C"},
		"chat_messages":[null,{"role":"USER","content":"One?"},3,{"role":"ASSISTANT","content":"Yes."}]}}}`)
	if c := all[0]; len(c.Messages) != 2 || c.Count.Skipped["unreadable message"] != 2 {
		t.Errorf("got %d messages, %v", len(c.Messages), c.Count.Skipped)
	}
}

func TestConversations_Grown(t *testing.T) {
	export := sourcetest.File(t, "testdata/conversations.json")
	grown := strings.Replace(export, `"5":{"id":"5","parent":"4","children":[]`,
		`"7":{"id":"7","parent":"5","children":[],"message":{"fragments":[{"type":"REQUEST","content":"Thanks"}]}},"5":{"id":"5","parent":"4","children":["7"]`, 1)
	sourcetest.Grown(t, &Format, "conversations.json", export, grown)
}

func TestConversations_SharedFixture(t *testing.T) { sourcetest.Fixture(t, &Format, "deepseek") }

func FuzzConversations(f *testing.F) {
	sourcetest.Fuzz(f, &Format, "conversations.json", sourcetest.File(f, "testdata/conversations.json"), saved,
		`[{"id":"x","mapping":{"1":{"parent":"2","children":["2"],"message":{"fragments":[]}},"2":{"parent":"1"}}}]`)
}
