package codex

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"lens/store"
	"lens/store/ingest/source/sourcetest"
)

const rollout = "rollout-2026-04-01T08-00-00-0199b2c0-0000-7000-8000-00000000bbbb.jsonl"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// members is a JSON object.
type members = map[string]any

func meta(id string) members {
	return members{"type": "session_meta", "payload": members{"id": id, "timestamp": "2026-04-01T08:00:00Z"}}
}

func response(kind string, more members) members {
	payload := members{"type": kind}
	for name, value := range more {
		payload[name] = value
	}
	return members{"type": "response_item", "payload": payload}
}

func message(role string, texts ...string) members {
	blocks := []members{}
	for _, text := range texts {
		blocks = append(blocks, members{"type": "input_text", "text": text})
	}
	return response("message", members{"role": role, "content": blocks})
}

func shown(kind, text string) members {
	return members{"type": "event_msg", "payload": members{"type": kind, "message": text}}
}

func completed(kind, id string, content any) members {
	item := members{"type": kind, "id": id, "content": content}
	return members{"type": "event_msg", "payload": members{"type": "item_completed", "item": item}}
}

func back(n int) members {
	return members{"type": "event_msg", "payload": members{"type": "thread_rolled_back", "num_turns": n}}
}

// logOf writes records as JSON Lines, a second apart.
func logOf(records ...members) string {
	var out strings.Builder
	for i, r := range records {
		full := members{"timestamp": fmt.Sprintf("2026-04-01T08:00:%02dZ", i)}
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

func TestFormat_Turns(t *testing.T) {
	const id = "0199b2c0-0000-7000-8000-00000000bbbb"
	q, a := message("user", "q"), message("assistant", "a")
	qe, ae := shown("user_message", "q"), shown("agent_message", "a")
	text := func(s string) []members { return []members{{"type": "text", "text": s}} }
	aborted := message("user", "<turn_aborted>\nx\n</turn_aborted>")
	for name, c := range map[string]struct {
		records []members
		want    string
	}{
		"what the model saw alone":          {[]members{q, a}, "q -> a"},
		"events alone":                      {[]members{qe, ae}, "q -> a"},
		"each message twice":                {[]members{q, qe, ae, a}, "q -> a"},
		"each message twice, in turn":       {[]members{q, qe, ae, message("assistant", "b"), a, shown("agent_message", "b")}, `q -> a\n\nb`},
		"items":                             {[]members{completed("UserMessage", "u", text("q")), completed("AgentMessage", "a", text("a"))}, "q -> a"},
		"all three":                         {[]members{q, qe, completed("UserMessage", "u", text("q")), ae, completed("AgentMessage", "a", text("a")), a}, "q -> a"},
		"items of strings and without":      {[]members{completed("UserMessage", "u", []string{"q"}), completed("AgentMessage", "a", nil), completed("AgentMessage", "b", []string{"a"})}, "q -> a"},
		"the same question again":           {[]members{q, qe, a, ae, q, qe, a, ae}, "q -> a\nq -> a"},
		"the same question at once":         {[]members{q, qe, q, qe, a}, "q -> \nq -> a"},
		"the same answer twice":             {[]members{q, a, ae, a, ae}, `q -> a\n\na`},
		"a message of one stream alone":     {[]members{q, qe, a, ae, message("user", "queued"), message("assistant", "b")}, "q -> a\nqueued -> b"},
		"words that differ in white space":  {[]members{message("user", "two\nlines"), shown("user_message", "two  lines")}, `two\nlines -> `},
		"developers and systems":            {[]members{message("developer", "x"), message("system", "x"), q, a}, "q -> a"},
		"a block of context before":         {[]members{message("user", "<environment_context>x</environment_context>", "q"), a}, "q -> a"},
		"thoughts, calls and their outputs": {[]members{q, response("reasoning", members{"summary": text("hm")}), response("function_call", members{"name": "shell", "arguments": "{}"}), response("function_call_output", members{"output": []members{{"type": "input_text", "text": "key=1"}}}), response("custom_tool_call", nil), response("local_shell_call", nil), a}, "q -> a"},
		"other events":                      {[]members{qe, shown("agent_reasoning", "hm"), shown("token_count", ""), completed("Reasoning", "r", nil), completed("CommandExecution", "r", nil), ae}, "q -> a"},
		"a summary":                         {[]members{q, a, {"type": "compacted", "payload": members{"message": "sum"}}}, "q -> a"},
		"one turn taken back":               {[]members{qe, ae, shown("user_message", "old"), shown("agent_message", "x"), back(1), shown("user_message", "new"), shown("agent_message", "y")}, "q -> a\nnew -> y\n- old -> x"},
		"two turns taken back":              {[]members{message("developer", "x"), qe, ae, shown("user_message", "old"), back(2), shown("user_message", "new")}, "new -> \n- q -> a\n- old -> "},
		"more taken back than there is":     {[]members{message("developer", "x"), qe, ae, back(99), shown("user_message", "new")}, "new -> \n- q -> a"},
		"the first prompt sent again":       {[]members{q, a, aborted, q, message("assistant", "b")}, `q -> a\n\nb`},
		"the person repeats the first":      {[]members{q, qe, a, ae, aborted, q, qe, message("assistant", "b")}, "q -> a\nq -> b"},
		"a copy of another session":         {[]members{meta("other"), q, a}, "q -> a"},
		"a picture in its wrapper":          {[]members{message("user", "q", "<image name=[Image #1]>", "</image>"), shown("user_message", "q"), a}, "q -> a"},
		"a payload that is not an object":   {[]members{q, {"type": "event_msg", "payload": 3}, {"type": "response_item", "payload": nil}, a}, "q -> a"},
	} {
		t.Run(name, func(t *testing.T) {
			all := sourcetest.Read(t, &Format, rollout, logOf(append([]members{meta(id)}, c.records...)...))
			if got := sourcetest.Turns(all); got != c.want || all[0].SourceID != id {
				t.Errorf("%s: got\n%s\nwant\n%s", all[0].SourceID, got, c.want)
			}
		})
	}
}

// TestFormat_InjectedText has the beginnings of all texts that the program writes: of some the rest is the prompt.
func TestFormat_InjectedText(t *testing.T) {
	for text, want := range map[string]string{
		"# AGENTS.md instructions for /x fish?":                     "",
		"<INSTRUCTIONS>x</INSTRUCTIONS>":                            "",
		"<user_instructions>x</user_instructions>":                  "",
		"<environment_context>x</environment_context>":              "",
		"<skill>x</skill>":                                          "",
		"<skills_instructions>x</skills_instructions>":              "",
		"<turn_aborted>x</turn_aborted>":                            "",
		"<subagent_notification>x</subagent_notification>":          "",
		"<goal_context>x</goal_context>":                            "",
		`<codex_internal_context source="goal">x`:                   "",
		"<user_shell_command>ls</user_shell_command>":               "",
		"<permissions instructions>x</permissions instructions>":    "",
		"<collaboration_mode>x</collaboration_mode>":                "",
		"<personality_spec>x</personality_spec>":                    "",
		"<warning>x</warning>":                                      "",
		"<recommended_plugins>\n- x\n</recommended_plugins>\nfish?": "fish?",
		"<image name=[Image #1]></image>fish?":                      "fish?",
	} {
		for _, record := range []members{message("user", "\n"+text), shown("user_message", "\n"+text)} {
			all := sourcetest.Read(t, &Format, rollout, logOf(record, message("assistant", "Yes.")))
			if got := sourcetest.Turns(all); got != want+" -> Yes." {
				t.Errorf("%s: got %q", text, got)
			}
		}
		all := sourcetest.Read(t, &Format, rollout, logOf(message("user", "What is "+text)))
		if got := all[0].Turns[0].UserText; got != "What is "+text {
			t.Errorf("%s in prose: got %q", text, got)
		}
	}
}

func TestFormat_FirstGeneration(t *testing.T) {
	lines := []string{
		`{"id":"5973b6c0-94b8-487b-a530-2aeb6098ae0e","timestamp":"2025-07-04T10:00:00.000Z","instructions":"x"}`,
		`{"record_type":"state"}`,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"more"}]}`,
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"one"}]}`,
		`{"type":"function_call_output","call_id":"c","output":"{\"output\":\"key=1\"}"}`,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"more"}]}`,
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"two"}]}`,
	}
	p := sourcetest.Read(t, &Format, "rollout.jsonl", strings.Join(lines, "\n"))
	if got := sourcetest.Turns(p); got != "more -> one\nmore -> two" {
		t.Errorf("got %s", got)
	}
	before := sourcetest.Read(t, &Format, "rollout.jsonl", strings.Join(lines[:4], "\n"))
	if before[0].Turns[0].ID != p[0].Turns[0].ID || !before[0].Updated.Before(p[0].Updated) {
		t.Error("a session that has grown has other ids, or is not newer")
	}
}

