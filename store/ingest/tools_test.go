package ingest_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest"
)

// toolSession is a session with Claude Code that reads a file. n are its exchanges; those of another session of the
// same ids are copies.
func toolSession(t *testing.T, id string, n int) string {
	t.Helper()
	var lines strings.Builder
	parent := "null"
	for i := range n {
		for k, r := range []struct{ kind, content string }{
			{"user", `"What is the port?"`},
			{"assistant", `[{"type":"thinking","thinking":"Perhaps a gander%d."}]`},
			{"assistant", `[{"type":"tool_use","name":"Read","input":{"path":"heron%d"}}]`},
			{"user", `[{"type":"tool_result","content":"port = 80, key = stork%d"}]`},
			{"assistant", `[{"type":"text","text":"It is 80."},{"type":"tool_use","name":"Bash","input":{"command":"echo crane%d"}}]`},
		} {
			record := testID(fmt.Sprint("record", i, k)).String()
			content := strings.ReplaceAll(r.content, "%d", fmt.Sprint(i))
			fmt.Fprintf(&lines, `{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":%q,"timestamp":"2026-04-01T08:%02d:%02dZ",`+
				`"message":{"role":%q,"content":%s}}`+"\n", r.kind, record, parent, testID(id), i, k, r.kind, content)
			parent = `"` + record + `"`
		}
	}
	path := filepath.Join(t.TempDir(), testID(id).String()+".jsonl")
	testenv.Must(t, os.WriteFile(path, []byte(lines.String()), 0o600))
	return path
}

func importTools(t *testing.T, st store.Store, tools bool, paths ...string) *ingest.Receipt {
	t.Helper()
	return mustHave(ingest.Import(t.Context(), st, paths, ingest.Options{Tools: tools}))
}

var toolSecrets = []string{"gander0", "heron0", "stork0", "crane0"}

func TestImport_ToolsAreLeftOut(t *testing.T) {
	st := newArchive(t)
	if r := importTools(t, st, false, toolSession(t, "s", 2)); r.Turns.Total != 2 || r.Derived != nil {
		t.Errorf("%d turns, %v", r.Turns.Total, r.Derived)
	}
	for _, word := range toolSecrets {
		if remembers(t, st, word) {
			t.Errorf("%s is stored", word)
		}
	}
}

func TestImport_Tools(t *testing.T) {
	st, path := newArchive(t), toolSession(t, "s", 1)
	importTools(t, st, false, path)
	r := importTools(t, st, true, path)
	if !maps.Equal(r.Derived, map[store.Kind]int{store.ToolResult: 1, store.Thought: 1}) {
		t.Errorf("the receipt has %v", r.Derived)
	}
	want := []string{
		`claude-code/thought "What is the port?" of "What is the port?": ["Perhaps a gander0."]`,
		`claude-code/tool "What is the port?" of "What is the port?": ["port = 80, key = stork0"]`,
	}
	if got := derivedDocuments(t, st); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if r := importTools(t, st, false, path); r.Changed() || len(found(t, st, "stork0")) != 1 {
		t.Errorf("without the option, another import changes %+v", r.Messages)
	}
	grown, err := os.ReadFile(toolSession(t, "s", 2))
	testenv.Must(t, err)
	testenv.Must(t, os.WriteFile(path, grown, 0o600))
	mustHave(ingest.Refresh(t.Context(), st, nil, ingest.Options{}))
	if len(found(t, st, "stork1")) != 1 || len(derivedDocuments(t, st)) != 4 {
		t.Errorf("a refresh does not keep tools: %q", derivedDocuments(t, st))
	}
	testenv.Must(t, ingest.Unfollow(t.Context(), st, []string{path}))
	if r := importTools(t, st, false, path); r.Derived != nil {
		t.Errorf("a path that is not followed any more is read with tools: %v", r.Derived)
	}
	forget(t, st, ingest.ForgetOptions{Source: store.ClaudeCode})
	if left := derivedDocuments(t, st); len(left) > 0 || remembers(t, st, "stork") {
		t.Errorf("left %q", left)
	}
}

// With and without tools, of a session and of one that repeats and continues it: the archive is the same in every order,
// and has what a tool returned once.
func TestImport_AnyOrderOfTools(t *testing.T) {
	type version struct {
		path  string
		tools bool
	}
	first, longer := "s", "t"
	if b, a := testID("s"), testID("t"); strings.Compare(a.String(), b.String()) < 0 {
		first, longer = longer, first // both begin at the same time: the least id owns what they share
	}
	all := []version{
		{toolSession(t, first, 1), false},
		{toolSession(t, first, 1), true},
		{toolSession(t, longer, 2), false},
		{toolSession(t, longer, 2), true},
	}
	want := ""
	for _, order := range permutations(len(all)) {
		st := newArchive(t)
		for _, i := range order {
			importTools(t, st, all[i].tools, all[i].path)
		}
		got := state(t, st)
		if want == "" {
			want = got
			documents := derivedDocuments(t, st)
			if len(documents) != 4 || strings.Count(strings.Join(documents, ""), "stork0") != 1 {
				t.Errorf("got %q", documents)
			}
		}
		if got != want {
			t.Fatalf("in the order %v:\n%s\nbefore:\n%s", order, got, want)
		}
	}
}

