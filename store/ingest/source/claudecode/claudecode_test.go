package claudecode

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source/sourcetest"
)

const session = "9d1c3b1e-0000-4000-8000-00000000aaaa.jsonl"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func fixture(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + session)
	testenv.Must(t, err)
	return string(data)
}

// members is a JSON object.
type members = map[string]any

// logOf writes records as JSON Lines. Each follows the one before it, unless it says otherwise.
func logOf(records ...members) string {
	var out strings.Builder
	for i, r := range records {
		full := members{"sessionId": "s", "uuid": fmt.Sprint("r", i), "timestamp": fmt.Sprintf("2026-04-01T08:00:%02dZ", i)}
		if i > 0 {
			full["parentUuid"] = fmt.Sprint("r", i-1)
		}
		for name, value := range r {
			full[name] = value
		}
		line, err := json.Marshal(full)
		if err != nil {
			panic(err)
		}
		out.Write(append(line, '\n'))
	}
	return out.String()
}

func user(content any, more ...members) members {
	return written("user", members{"content": content}, more)
}

func assistant(id, text string, more ...members) members {
	return written("assistant", members{"id": id, "model": "claude-x", "content": []members{{"type": "text", "text": text}}}, more)
}

func written(kind string, message members, more []members) members {
	r := members{"type": kind, "message": message}
	for _, m := range more {
		for name, value := range m {
			r[name] = value
		}
	}
	return r
}

