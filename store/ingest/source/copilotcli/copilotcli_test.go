package copilotcli

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"lens/store"
	"lens/store/ingest/source/sourcetest"
)

const fixture = "testdata/events.jsonl"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestFormat_Turns(t *testing.T) {
	const q = `{"type":"user.message","data":{"content":"q"}}`
	const a = `{"type":"assistant.message","data":{"content":"a"}}`
	for name, c := range map[string]struct{ lines, want string }{
		"a question and its answer": {q + "\n" + a, "q -> a"},
		"context by its source":     {q + "\n" + a + "\n" + `{"type":"user.message","data":{"content":"x","source":"skill-x"}}`, "q -> a"},
		"context by its beginning":  {q + "\n" + a + "\n" + `{"type":"user.message","data":{"content":" <skill-context>x"}}`, "q -> a"},
		"a mention of context":      {`{"type":"user.message","data":{"content":"What is <skill-context>?"}}`, "What is <skill-context>? -> "},
		"thoughts and tools":        {q + "\n" + `{"type":"assistant.reasoning","data":{"content":"hm"}}` + "\n" + `{"type":"tool.execution_start","data":{"toolName":"x"}}` + "\n" + a, "q -> a"},
		"the same words again":      {q + "\n" + a + "\n" + q + "\n" + a, "q -> a\nq -> a"},
		"odd values":                {q + "\n" + `{"type":3}` + "\n" + `{"type":"tool.x","data":[]}` + "\n" + a, "q -> a"},
	} {
		if got := sourcetest.Turns(sourcetest.Read(t, &Format, "session-state/abc/events.jsonl", c.lines)); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestFormat_Fields(t *testing.T) {
	p := sourcetest.Read(t, &Format, "events.jsonl", sourcetest.File(t, fixture))[0]
	if p.SourceID != "5b1e0000-0000-4000-8000-00000000cccc" || p.Turns[0].Model != "gpt-x" || p.Messages[0].SourceID != "e2" {
		t.Errorf("got %s, %s, %s", p.SourceID, p.Turns[0].Model, p.Messages[0].SourceID)
	}
	if tool := p.Messages[2]; tool.Role != store.Tool || tool.Text != "tension: 3" || tool.Visible {
		t.Errorf("got %q from %s", tool.Text, tool.Role)
	}
	headless := strings.SplitN(sourcetest.File(t, fixture), "\n", 2)[1]
	for name, want := range map[string]string{"session-state/abc-123/events.jsonl": "abc-123", "session-state/abc-123.jsonl": "abc-123"} {
		if got := sourcetest.Read(t, &Format, name, headless)[0].SourceID; got != want {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

func TestFormat_SharedFixture(t *testing.T) { sourcetest.Fixture(t, &Format, "copilot_cli") }

func TestFormat_MatchesNothingElse(t *testing.T) { sourcetest.NoOther(t, &Format, "copilot_cli") }

func TestFormat_GrowsWithTheSession(t *testing.T) {
	sourcetest.Grows(t, &Format, "events.jsonl", sourcetest.File(t, fixture))
}

func FuzzFormat(f *testing.F) {
	sourcetest.Fuzz(f, &Format, "events.jsonl", sourcetest.File(f, fixture))
}
