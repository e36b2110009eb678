package geminicli

import (
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"lens/store/ingest/source/sourcetest"
)

const (
	logFile     = "testdata/session-2026-04-01T08-00-5b1e0000.jsonl"
	sessionFile = "testdata/session-2026-04-01T08-00-5b1e0001.json"
	header      = `{"sessionId":"s","projectHash":"p"}` + "\n"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestLog_Session(t *testing.T) {
	all := sourcetest.Read(t, &Log, logFile, sourcetest.File(t, logFile))
	want := "Trim a sail in awk? -> No.\nIn sed? -> \n- a slip -> "
	if got := sourcetest.Turns(all); got != want || all[0].Title != "Sails" || all[0].Turns[0].Model != "gemini-x" {
		t.Errorf("%q: got\n%s", all[0].Title, got)
	}
}

func TestSession_Turns(t *testing.T) {
	all := sourcetest.Read(t, &Session, sessionFile, sourcetest.File(t, sessionFile))
	if got := sourcetest.Turns(all); got != "What is in @log? -> Wind." || all[0].SourceID != "5b1e0001-0000-4000-8000-00000000eeee" {
		t.Errorf("%s: got %s", all[0].SourceID, got)
	}
}

func TestLog_Turns(t *testing.T) {
	const q, a = `{"id":"1","type":"user","content":"q"}` + "\n", `{"id":"2","type":"gemini","content":"a"}` + "\n"
	for name, c := range map[string]struct{ lines, want string }{
		"a message that grows":       {q + `{"id":"2","type":"gemini","content":"It"}` + "\n" + `{"id":"2","type":"gemini","content":"It is"}`, "q -> It is"},
		"words before they were put": {`{"id":"1","type":"user","content":"q and a file","displayContent":"q"}` + "\n" + a, "q -> a"},
		"context of the session":     {`{"id":"0","type":"user","content":"<session_context>x</session_context>"}` + "\n" + q + a, "q -> a"},
		"context before the words":   {`{"id":"0","type":"user","content":"<session_context>x</session_context>q"}` + "\n" + a, "q -> a"},
		"a mention of context":       {`{"id":"0","type":"user","content":"Why <session_context>?"}`, "Why <session_context>? -> "},
		"files that were referenced": {`{"id":"0","type":"user","content":["q","--- Content from referenced files ---","x"]}` + "\n" + a, "q -> a"},
		"notices":                    {q + `{"id":"3","type":"info","content":"x"}` + "\n" + a, "q -> a"},
		"a rewind to an unknown one": {q + a + `{"$rewindTo":"zz"}` + "\n" + `{"id":"5","type":"user","timestamp":"2026-04-01T08:00:01.000Z","content":"new"}`, "new -> \n- q -> a"},
		"an id again after a rewind": {q + a + `{"$rewindTo":"2"}` + "\n" + `{"id":"2","type":"gemini","content":"b"}`, "q -> b\n- q -> a"},
		"messages without ids":       {`{"type":"user","content":"q"}` + "\n" + `{"type":"user","content":"q"}`, "q -> \nq -> "},
		"content of the wrong kind":  {`{"id":"1","type":"user","content":7}` + "\n" + `{"id":"3","type":"user","content":"q"}`, "q -> "},
		"a subagent":                 {`{"$set":{"kind":"subagent"}}` + "\n" + q + a, ""},
	} {
		if got := sourcetest.Turns(sourcetest.Read(t, &Log, "a.jsonl", header+c.lines)); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestSession_Unreadable(t *testing.T) {
	_, skipped := sourcetest.Parse(t, &Session, "a.json", `[{"messages":[{}]},{"sessionId":"s","messages":[]},null]`)
	if fmt.Sprint(skipped) != "[no id no messages null]" {
		t.Errorf("got %v", skipped)
	}
	all, _ := sourcetest.Parse(t, &Session, "a.json", `{"sessionId":"s","messages":[3,{"type":"user","content":"q"}]}`)
	if all[0].Count.Skipped["unreadable message"] != 1 || len(all[0].Turns) != 1 {
		t.Errorf("got %v", all[0].Count.Skipped)
	}
}

func TestFormats_SharedFixtures(t *testing.T) {
	sourcetest.Fixture(t, &Session, "gemini_cli")
	sourcetest.Fixture(t, &Log, "gemini_cli_jsonl")
}

func TestFormats_MatchNothingElse(t *testing.T) {
	sourcetest.NoOther(t, &Session, "gemini_cli")
	sourcetest.NoOther(t, &Log, "gemini_cli_jsonl")
	if sourcetest.Matches(t, &Session, "logs.json", `[{"sessionId":"s","messageId":0,"type":"user","message":"q"}]`) {
		t.Error("a list of prompts matches")
	}
}

func TestLog_GrowsWithTheSession(t *testing.T) {
	sourcetest.Grows(t, &Log, logFile, sourcetest.File(t, logFile))
}

func FuzzLog(f *testing.F) {
	sourcetest.Fuzz(f, &Log, "a.jsonl", sourcetest.File(f, logFile), header+`{"$rewindTo":""}`)
}

func FuzzSession(f *testing.F) {
	sourcetest.Fuzz(f, &Session, "a.json", sourcetest.File(f, sessionFile))
}
