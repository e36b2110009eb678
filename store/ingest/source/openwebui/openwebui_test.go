package openwebui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"lens/store"
	"lens/store/ingest/source/sourcetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const name = "chat-export-1746000000000.json"

func TestConversations(t *testing.T) {
	all, skipped := sourcetest.Parse(t, &Format, name, sourcetest.File(t, "testdata/"+name))
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Bread",
		`2025-04-30T08:00:01Z "Why does bread rise?" -> "Yeast, if 1 < 2." by llama3`,
		`2025-04-30T08:00:04Z "[file: crumb.txt]\n[file: empty.pdf]" -> "An open\n\ncrumb." by llama3`,
		`off 2025-04-30T08:00:01Z "Why does bread rise?" -> "Magic." by qwen3`,
		`off 2025-04-30T08:00:06Z "Really?" -> "" by llama3`,
		"Dangling",
		`2025-04-30T08:00:00Z "One?" -> "Yes."`,
		`off 2025-04-30T08:00:00Z "One?" -> "No."`,
		"Only a list",
		`undated "Two?" -> "Yes."`,
	})
	sourcetest.Equal(t, skipped, []string{"no messages", "no messages"})
	if c := all[0]; c.SourceID != c.ID.String() || c.Updated.Minute() != 15 || len(c.Messages) != 6 {
		t.Errorf("got %s, updated %v, %d messages", c.SourceID, c.Updated, len(c.Messages))
	}
	if c := all[2].Count; c.Skipped["unreadable message"] != 1 {
		t.Errorf("got %+v", c)
	}
}

func TestDerive(t *testing.T) {
	var got []string
	all, _ := sourcetest.Parse(t, &Format, name, sourcetest.File(t, "testdata/"+name))
	for _, p := range all {
		for _, d := range p.Derived {
			of := slices.IndexFunc(p.Turns, func(turn store.Turn) bool { return turn.ID == d.Turn })
			got = append(got, fmt.Sprintf("%s %s %q of %q: %s", d.Kind, d.Key, d.Title, p.Turns[of].AssistantText, d.Text))
		}
	}
	sourcetest.Equal(t, got, []string{
		`attachment m4/0 "crumb.txt" of "An open\n\ncrumb.": Holes as large as a thumb.`,
		`attachment m4/2 "oven.md" of "An open\n\ncrumb.": # Oven`,
	})
}

func TestConversations_ListWithoutIDs(t *testing.T) {
	const list = `[{"chat":{"title":"List","messages":[{"role":"user","content":"One?"},{"role":"assistant","content":"Yes."},
		3,{"role":"user","content":"Two?"},{"id":"m","role":"assistant","content":"No."}]}},{"chat":{"messages":[3]}}]`
	all, skipped := sourcetest.Parse(t, &Format, name, list)
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"List",
		`undated "One?" -> "Yes."`,
		`undated "Two?" -> "No."`,
	})
	sourcetest.Equal(t, skipped, []string{"no messages"})
	sourcetest.Grown(t, &Format, name, list, strings.Replace(list, `"No."}`, `"No."},{"role":"user","content":"One?"}`, 1))
}

func TestConversations_Grown(t *testing.T) {
	before := sourcetest.File(t, "testdata/"+name)
	after := strings.Replace(before, `"m5":{"id":"m5","parentId":"m4","childrenIds":[]`,
		`"m7":{"id":"m7","parentId":"m5","childrenIds":[],"role":"user","content":"Thanks"},"m5":{"id":"m5","parentId":"m4","childrenIds":["m7"]`, 1)
	sourcetest.Grown(t, &Format, name, before, after)
}

func TestConversations_SharedFixture(t *testing.T) { sourcetest.Fixture(t, &Format, "openwebui") }

func FuzzConversations(f *testing.F) {
	sourcetest.Fuzz(f, &Format, name, sourcetest.File(f, "testdata/"+name),
		`{"history":{"messages":{"a":{"parentId":"b","childrenIds":["b"]},"b":{"parentId":"a"},"":{}}}}`)
}