func TestFormat_Turns(t *testing.T) {
	q, a := user("q"), assistant("m1", "a")
	for name, c := range map[string]struct {
		records []members
		want    string
	}{
		"a question and its answer":       {[]members{q, a}, "q -> a"},
		"records of one answer":           {[]members{q, assistant("m", "one"), assistant("m", "two")}, `q -> one\n\ntwo`},
		"growing records of one answer":   {[]members{q, assistant("m", "It"), assistant("m", "It is"), assistant("m", "It is so")}, "q -> It is so"},
		"an answer that comes twice":      {[]members{q, assistant("m", "yes"), assistant("m", "yes")}, "q -> yes"},
		"equal answers, each of its own":  {[]members{q, assistant("m", "yes"), assistant("n", "yes")}, `q -> yes\n\nyes`},
		"meta":                            {[]members{q, a, user("skill", members{"isMeta": true})}, "q -> a"},
		"a summary of a compaction":       {[]members{q, a, user("sum", members{"isCompactSummary": true})}, "q -> a"},
		"shown in the transcript only":    {[]members{q, a, user("x", members{"isVisibleInTranscriptOnly": true})}, "q -> a"},
		"another origin":                  {[]members{q, a, user("x", members{"origin": members{"kind": "task-notification"}})}, "q -> a"},
		"the person's origin":             {[]members{user("q", members{"origin": members{"kind": "human"}}), a}, "q -> a"},
		"a result of a tool":              {[]members{q, a, user([]members{{"type": "tool_result", "content": "key=1"}, {"type": "text", "text": "x"}})}, "q -> a"},
		"a result by its member":          {[]members{q, a, user("x", members{"toolUseResult": "x"})}, "q -> a"},
		"a subagent":                      {[]members{q, a, user("x", members{"isSidechain": true}), assistant("s", "y", members{"isSidechain": true})}, "q -> a"},
		"a synthetic answer":              {[]members{q, assistant("m", "API Error", members{"message": members{"model": "<synthetic>", "content": "API Error"}}), a}, "q -> a"},
		"an error of the service":         {[]members{q, assistant("m", "API Error", members{"isApiErrorMessage": true}), a}, "q -> a"},
		"a picture alone":                 {[]members{user([]members{{"type": "image"}}), a}, "[image] -> a"},
		"an envelope in its own block":    {[]members{user([]members{{"type": "text", "text": "<system-reminder>x</system-reminder>"}, {"type": "text", "text": "q"}}), a}, "q -> a"},
		"a mention of an envelope":        {[]members{user("What is <system-reminder>x</system-reminder>?"), a}, "What is <system-reminder>x</system-reminder>? -> a"},
		"a command with arguments":        {[]members{user("<command-message>r</command-message><command-name>/r</command-name><command-args>x y</command-args>")}, "/r x y -> "},
		"a command without":               {[]members{q, a, user("<command-name>/clear</command-name>")}, "q -> a"},
		"a command that is answered":      {[]members{user("<command-name>/init</command-name><command-args></command-args>"), a}, "/init -> a"},
		"a command of the program itself": {[]members{user("<command-name>/model</command-name><command-args>x</command-args>"), user("<local-command-stdout>ok</local-command-stdout>"), q, a}, "q -> a"},
		"a shell command":                 {[]members{user("<bash-input>ls</bash-input>"), user("<bash-stdout>x</bash-stdout>"), q, a}, "q -> a"},
		"a shell command, answered":       {[]members{user("<bash-input>ls</bash-input>"), user("<bash-stdout>x</bash-stdout>"), a}, "!ls -> a"},
		"words typed while a tool ran":    {[]members{q, a, {"type": "attachment", "uuid": nil, "parentUuid": nil, "attachment": members{"type": "queued_command", "commandMode": "prompt", "prompt": "and?"}}, assistant("n", "b", members{"parentUuid": "r1"})}, "q -> a\nand? -> b"},
		"a notice in the queue":           {[]members{q, a, {"type": "attachment", "attachment": members{"type": "queued_command", "prompt": "<task-notification>x"}}}, "q -> a"},
		"a file that was attached":        {[]members{q, a, {"type": "attachment", "attachment": members{"type": "file", "prompt": "x"}}}, "q -> a"},
		"a message without content":       {[]members{q, a, {"type": "user", "message": nil}, {"type": "assistant"}}, "q -> a"},
		"a rewind":                        {[]members{q, a, user("old"), assistant("o", "x"), user("new", members{"parentUuid": "r1"}), assistant("n", "y")}, "q -> a\nnew -> y\n- old -> x"},
		"a rewind above records of the program": {
			[]members{q, a, {"type": "progress"}, user("old"), {"type": "system", "parentUuid": "r1", "content": "x"}, user("new", members{"parentUuid": "r4"})},
			"q -> a\nnew -> \n- old -> ",
		},
		"parallel calls of tools": {
			[]members{q, assistant("m", "one"), user([]members{{"type": "tool_result"}}, members{"parentUuid": "r1"}), user([]members{{"type": "tool_result"}}, members{"parentUuid": "r1"}), assistant("m", "two", members{"parentUuid": "r2"}), user("next", members{"parentUuid": "r4"})},
			`q -> one\n\ntwo` + "\nnext -> ",
		},
		"a compaction": {
			[]members{q, a, {"type": "system", "subtype": "compact_boundary", "parentUuid": nil, "logicalParentUuid": "r1"}, user("This session is being continued from x"), user("next"), assistant("n", "b")},
			"q -> a\nnext -> b",
		},
		"several roots":             {[]members{q, a, user("next", members{"parentUuid": nil}), assistant("n", "b")}, "q -> a\nnext -> b"},
		"parents that are gone":     {[]members{q, a, user("next", members{"parentUuid": "gone"}), user("more", members{"parentUuid": "gone"})}, "q -> a\nnext -> \nmore -> "},
		"a cycle":                   {[]members{user("q", members{"parentUuid": "r1"}), a, user("next", members{"parentUuid": "r2"})}, "q -> a\nnext -> "},
		"a record that comes twice": {[]members{q, a, user("q", members{"uuid": "r0", "parentUuid": nil}), user("next", members{"parentUuid": "r1"})}, "q -> a\nnext -> "},
	} {
		t.Run(name, func(t *testing.T) {
			all := sourcetest.Read(t, &Format, session, logOf(c.records...))
			if got := sourcetest.Turns(all); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestFormat_InjectedText has the beginnings of all texts that the program writes: of some the rest is the prompt.
func TestFormat_InjectedText(t *testing.T) {
	for text, want := range map[string]string{
		"This session is being continued from x fish?":                              "",
		"<local-command-caveat>x</local-command-caveat>fish?":                       "",
		"Caveat: The messages below were generated by x fish?":                      "",
		"<local-command-stdout>x</local-command-stdout>fish?":                       "",
		"<local-command-stderr>x</local-command-stderr>fish?":                       "",
		"<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>":                   "",
		"<bash-stderr>x</bash-stderr>":                                              "",
		"[Request interrupted by user for tool use]":                                "",
		"<task-notification>x</task-notification>fish?":                             "",
		"Stop hook feedback: fish?":                                                 "",
		"Base directory for this skill: /x":                                         "",
		"<system-reminder>x</system-reminder>\nfish?":                               "fish?",
		"<ide_opened_file>x</ide_opened_file>\nfish?":                               "fish?",
		"<ide_selection>x</ide_selection><system-reminder>x</system-reminder>fish?": "fish?",
		"<system-reminder>never ends fish?":                                         "",
	} {
		all := sourcetest.Read(t, &Format, session, logOf(user("\uFEFF \n"+text), assistant("m", "Yes.")))
		if got := sourcetest.Turns(all); got != want+" -> Yes." {
			t.Errorf("%s: got %q", text, got)
		}
		all = sourcetest.Read(t, &Format, session, logOf(user("What is "+text)))
		if got := all[0].Turns[0].UserText; got != "What is "+text {
			t.Errorf("%s in prose: got %q", text, got)
		}
	}
}

func TestFormat_Titles(t *testing.T) {
	q := user("How deep?")
	summary := members{"type": "summary", "uuid": nil, "summary": "Wells", "leafUuid": "r0"}
	elsewhere := members{"type": "summary", "uuid": nil, "summary": "Other", "leafUuid": "zz"}
	generated := members{"type": "ai-title", "uuid": nil, "aiTitle": "Digging wells"}
	custom := members{"type": "custom-title", "uuid": nil, "customTitle": "Mine"}
	for want, records := range map[string][]members{
		"How deep?":     {q, elsewhere},
		"Wells":         {q, summary, elsewhere},
		"Digging wells": {q, summary, generated},
		"Mine":          {q, custom, summary, generated},
		"Yours":         {q, generated, user("<command-name>/rename</command-name><command-args>Yours</command-args>")},
	} {
		if got := sourcetest.Read(t, &Format, session, logOf(records...))[0].Title; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestFormat_Ids(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"the file's name":           {"p/9d1c3b1e-0000-4000-8000-00000000aaaa.jsonl", "9d1c3b1e-0000-4000-8000-00000000aaaa"},
		"a file that was renamed":   {"my session.jsonl", "s"},
		"a subagent of the session": {"agent-a1b2.jsonl", "s/agent-a1b2"},
	} {
		p := sourcetest.Read(t, &Format, c.file, logOf(user("q", members{"uuid": "10000000-0000-4000-8000-000000000001"})))[0]
		if p.SourceID != c.want || p.Messages[0].ID.String() != "10000000-0000-4000-8000-000000000001" {
			t.Errorf("%s: got %s, message %s", name, p.SourceID, p.Messages[0].ID)
		}
	}
}

// TestFormat_IdsOfSubagents: records tell a subagent, whatever its log is called.
func TestFormat_IdsOfSubagents(t *testing.T) {
	said := func(more members) string {
		return logOf(user("Look for x.", more), assistant("m", "Found.", more))
	}
	of := members{"isSidechain": true, "agentId": "a1b2"}
	for name, c := range map[string]struct{ file, log, want string }{
		"its own name":      {"agent-a1b2.jsonl", said(of), "s/agent-a1b2"},
		"a pipe":            {"", said(of), "s/agent-a1b2"},
		"another name":      {"copy.jsonl", said(of), "s/agent-a1b2"},
		"without its id":    {"", said(members{"isSidechain": true}), "s/" + chat.ContentID("Look for x.")},
		"the session, too":  {"", logOf(user("q")) + said(of), "s"},
		"no session, piped": {"", said(members{"sessionId": ""}), "claude-code " + chat.ContentID("Look for x.", "Found.")},
	} {
		all, _ := sourcetest.Parse(t, &Format, c.file, c.log)
		if len(all) != 1 || all[0].SourceID != c.want {
			t.Errorf("%s: got %s, want %s", name, all[0].SourceID, c.want)
		}
	}
}

func TestFormat_Asides(t *testing.T) {
	big := strings.Repeat("0123456789", 1<<10)
	all := sourcetest.Read(t, &Format, session, logOf(
		user("q"), user([]members{{"type": "tool_result", "content": big}}), assistant("m", big),
	))
	result, answer := all[0].Messages[1], all[0].Messages[2]
	if result.Role != store.Tool || result.Visible || len(result.Text) != chat.MaxAside || len(result.Raw) > chat.MaxAside {
		t.Errorf("a result of a tool: %s, %d bytes of text, %d of JSON", result.Role, len(result.Text), len(result.Raw))
	}
	if answer.Text != big || !strings.Contains(string(answer.Raw), big) || all[0].Count.Truncated != 0 {
		t.Errorf("an answer was cut, or an aside was counted: %d", all[0].Count.Truncated)
	}
}

func TestFormat_Model(t *testing.T) {
	if turn := sourcetest.Read(t, &Format, session, fixture(t))[0].Turns[0]; turn.Model != "claude-x" {
		t.Errorf("got %q", turn.Model)
	}
}

func TestFormat_OddLines(t *testing.T) {
	text := "42\n\n{\"type\":\n" + logOf(user("q"), members{"type": "quux"}, user(nil), assistant("m", "a")) + `{"type":"us`
	p := sourcetest.Read(t, &Format, session, text)[0]
	want := "map[damaged line:1 line without an object:1 record of unknown type:1 unfinished line:1]"
	if got := fmt.Sprint(p.Count.Skipped); got != want || sourcetest.Turns([]*chat.Parsed{p}) != "q -> a" {
		t.Errorf("got %s", got)
	}
}

func TestFormat_SharedFixture(t *testing.T) { sourcetest.Fixture(t, &Format, "claude_code") }

func TestFormat_MatchesNothingElse(t *testing.T) {
	sourcetest.NoOther(t, &Format, "claude_code")
	for name, line := range map[string]string{
		"history.jsonl":            `{"display":"hi","timestamp":1767260000000,"project":"/x"}`,
		"agent-acompact-a1b.jsonl": strings.TrimSpace(logOf(user("q"))),
		"qwen.jsonl":               `{"type":"user","message":{"role":"user","parts":[{"text":"x"}]}}`,
		"pi.jsonl":                 `{"type":"message","message":{"role":"user","content":"x"}}`,
		"cursor.jsonl":             `{"role":"user","message":{"content":[{"type":"text","text":"x"}]}}`,
		"codex.jsonl":              `{"type":"user","message":{"content":"x"},"payload":{}}`,
		"looks.jsonl":              `{"type":"message","role":"user","content":"x"}`,
	} {
		if sourcetest.Matches(t, &Format, name, line+"\n") {
			t.Errorf("%s matches", name)
		}
	}
}

func TestFormat_GrowsWithTheSession(t *testing.T) { sourcetest.Grows(t, &Format, session, fixture(t)) }

func FuzzFormat(f *testing.F) {
	sourcetest.Fuzz(f, &Format, session, fixture(f), `{"type":"user","uuid":"a","parentUuid":"a","message":{"content":"q"}}`,
		`{"type":"user","uuid":"a","message":{"content":[{"type":"text","text":"\ud800<command-name>x"}]}}`,
		"{\"type\":\"user\",\"message\":{\"content\":\"q\"}}\n{\"type\":\"user\",\"message\":{\"content\":\"q\"}}")
}
