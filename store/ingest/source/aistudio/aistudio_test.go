package aistudio

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"lens/store/ingest/source/sourcetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestRead(t *testing.T) {
	all, _ := sourcetest.Parse(t, &Format, "Drive/Candles", sourcetest.File(t, "testdata/Candles.json"))
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Candles",
		`2025-11-02T10:00:00Z "How hot is wax?" -> "60 degrees.\n\nCareful." by gemini-2.5-pro`,
		`2025-11-02T10:00:00Z "[file: image 2img]" -> "A candle." by gemini-2.5-pro`,
		`2025-11-02T10:00:00Z "How hot is wax?" -> "" by gemini-2.5-pro`,
	})
	if m := all[0].Messages[0]; m.Text != "Be brief." || m.Visible {
		t.Errorf("the instruction: %q", m.Text)
	}
}

func TestRead_NamesAndFirstWordsTellChatsApart(t *testing.T) {
	chat := func(words string) string {
		return `{"chunkedPrompt":{"chunks":[{"role":"user","text":"` + words + `"}]}}`
	}
	same := map[string]string{}
	for _, c := range []struct{ name, words string }{{"a/Tea", "x"}, {"b/Tea.json", "x"}, {"Tea", "y"}, {"Branch of Tea", "x"}} {
		all, _ := sourcetest.Parse(t, &Format, c.name, chat(c.words))
		same[all[0].ID.String()] += c.name + " "
	}
	if len(same) != 3 {
		t.Errorf("got %v", same)
	}
}

// TestRead_Pipe: a chat that came through a pipe has no title of its own.
func TestRead_Pipe(t *testing.T) {
	all, _ := sourcetest.Parse(t, &Format, "", `{"chunkedPrompt":{"chunks":[{"role":"user","text":"x"}]}}`)
	if all[0].Title != "x" {
		t.Errorf("got %q", all[0].Title)
	}
}

func TestRead_UnreadableChunks(t *testing.T) {
	all, _ := sourcetest.Parse(t, &Format, "Tea", `{"systemInstruction":{"text":"s"},"chunkedPrompt":{"chunks":[3,
		{"role":"user","text":"x"},null,{"role":"model","text":"y"},[]]}}`)
	sourcetest.Equal(t, sourcetest.Outline(all), []string{"Tea", `undated "x" -> "y"`})
	if c := all[0].Count; c.Skipped["unreadable message"] != 3 || c.Nodes != 6 {
		t.Errorf("got %+v", c)
	}
}

func TestRead_LeftOut(t *testing.T) {
	_, skipped := sourcetest.Parse(t, &Format, "x", `[{"chunkedPrompt":{}},{"chunkedPrompt":{"chunks":3}},7]`)
	sourcetest.Equal(t, skipped, []string{"no messages", "no messages", "not an object"})
	if all, _ := sourcetest.Parse(t, &Format, "x", `{"chunkedPrompt":{"chunks":[]}}`); len(all) != 1 || len(all[0].Messages) != 0 {
		t.Errorf("an empty chat became %d", len(all))
	}
}

func TestRead_Grown(t *testing.T) {
	before := sourcetest.File(t, "testdata/Candles.json")
	after := strings.Replace(before, ", 7\n", `,{"text":"Still 60.","role":"model"}`, 1)
	sourcetest.Grown(t, &Format, "Candles", before, after)
}

func TestRead_SharedFixture(t *testing.T) { sourcetest.Fixture(t, &Format, "aistudio") }

func FuzzRead(f *testing.F) {
	sourcetest.Fuzz(f, &Format, "Candles", sourcetest.File(f, "testdata/Candles.json"))
}
