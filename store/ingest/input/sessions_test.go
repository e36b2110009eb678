package input

import (
	"strings"
	"sync"
	"testing"

	"lens/store/ingest/source"
)

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

// TestOpen_FilesWithTheSame reads of a task of Cline what has more, and a history that is hidden.
func TestOpen_FilesWithTheSame(t *testing.T) {
	words := `[{"ts":1,"type":"say","say":"task","text":"q"}]`
	requests := `[{"role":"user","content":"<task>q</task>"}]`
	files := []file{
		{name: "tasks/1/ui_messages.json", data: words},
		{name: "tasks/1/api_conversation_history.json", data: requests},
		{name: "tasks/2/api_conversation_history.json", data: requests},
		{name: "repo/.aider.chat.history.md", data: "# aider chat started at 2026-04-01 08:00:00\n\n#### q  \n"},
		{name: "repo/.aider.tags.cache/.aider.chat.history.md", data: "# aider chat started at 2026-04-01 08:00:00\n"},
		{name: "repo/.aider.input.history", data: "+q\n"},
	}
	want := "repo/.aider.chat.history.md=aider tasks/1/ui_messages.json=cline tasks/2/api_conversation_history.json=cline"
	for name, path := range map[string]string{
		"folder": writeFiles(t, files...), "zip": writeFile(t, "e.zip", zipped(t, files...)),
	} {
		got := strings.ReplaceAll(listFiles(t, path), "e.zip/", "")
		if a, err := Open(t.Context(), path, ""); got != want || err != nil || a.Unread.String() != "" {
			t.Errorf("%s: got %s, %v", name, got, err)
		} else {
			a.Close()
		}
	}
}

// What a program keeps in a hidden folder is found in the folder of a person, whatever the program.
func TestIsHidden_FoldersOfTools(t *testing.T) {
	for name, want := range map[string]bool{
		".claude/projects/p/a.jsonl": false, ".codex/sessions/a.jsonl": false, ".copilot/a.jsonl": false,
		".cursor/projects/a.jsonl": false, ".gemini/a.json": false, ".pi/agent/a.jsonl": false,
		".aws/config.json": true, ".claude/.secret/a.jsonl": true,
	} {
		if got := isHidden(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	formats = append(formats, &source.Format{Matches: func(*source.Sample) bool { return false }, Kept: []source.Place{{Folder: ".parrot/x"}}})
	defer func(of func() []string) { formats, toolFolders = formats[:len(formats)-1], of }(toolFolders)
	toolFolders = sync.OnceValue(hiddenFolders)
	if isHidden("home/.parrot/x/a.jsonl") {
		t.Error("the folder of a new format is hidden")
	}
}
