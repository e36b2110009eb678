package grok

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"lens/store/ingest/source/sourcetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const name = "prod-grok-backend.json"

func TestConversations(t *testing.T) {
	all, skipped := sourcetest.Parse(t, &Format, name, sourcetest.File(t, "testdata/"+name))
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Kites",
		`2026-05-01T10:00:01Z "Why a tail?" -> "For balance.\n\n| a |" by grok-4`,
		`2026-05-01T10:00:20Z "[file: asset-7]" -> "[image]" by grok-4`,
		`off 2026-05-01T10:00:01Z "Why a tail?" -> "For drag." by grok-3`,
		`off 2026-05-01T10:01:30Z "And without?" -> ""`,
		"Leaves",
		`2025-06-21T19:28:21Z "Why green?" -> "Chlorophyll, if 1 < 2." by grok-2`,
		`off 2025-06-21T19:28:21Z "no id" -> ""`,
		`off 2025-06-21T19:28:21Z "Why green?" -> "Magic." by grok-2`,
	})
	sourcetest.Equal(t, skipped, []string{"no messages", "no id", "not an object", "no text"})
	if c := all[1].Count; c.Skipped["unreadable message"] == 0 || c.Nodes != 6 {
		t.Errorf("got %+v", c)
	}
}

// TestConversations_UnreadableResponse: what stands before one stays on the path.
func TestConversations_UnreadableResponse(t *testing.T) {
	all, _ := sourcetest.Parse(t, &Format, name, `[{"conversation":{"id":"c","title":"C"},"responses":[
		{"response":{"_id":"r1","message":"One?","sender":"human"}},3,null,{"response":{"message":"Two?","sender":"human"}}]}]`)
	sourcetest.Equal(t, sourcetest.Outline(all), []string{"C", `undated "One?" -> ""`, `undated "Two?" -> ""`})
	if c := all[0].Count; c.Skipped["unreadable message"] != 2 {
		t.Errorf("got %+v", c)
	}
}

// TestConversations_Beside: what Grok keeps beside the chats derives from conversations without turns.
func TestConversations_Beside(t *testing.T) {
	const beside = `"projects":[{"id":"p1","name":"Sea","custom_personality":"Talk like a pirate."},{"id":"p2","name":"Bare"},{"custom_personality":""}],
		"tasks":[{"id":"t1","name":"News","prompt":"Tell me the news."}],"other":[],"media_posts":[
		{"id":"m1","original_prompt":"A wave.","media_type":"image","create_time":"2026-06-16T01:30:51Z"},
		{"id":"m2","media_type":"video"},{"original_prompt":"A heron."}]}`
	for _, before := range []string{
		`{"conversations":[{"conversation":{"id":"c"},"responses":[{"_id":"r","message":"Hi","sender":"human"}]}],`,
		`{"conversations":[],`,
	} {
		if !sourcetest.Matches(t, &Format, name, before+beside) {
			t.Errorf("%s is not Grok's", before)
		}
		all, skipped := sourcetest.Parse(t, &Format, name, before+beside)
		sourcetest.Equal(t, sourcetest.Derived(all), []string{
			`project text "Sea · instructions" text/markdown: "Talk like a pirate."`,
			`prompt text "Picture by Grok" : "A wave."`,
			`prompt text "Picture or video by Grok" : "A heron."`,
		})
		sourcetest.Equal(t, skipped, []string{"no text", "no text", "of a kind that Lens does not keep", "no text"})
		for _, p := range all[len(all)-3:] {
			if len(p.Turns) > 0 {
				t.Errorf("%s has turns", p.Title)
			}
		}
	}
}

// A chat in a layout that Lens does not know is none of what is beside the chats.
func TestConversations_Unknown(t *testing.T) {
	_, skipped := sourcetest.Parse(t, &Format, name, `{"conversations":[{"id":"c","title":"Sea","messages":[]},{}],"media_posts":[]}`)
	sourcetest.Equal(t, skipped, []string{"neither messages nor a prompt", "neither messages nor a prompt"})
}

func TestConversations_Grown(t *testing.T) {
	before := sourcetest.File(t, "testdata/"+name)
	after := strings.Replace(before, `"sender":"human","parent_response_id":"q2"}`,
		`"sender":"human","parent_response_id":"q2"},{"message":"no id","sender":"human","parent_response_id":"q2"}`, 1)
	sourcetest.Grown(t, &Format, name, before, after)
}

func TestConversations_SharedFixtures(t *testing.T) {
	sourcetest.Fixture(t, &Format, "grok")
	sourcetest.Fixture(t, &Format, "grok_2025")
}

func FuzzConversations(f *testing.F) {
	sourcetest.Fuzz(f, &Format, name, sourcetest.File(f, "testdata/"+name),
		`{"conversations":[],"projects":[{"custom_personality":{}},{"custom_personality":"\ud800"}],"media_posts":[{"original_prompt":"a"}]}`,
		`[{"conversation":{"id":{"$oid":"x"}},"responses":[{"_id":{"$oid":"a"},"parent_response_id":"a"},{"create_time":{"$date":{}}}]}]`)
}