func TestFormat_Ids(t *testing.T) {
	p := sourcetest.Read(t, &Format, rollout, logOf(
		completed("UserMessage", "u1", []string{"q"}), completed("AgentMessage", "a1", []string{"x"}),
		completed("AgentMessage", "a1", []string{"y"})))[0]
	if p.SourceID != "0199b2c0-0000-7000-8000-00000000bbbb" || p.Messages[0].SourceID != "u1" || len(p.Messages) != 3 {
		t.Errorf("got %s with %d messages", p.SourceID, len(p.Messages))
	}
}

// TestFormat_Continued: a session that begins with a copy of another has its messages under the same ids, though with
// other times. What is new has other ids, also if it says the same.
func TestFormat_Continued(t *testing.T) {
	const parent, child = "0199b2c0-0000-7000-8000-00000000cccc", "0199b2c0-0000-7000-8000-00000000dddd"
	turn := func(n int) members {
		return members{"type": "turn_context", "payload": members{"turn_id": fmt.Sprintf("0199b2c0-1111-7000-8000-%012d", n)}}
	}
	q, a := message("user", "q"), message("assistant", "a")
	copied := []members{turn(1), q, a, turn(2), q, a}
	read := func(id string, records ...members) []store.Message {
		return sourcetest.Read(t, &Format, "rollout-"+id+".jsonl", logOf(append([]members{meta(id)}, records...)...))[0].Messages
	}
	before := read(parent, append(copied, turn(3), q, a)...)
	after := read(child, append(append([]members{meta(parent)}, copied...), turn(4), q, a)...)
	if len(before) != 6 || len(after) != 6 {
		t.Fatalf("%d messages and %d, want 6 each", len(before), len(after))
	}
	for i := range before {
		if same := before[i].ID == after[i].ID; same != (i < 4) {
			t.Errorf("message %d: the same id: %v", i, same)
		}
		if i >= 2 && before[i].ID == before[i-2].ID {
			t.Errorf("message %d has the id of one before", i)
		}
	}
	numbered := members{"type": "turn_context", "payload": members{"turn_id": "1"}}
	if read(parent, numbered, q)[0].ID == read(child, numbered, q)[0].ID {
		t.Error("turns that are only numbered give two sessions the same ids")
	}
}

