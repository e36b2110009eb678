package claude

import (
	"strings"
	"testing"

	"lens/store/ingest/source/sourcetest"
)

const designFile = "testdata/design_chat.json"

func TestDesign(t *testing.T) {
	data := sourcetest.File(t, designFile)
	if !sourcetest.Matches(t, &Design, "d1.json", data) {
		t.Error("the chat does not match")
	}
	all, skipped := sourcetest.Parse(t, &Design, "d1.json", data)
	sourcetest.Equal(t, skipped, nil)
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Menu",
		`2026-06-01T10:00:00Z "Draw a menu." -> "I begin with the tea."`,
		`2026-06-01T10:00:05Z "In green, please." -> "It is green now."`,
		`2026-06-01T10:01:00Z "[attachment]" -> ""`,
	})
	sourcetest.Equal(t, sourcetest.Derived(all), []string{
		`attachment 20000000-0000-4000-8000-000000000011/0 "" text: "Tea, bread, soup."`,
		`attachment 20000000-0000-4000-8000-000000000013/0 "" text: "Two pages."`,
	})
	if c := all[0].Count; c.UnknownContent["attachment that is not text"] != 1 || c.Skipped["unreadable message"] != 1 {
		t.Errorf("got %+v", c)
	}
}

func TestDesign_Skipped(t *testing.T) {
	_, skipped := sourcetest.Parse(t, &Design, "d1.json",
		`[{"uuid":"a","project":{}},{"project":{},"messages":[{"content":{"content":"a"}}]}]`)
	sourcetest.Equal(t, skipped, []string{"no messages", "no id"})
}

func TestDesign_Grown(t *testing.T) {
	after := sourcetest.File(t, designFile)
	before := strings.Replace(after, `{"uuid":"20000000-0000-4000-8000-000000000013"`, `7]} {"x"`, 1)
	before, _, _ = strings.Cut(before, ` {"x"`)
	sourcetest.Grown(t, &Design, "d1.json", before, after)
}

func FuzzDesign(f *testing.F) {
	sourcetest.Fuzz(f, &Design, "d1.json", sourcetest.File(f, designFile),
		`{"uuid":"x","project":{},"messages":[{"uuid":"a","content":{"role":"assistant","contentBlocks":[{"user_interjection":{"message":"\ud800"}},"a",{"text":"b"}]}},{"uuid":"a","content":{}}]}`)
}
