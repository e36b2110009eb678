package pi

import (
	"testing"

	"go.uber.org/goleak"

	"lens/store"
	"lens/store/ingest/source/sourcetest"
)

const (
	fixture = "testdata/2026-04-01_5b1e.jsonl"
	header  = `{"type":"session","id":"s","timestamp":"2026-04-01T08:00:00Z"}` + "\n"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestFormat_Session(t *testing.T) {
	all := sourcetest.Read(t, &Format, fixture, sourcetest.File(t, fixture))
	want := "Which rope floats? -> Polypropylene.\nDoes it rot? -> No.\n- Does it rto? -> "
	p := all[0]
	if got := sourcetest.Turns(all); got != want || p.Title != "Ropes" || p.Turns[0].Model != "claude-x" {
		t.Errorf("%q by %q: got\n%s", p.Title, p.Turns[0].Model, got)
	}
	if tool := p.Messages[2]; p.SourceID != "5b1e0000-0000-4000-8000-00000000dddd" || tool.Role != store.Tool || tool.Visible {
		t.Errorf("%s: got %q from %s", p.SourceID, tool.Text, tool.Role)
	}
}

func TestFormat_Turns(t *testing.T) {
	for name, c := range map[string]struct{ lines, want string }{
		"records without parents":    {`{"type":"message","message":{"role":"user","content":"q"}}` + "\n" + `{"type":"message","message":{"role":"assistant","content":"a"}}`, "q -> a"},
		"the same words again":       {`{"type":"message","message":{"role":"user","content":"q"}}` + "\n" + `{"type":"message","message":{"role":"user","content":"q"}}`, "q -> \nq -> "},
		"a parent that is gone":      {`{"type":"message","id":"1","message":{"role":"user","content":"q"}}` + "\n" + `{"type":"message","id":"2","parentId":"x","message":{"role":"assistant","content":"a"}}`, "q -> a"},
		"its own parent":             {`{"type":"message","id":"1","parentId":"1","message":{"role":"user","content":"q"}}`, "q -> "},
		"a record that comes twice":  {`{"type":"message","id":"1","message":{"role":"user","content":"q"}}` + "\n" + `{"type":"message","id":"1","parentId":"1","message":{"role":"user","content":"q"}}`, "q -> "},
		"a command of the person's":  {`{"type":"message","message":{"role":"bashExecution","command":"ls","output":"x"}}` + "\n" + `{"type":"message","message":{"role":"user","content":"q"}}`, "q -> "},
		"content of the wrong kind":  {`{"type":"message","message":{"role":"user","content":3}}` + "\n" + `{"type":"message","message":{"role":"user","content":"q"}}`, "q -> "},
		"the first question changed": {`{"type":"message","id":"1","parentId":null,"message":{"role":"user","content":"old"}}` + "\n" + `{"type":"message","id":"2","parentId":null,"message":{"role":"user","content":"new"}}`, "new -> \n- old -> "},
	} {
		if got := sourcetest.Turns(sourcetest.Read(t, &Format, "a.jsonl", header+c.lines)); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestFormat_MatchesNothingElse(t *testing.T) {
	sourcetest.NoOther(t, &Format, "pi")
	if sourcetest.Matches(t, &Format, "a.jsonl", `{"type":"message","message":{"role":"user","content":"q"}}`+"\n") {
		t.Error("a log without a session matches")
	}
}

func TestFormat_GrowsWithTheSession(t *testing.T) {
	sourcetest.Grows(t, &Format, fixture, sourcetest.File(t, fixture))
}

func FuzzFormat(f *testing.F) {
	sourcetest.Fuzz(f, &Format, "a.jsonl", sourcetest.File(f, fixture), header+`{"type":"message","id":"1","parentId":"1","message":{}}`)
}