// TestFormat_Subagent: what the assistant and a subagent say to each other makes no turn.
func TestFormat_Subagent(t *testing.T) {
	const id, parent = "0199b2c0-0000-7000-8000-00000000dddd", "0199b2c0-0000-7000-8000-00000000cccc"
	of := func(id string, more members) members {
		m := meta(id)
		for name, value := range more {
			m["payload"].(members)[name] = value
		}
		return m
	}
	spawned := members{"subagent": members{"thread_spawn": members{"parent_thread_id": parent, "depth": 1}}}
	q, a := message("user", "q"), message("assistant", "a")
	for name, c := range map[string]struct {
		first  members
		turns  int
		wantID string
	}{
		"a program":               {of(id, members{"source": "cli"}), 1, id},
		"started by a session":    {of(id, members{"source": spawned}), 0, parent + "/" + id},
		"started by the program":  {of(id, members{"source": members{"subagent": "review"}}), 0, id},
		"named beside the source": {of(id, members{"thread_source": "subagent", "parent_thread_id": parent}), 0, parent + "/" + id},
		"a fork of one":           {of(id, members{"parent_thread_id": parent, "source": "cli"}), 1, id},
	} {
		t.Run(name, func(t *testing.T) {
			// A copy of the session that started it follows, with its own beginning.
			all := sourcetest.Read(t, &Format, rollout, logOf(c.first, meta(parent), q, a))
			if got := all[0]; len(got.Turns) != c.turns || got.SourceID != c.wantID || len(got.Messages) != 2 {
				t.Errorf("%d turns in %s, want %d in %s", len(got.Turns), got.SourceID, c.turns, c.wantID)
			}
		})
	}
}

func TestFormat_Model(t *testing.T) {
	all := sourcetest.Read(t, &Format, rollout, sourcetest.File(t, "testdata/"+rollout))
	if got := all[0].Turns[0].Model; got != "gpt-x" {
		t.Errorf("got %q", got)
	}
}

func TestFormat_Asides(t *testing.T) {
	output := response("function_call_output", members{"output": members{"content": "key=1"}})
	m := sourcetest.Read(t, &Format, rollout, logOf(message("user", "q"), output))[0].Messages[1]
	if m.Role != store.Tool || m.Visible || m.Text != "key=1" || m.ContentType != "function_call_output" {
		t.Errorf("got %q from %s", m.Text, m.Role)
	}
}

func TestFormat_SharedFixtures(t *testing.T) {
	for _, variant := range []string{"codex_bare", "codex_envelope", "codex_item_completed"} {
		sourcetest.Fixture(t, &Format, variant)
	}
}

func TestFormat_MatchesNothingElse(t *testing.T) {
	sourcetest.NoOther(t, &Format, "codex_bare", "codex_envelope", "codex_item_completed")
	for _, line := range []string{
		`{"session_id":"x","ts":1767260000,"text":"hi"}`,
		`{"id":"x","thread_name":"Boats","updated_at":"2026-01-01T00:00:00Z"}`,
		`{"type":"message","role":"user","content":"x"}`,
		`{"type":"message","role":"user","sessionId":"x","content":[{"type":"input_text"}]}`,
		`{"type":"other","payload":{}}`,
	} {
		if sourcetest.Matches(t, &Format, "a.jsonl", line+"\n") {
			t.Errorf("%s matches", line)
		}
	}
}

func TestFormat_GrowsWithTheSession(t *testing.T) {
	sourcetest.Grows(t, &Format, rollout, sourcetest.File(t, "testdata/"+rollout))
}

func FuzzFormat(f *testing.F) {
	sourcetest.Fuzz(f, &Format, rollout, sourcetest.File(f, "testdata/"+rollout),
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]}`,
		logOf(shown("user_message", "q"), back(1), back(1), shown("user_message", "q")))
}
