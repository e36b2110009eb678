package claude

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source/sourcetest"
)

func TestConversations_SharedArtifacts(t *testing.T) {
	sourcetest.Fixture(t, &Format, "claude_artifacts")
}

// derivedOf returns what derives from messages, as "kind key version: text".
func derivedOf(t testing.TB, messages string) (all []string) {
	t.Helper()
	for _, p := range parseAll(t, `{"uuid":"c","name":"Chat","chat_messages":[`+messages+`]}`) {
		for _, d := range p.Derived {
			all = append(all, fmt.Sprintf("%s %s %d: %s", d.Kind, d.Key, d.Version, d.Text))
		}
	}
	return all
}

// calls is an answer that calls tools: "name {input}".
func calls(all ...string) string {
	var blocks []string
	for _, call := range all {
		name, input, _ := strings.Cut(call, " ")
		blocks = append(blocks, fmt.Sprintf(`{"type":"tool_use","name":%q,"input":%s}`, name, input))
	}
	return `{"uuid":"a","sender":"assistant","content":[` + strings.Join(blocks, ",") + `]}`
}

func TestDerive_Artifacts(t *testing.T) {
	const create = `artifacts {"command":"create","id":"x","title":"X","content":"one two one"}`
	const at = `"path":"/mnt/user-data/outputs/a.md"`
	for name, c := range map[string]struct {
		message string
		want    []string
	}{
		"the first occurrence": {
			calls(create, `artifacts {"command":"update","id":"x","old_str":"one","new_str":"$1"}`), []string{"artifact x 2: $1 two one", "artifact x#a 1: one two one"},
		},
		"replaced by nothing": {
			calls(create, `artifacts {"command":"update","id":"x","old_str":" two one"}`), []string{"artifact x 2: one", "artifact x#a 1: one two one"},
		},
		"rewritten": {
			calls(create, `artifacts {"command":"rewrite","id":"x","content":"new"}`), []string{"artifact x 2: new", "artifact x#a 1: one two one"},
		},
		"not found": {
			calls(create, `artifacts {"command":"update","id":"x","old_str":"three","new_str":"four"}`),
			[]string{"artifact x 2: one two one\n\n" + chat.Unapplied + "\nfour"},
		},
		"without a beginning": {
			calls(`artifacts {"command":"update","id":"x","old_str":"a","new_str":"b"}`), []string{"artifact x 1: " + chat.Unapplied + "\nb"},
		},
		"only looked at": {calls(`artifacts {"command":"view","id":"x"}`), nil},
		"a file": {
			calls(`create_file {`+at+`,"file_text":"- a"}`, `str_replace {`+at+`,"old_str":"a","new_str":"b"}`),
			[]string{"artifact /mnt/user-data/outputs/a.md 2: - b", "artifact /mnt/user-data/outputs/a.md#a 1: - a"},
		},
		"a tool's own file":        {calls(`create_file {"path":"/home/claude/a.md","file_text":"x"}`), nil},
		"one that it shows":        {calls(`create_file {"path":"/tmp/a.md","file_text":"x"}`, `present_files {"filepaths":["/mnt/user-data/outputs/a.md"]}`), []string{"artifact /tmp/a.md 1: x"}},
		"a change of another file": {calls(`str_replace {"path":"/etc/motd","old_str":"a","new_str":"b"}`), nil},
		"in the text": {
			`{"uuid":"a","sender":"assistant","text":"Here: <antArtifact type=\"text/markdown\" title=\"a > b\" identifier=\"y\">\n# Hi\n</antArtifact> and <antArtifact identifier=\"z\">cut off"}`,
			[]string{"artifact y 1: # Hi", "artifact z 1: cut off"},
		},
		"in a question": {`{"uuid":"h","sender":"human","text":"<antArtifact identifier=\"z\">mine</antArtifact>"}`, nil},
		"fields of the wrong kind": {
			calls(`artifacts {"command":"create","id":"x","content":{}}`, `artifacts []`, `create_file {"path":7,"file_text":"x"}`), nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := derivedOf(t, c.message); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// An abandoned branch changes a document of its own.
// TestDerive_ArtifactWithoutFile: an artifact has a title, and the name of a file only if a tool wrote one.
func TestDerive_ArtifactWithoutFile(t *testing.T) {
	c := &store.Conversation{Messages: []store.Message{{ID: uuid.New(), Role: store.Assistant, OnPath: true, Raw: []byte(
		`{"content":[{"type":"tool_use","name":"artifacts","input":{"command":"create","id":"menu","content":"Soup."}}]}`)}}}
	if got := derive(c); len(got) != 1 || got[0].Name != "" || got[0].Title != "menu" {
		t.Errorf("got %+v", got)
	}
}

func TestDerive_Branches(t *testing.T) {
	call := func(id, parent, input string) string {
		return fmt.Sprintf(`{"uuid":%q,"parent_message_uuid":%q,"sender":"assistant","content":[{"type":"text","text":"x"},{"type":"tool_use","name":"artifacts","input":%s}]}`, id, parent, input)
	}
	p := parseAll(t, `{"uuid":"c","current_leaf_message_uuid":"a3","chat_messages":[
		{"uuid":"q","sender":"human","text":"?"},
		`+call("a1", "q", `{"command":"create","id":"x","content":"one"}`)+`,
		{"uuid":"q2","parent_message_uuid":"a1","sender":"human","text":"left"},
		`+call("a2", "q2", `{"command":"update","id":"x","old_str":"one","new_str":"left"}`)+`,
		{"uuid":"q3","parent_message_uuid":"a1","sender":"human","text":"taken"},
		`+call("a3", "q3", `{"command":"update","id":"x","old_str":"one","new_str":"taken"}`)+`]}`)[0]
	got := map[string]string{}
	p.Derived = slices.DeleteFunc(p.Derived, func(d chat.Derived) bool { return d.Earlier })
	for _, d := range p.Derived {
		for _, turn := range p.Turns {
			if turn.ID == d.Turn {
				got[turn.UserText] = d.Text
			}
		}
	}
	if len(p.Derived) != 2 || got["left"] != "left" || got["taken"] != "taken" {
		t.Errorf("got %q of %+v", got, p.Derived)
	}
}

// Many changes of a long text take bounded time and memory: each searches all of it, and what is beyond is noted as not
// applied.
func TestDerive_ManyChanges(t *testing.T) {
	const size, most = 1 << 20, 256
	long := strings.Repeat("a", size-1) + "b"
	blocks := []string{fmt.Sprintf(`artifacts {"command":"create","id":"x","content":%q}`, long)}
	for i := range 3000 {
		blocks = append(blocks, fmt.Sprintf(`artifacts {"command":"update","id":"x","old_str":"%s","new_str":"%s"}`, "b", fmt.Sprintf("b change%d", i)))
	}
	p := parseAll(t, `{"uuid":"c","chat_messages":[{"uuid":"h","sender":"human","text":"?"},`+calls(blocks...)+`]}`)[0]
	d := p.Derived[0]
	applied := 3000 - d.Unapplied
	last := chat.Unapplied + "\nb change" + strconv.Itoa(applied) // the first that was not applied
	if applied < most/2 || applied > most || d.Version != 3001 || len(d.Text) > chat.MaxText || !strings.Contains(d.Text, last) {
		t.Errorf("version %d with %d unapplied, %d bytes", d.Version, d.Unapplied, len(d.Text))
	}
}

func FuzzDerive(f *testing.F) {
	f.Add([]byte(calls(`artifacts {"command":"create","id":"x","content":"one"}`, `artifacts {"command":"update","id":"x","old_str":"o","new_str":"$&"}`)))
	f.Add([]byte(`{"uuid":"h","sender":"human","attachments":[{"file_name":"a","extracted_content":"b"},{"extracted_content":"\ud800"}]}`))
	f.Add([]byte(`{"uuid":"a","sender":"assistant","text":"<antArtifact identifier=\"y\" title=\"<antArtifact>\">b</antArtifact>"}`))
	f.Fuzz(func(t *testing.T, message []byte) {
		if !json.Valid(message) {
			t.Skip()
		}
		for p := range Conversations(bytes.NewReader([]byte(`{"uuid":"c","chat_messages":[` + string(message) + `]}`))) {
			if p == nil {
				continue
			}
			testenv.Must(t, p.Check())
			keys := map[string]bool{}
			for _, d := range p.Derived {
				key := string(d.Kind) + d.Key
				if keys[key] || d.Text == "" || (d.Kind != store.Artifact && d.Kind != store.Attachment) {
					t.Errorf("%+v is empty or comes twice", d)
				}
				keys[key] = true
			}
		}
	})
}
