package perplexity

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"lens/store/ingest/source/sourcetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConversations(t *testing.T) {
	all, _ := sourcetest.Parse(t, &Format, "thread.json", sourcetest.File(t, "testdata/thread.json"))
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Fjords",
		`2026-02-06T22:37:20Z "Longest fjord?" -> "Scoresby Sund [1]." by pplx_pro`,
		`2026-02-06T22:38:20Z "And the deepest?" -> ""`,
	})
	if c := all[0]; c.SourceID != "t1" || c.Count.Skipped["unreadable message"] != 1 {
		t.Errorf("got %s, %+v", c.SourceID, c.Count)
	}
}

const list = `{"metadata":{"thread_title":"Fjords","thread_id":"t1"},"conversations":[{"uuid":"e1","query":"Longest fjord?","answer":"Scoresby Sund.","model":"m","timestamp":"2026-02-06T22:37:20Z"},{"query":"no id","answer":"x"}]}`

func TestConversations_List(t *testing.T) {
	all, _ := sourcetest.Parse(t, &Format, "thread.json", list)
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Fjords",
		`2026-02-06T22:37:20Z "Longest fjord?" -> "Scoresby Sund." by m`,
		`2026-02-06T22:37:20Z "no id" -> "x"`,
	})
}

// TestConversations_UnreadableEntry: what stands before one stays on the path.
func TestConversations_UnreadableEntry(t *testing.T) {
	all, skipped := sourcetest.Parse(t, &Format, "thread.json", `[
		{"entries":[null,{"query_str":"One?"},null,3,{"query_str":"Two?"}]},{"entries":[null]}]`)
	sourcetest.Equal(t, sourcetest.Outline(all), []string{"One?", `undated "One?" -> ""`, `undated "Two?" -> ""`})
	sourcetest.Equal(t, skipped, []string{"no messages"})
	if c := all[0].Count; c.Skipped["unreadable message"] != 3 || c.Nodes != 7 {
		t.Errorf("got %+v", c)
	}
	if all[0].SourceID == "perplexity " || strings.Contains(all[0].SourceID, "dropped") {
		t.Errorf("the thread is called %q", all[0].SourceID)
	}
}

func TestConversations_BehindDamage(t *testing.T) {
	var got []string
	for p, err := range Conversations(strings.NewReader(`[{"entries":[{"query_str":"One?"}]},{"entries":[x,{"query_str":"lost"}]},{"entries":[{"query_str":"Two?"}]}]`)) {
		if err != nil {
			got = append(got, err.Error())
			continue
		}
		got = append(got, p.Turns[0].UserText)
	}
	sourcetest.Equal(t, got, []string{"One?", "Two?", "perplexity: read: invalid JSON after byte 35; 38 bytes were skipped, and the rest was read"})
}

func TestConversations_LeftOut(t *testing.T) {
	_, skipped := sourcetest.Parse(t, &Format, "thread.json", `[{"entries":[]},7]`)
	sourcetest.Equal(t, skipped, []string{"no messages", "no messages"})
}

func TestConversations_Grown(t *testing.T) {
	before := sourcetest.File(t, "testdata/thread.json")
	sourcetest.Grown(t, &Format, "thread.json", before, strings.Replace(before, ", 3\n", `,{"uuid":"e3","query_str":"Why?"}`, 1))
	sourcetest.Grown(t, &Format, "thread.json", list, strings.Replace(list, `]}`, `,{"query":"no id","answer":"x"}]}`, 1))
}

func TestConversations_SharedFixtures(t *testing.T) {
	sourcetest.Fixture(t, &Format, "perplexity_entries")
	sourcetest.Fixture(t, &Format, "perplexity_conversations")
}

func FuzzConversations(f *testing.F) {
	sourcetest.Fuzz(f, &Format, "thread.json", sourcetest.File(f, "testdata/thread.json"), list)
}
