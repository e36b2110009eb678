package input

import "testing"

// TestOpen_SessionsOfTools finds the sessions in the folder of a tool, and nothing else that is in it.
func TestOpen_SessionsOfTools(t *testing.T) {
	session := `{"type":"summary","summary":"x"}` + "\n" + `{"type":"user","message":{"content":"q"}}` + "\n"
	claude := []file{
		{name: "projects/-home-ada/a.jsonl", data: session},
		{name: "projects/-home-ada/a/subagents/workflows/w/agent-1.jsonl", data: session},
		{name: "projects/-home-ada/agent-acompact-1.jsonl", data: session},
		{name: "projects/-home-ada/memory/notes.md", data: "x"},
		{name: "history.jsonl", data: `{"display":"hi","timestamp":1767260000000,"project":"/x","pastedContents":{}}` + "\n"},
		{name: "settings.json", data: `{"model":"opus"}`},
		{name: "todos/a.json", data: `[{"content":"x","status":"pending"}]`},
		{name: ".git/a.jsonl", data: session},
	}
	want := "projects/-home-ada/a.jsonl=claude-code projects/-home-ada/a/subagents/workflows/w/agent-1.jsonl=claude-code"
	if got := listFiles(t, writeFiles(t, claude...)); got != want {
		t.Errorf("got %s", got)
	}
	inHome := []file{{name: ".claude/projects/p/a.jsonl", data: session}, {name: ".cache/p/a.jsonl", data: session}}
	if got := listFiles(t, writeFiles(t, inHome...)); got != ".claude/projects/p/a.jsonl=claude-code" {
		t.Errorf("got %s", got)
	}
}
