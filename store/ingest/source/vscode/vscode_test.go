package vscode

import (
	"fmt"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"lens/internal/testenv"
	"lens/store/ingest/source/sourcetest"
)

const (
	logFile     = "testdata/1f0e.jsonl"
	sessionFile = "testdata/1f0d.json"
	header      = `{"kind":0,"v":{"sessionId":"s","requests":[{"requestId":"r","message":{"text":"q"},"response":[{"value":"a"}]}]}}` + "\n"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSession_Turns(t *testing.T) {
	all := sourcetest.Read(t, &Session, sessionFile, sourcetest.File(t, sessionFile))
	p := all[0]
	if got := sourcetest.Turns(all); got != "Which rope? -> Hemp." || p.Title != "Ropes" || p.SourceID != "1f0d" || p.Turns[0].Model != "gpt-x" {
		t.Errorf("%s %q: got %s", p.SourceID, p.Title, got)
	}
	exported := strings.Replace(sourcetest.File(t, sessionFile), `"sessionId":"1f0d",`, "", 1)
	if got := sourcetest.Read(t, &Session, "chat.json", exported)[0].SourceID; got != "request_1" {
		t.Errorf("an exported chat: got %s", got)
	}
}

func TestLog_Turns(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"the fixture":                 {sourcetest.File(t, logFile), "Which knot? -> A bowline, see `knots.md`.\nAnd then? -> "},
		"a member is set":             {header + `{"kind":1,"k":["requests",0,"message","text"],"v":"w"}`, "w -> a"},
		"a list is extended":          {header + `{"kind":2,"k":["requests",0,"response"],"v":[{"value":"b"}]}`, "q -> ab"},
		"a list is cut and extended":  {header + `{"kind":2,"k":["requests",0,"response"],"i":0,"v":[{"value":"b"}]}`, "q -> b"},
		"a member is removed":         {header + `{"kind":3,"k":["requests",0,"response"]}`, "q -> "},
		"all is replaced":             {header + header, "q -> a"},
		"a place that is not there":   {header + `{"kind":1,"k":["requests",9,"message"],"v":1}` + "\n" + `{"kind":1,"k":["requests","x"],"v":1}` + "\n" + `{"kind":2,"k":[0],"v":[1]}`, "q -> a"},
		"a line without a kind":       {header + `{"v":null}` + "\n" + `{"v":{"requests":[]},"k":["requests"]}` + "\n{}", "q -> a"},
		"a change of an unknown kind": {header + `{"kind":9,"k":["requests"],"v":1}` + "\n" + `{"kind":"x"}`, "q -> a"},
	} {
		if got := sourcetest.Turns(sourcetest.Read(t, &Log, "a.jsonl", c.text)); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestSession_Unreadable(t *testing.T) {
	_, skipped := sourcetest.Parse(t, &Session, "a.json", `[{"requests":[]},{"requests":[{"message":"q"}]}]`)
	if fmt.Sprint(skipped) != "[no messages no id]" {
		t.Errorf("got %v", skipped)
	}
	all, _ := sourcetest.Parse(t, &Session, "a.json", `{"sessionId":"s","requests":[3,{"message":"q","response":["a"]}]}`)
	if all[0].Count.Skipped["unreadable message"] != 1 || sourcetest.Turns(all) != "q -> a" {
		t.Errorf("got %v", all[0].Count.Skipped)
	}
}

// TestSession_SharedFixture: the name of a file in the answer may be there or not.
func TestSession_SharedFixture(t *testing.T) {
	path := testenv.Shared(t, "exports/sources/vscode_copilot/workspaceStorage/abc/chatSessions/1f0d.json")
	all := sourcetest.Read(t, &Session, "1f0d.json", sourcetest.File(t, path))
	if got := sourcetest.Turns(all); got != "Explain this regex -> It matches `b.js` twice." || all[0].Title != "Regex" {
		t.Errorf("%q: got %s", all[0].Title, got)
	}
}

func TestLog_SharedFixture(t *testing.T) { sourcetest.Fixture(t, &Log, "vscode_copilot_jsonl") }

func TestFormats_MatchNothingElse(t *testing.T) {
	sourcetest.NoOther(t, &Session, "vscode_copilot")
	sourcetest.NoOther(t, &Log, "vscode_copilot_jsonl")
}

func TestLog_GrowsWithTheSession(t *testing.T) {
	sourcetest.Grows(t, &Log, logFile, sourcetest.File(t, logFile))
}

func FuzzSession(f *testing.F) {
	sourcetest.Fuzz(f, &Session, "a.json", sourcetest.File(f, sessionFile))
}

func FuzzLog(f *testing.F) {
	sourcetest.Fuzz(f, &Log, "a.jsonl", sourcetest.File(f, logFile), header+`{"kind":2,"k":[],"v":[1]}`, header+`{"kind":3,"k":[]}`)
}