// chatsWithTools have, for each source, a chat with a thought (gander) and a result of a tool (stork).
var chatsWithTools = map[store.Source]string{
	store.ChatGPT: `[{"id":"c","title":"Port","create_time":1,"update_time":5,"current_node":"a","mapping":{
		"q":{"message":{"author":{"role":"user"},"create_time":1,"content":{"content_type":"text","parts":["What is the port?"]}},"children":["t"]},
		"t":{"parent":"q","message":{"author":{"role":"assistant"},"content":{"content_type":"thoughts","thoughts":[{"summary":"Look","content":"Perhaps a gander."}]}}},
		"k":{"parent":"t","message":{"author":{"role":"assistant"},"recipient":"python","content":{"content_type":"code","text":"print(key)"}}},
		"r":{"parent":"k","message":{"author":{"role":"tool","name":"python"},"content":{"content_type":"execution_output","text":"key = stork"}}},
		"a":{"parent":"r","message":{"author":{"role":"assistant"},"create_time":4,"content":{"content_type":"text","parts":["It is 80."]}}}}}]`,
	store.Claude: `[{"uuid":"c","name":"Port","created_at":"2025-06-01T10:00:00Z","updated_at":"2025-06-01T10:00:00Z","chat_messages":[
		{"uuid":"q","sender":"human","content":[{"type":"text","text":"What is the port?"}]},
		{"uuid":"a","sender":"assistant","content":[{"type":"thinking","thinking":"Perhaps a gander."},
			{"type":"tool_result","name":"repl","content":[{"type":"text","text":"key = stork"}]},{"type":"text","text":"It is 80."}]}]}]`,
	store.DeepSeek: `[{"id":"c","title":"Port","inserted_at":"2025-06-01T10:00:00Z","updated_at":"2025-06-01T10:00:00Z","mapping":{
		"1":{"id":"1","children":["2"],"message":{"fragments":[{"type":"REQUEST","content":"What is the port?"}]}},
		"2":{"id":"2","parent":"1","message":{"fragments":[{"type":"SEARCH","results":[{"url":"https://example.org","title":"Key","snippet":"stork"}]},
			{"type":"THINK","content":"Perhaps a gander."},{"type":"RESPONSE","content":"It is 80."}]}}}}]`,
}

func TestImport_ToolsOfChats(t *testing.T) {
	for source, chats := range chatsWithTools {
		t.Run(string(source), func(t *testing.T) {
			// A path remembers the option.
			dir := folderOf(t, map[string]string{"with.json": chats, "without.json": chats})
			path := map[bool]string{true: filepath.Join(dir, "with.json"), false: filepath.Join(dir, "without.json")}
			states := map[string]bool{}
			for _, order := range [][]bool{{true}, {false, true}, {true, false}, {true, true}} {
				st := newArchive(t)
				for _, tools := range order {
					importTools(t, st, tools, path[tools])
				}
				if len(found(t, st, "gander")) != 1 || len(found(t, st, "stork")) != 1 {
					t.Errorf("%v: got %q", order, derivedDocuments(t, st))
				}
				if len(order) > 1 && order[0] != order[1] {
					states[state(t, st)] = true
				}
				forget(t, st, ingest.ForgetOptions{Source: source})
				if left := derivedDocuments(t, st); len(left) > 0 || remembers(t, st, "stork") {
					t.Errorf("%v: left %q", order, left)
				}
			}
			if len(states) > 1 {
				t.Error("the order of imports matters")
			}
			st := newArchive(t)
			if importTools(t, st, false, path[false]); len(found(t, st, "stork"))+len(found(t, st, "gander")) > 0 {
				t.Errorf("without the option, found %q", derivedDocuments(t, st))
			}
		})
	}
}

// What a subagent of Claude Code answers is a result of a tool.
func TestImport_AnswersOfSubagents(t *testing.T) {
	record := func(id, parent, rest string) string {
		return fmt.Sprintf(`{"uuid":%q,"parentUuid":%s,"sessionId":%q,"timestamp":"2026-04-01T08:00:00Z",%s}`+"\n", testID(id), parent, testID("s"), rest)
	}
	quoted := func(id string) string { return fmt.Sprintf("%q", testID(id)) }
	session := record("q", "null", `"type":"user","message":{"role":"user","content":"Look for birds."}`) +
		record("u", quoted("q"), `"type":"user","isSidechain":true,"message":{"role":"user","content":"Find birds"}`) +
		record("x", quoted("u"), `"type":"assistant","isSidechain":true,"message":{"role":"assistant","content":[{"type":"text","text":"There was a stork."}]}`) +
		record("a", quoted("q"), `"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"One."}]}`)
	name := testID("s").String() + ".jsonl"
	path := filepath.Join(folderOf(t, map[string]string{name: session}), name)
	for _, tools := range []bool{false, true} {
		st := newArchive(t)
		importTools(t, st, tools, path)
		if got := len(found(t, st, "stork")) == 1; got != tools || remembers(t, st, "stork") != tools {
			t.Errorf("with tools %v: %q", tools, derivedDocuments(t, st))
		}
	}
}
