package claude

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest/chat"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// parseAll parses data, fails on any error, and checks every conversation.
func parseAll(t testing.TB, data string) []*chat.Parsed {
	t.Helper()
	got := testenv.Collect(t, Conversations(strings.NewReader(data)))
	for _, p := range got {
		if err := p.Check(); err != nil {
			t.Error(err)
		}
	}
	return got
}

func fixture(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile("testdata/conversations.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestConversations_Turns(t *testing.T) {
	var got []string
	for _, c := range parseAll(t, fixture(t)) {
		got = append(got, c.Title)
		for _, turn := range c.Turns {
			got = append(got, fmt.Sprintf("%s %d %q -> %q", turn.Time.Format(time.RFC3339), turn.TimeSource, turn.UserText, turn.AssistantText))
		}
	}
	want := []string{
		"Tea",
		`2026-05-02T08:00:01Z 0 "How long should green tea draw?" -> "Two minutes.\n\nNot longer."`,
		`2026-05-02T08:00:00Z 1 "[file: leaf.txt]\n[file: leaf.jpg]" -> "Older exports have only this."`,
		"Why is it bitter?",
		`2026-05-03T06:00:01Z 0 "Why is it bitter?" -> ""`,
		"Never begun",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestConversations_Fields(t *testing.T) {
	c := parseAll(t, fixture(t))[0]
	if c.Source != store.Claude || c.SourceID != c.ID.String() || c.Created.Nanosecond() != 123456000 || c.Updated.Minute() != 10 {
		t.Errorf("got %+v", c.Conversation)
	}
	if m := c.Messages[1]; !strings.HasPrefix(string(m.Raw), `{"uuid":"10000000-0000-4000-8000-000000000012"`) || m.Parent != c.Messages[0].ID || !m.OnPath {
		t.Errorf("got %s", m.Raw)
	}
}

func TestConversations_Messages(t *testing.T) {
	for name, c := range map[string]struct {
		message string
		text    string
		role    store.Role
		visible bool
	}{
		"text alone":                  {`{"uuid":"m","sender":"assistant","text":"Hi"}`, "Hi", store.Assistant, true},
		"content before text":         {`{"uuid":"m","sender":"assistant","text":"no","content":[{"type":"text","text":"yes"}]}`, "yes", store.Assistant, true},
		"empty content, then text":    {`{"uuid":"m","sender":"human","text":"Hi","content":[]}`, "Hi", store.User, true},
		"content null":                {`{"uuid":"m","sender":"human","text":"Hi","content":null}`, "Hi", store.User, true},
		"content of strings":          {`{"uuid":"m","sender":"human","content":["a","b"]}`, "a\n\nb", store.User, true},
		"only thoughts and tools":     {`{"uuid":"m","sender":"assistant","text":"sorry","content":[{"type":"thinking","thinking":"x"},{"type":"tool_use"}]}`, "", store.Assistant, false},
		"somebody else":               {`{"uuid":"m","sender":"robot","text":"Hi"}`, "Hi", store.Tool, false},
		"fields of the wrong kind":    {`{"uuid":"m","sender":"human","text":["x"],"content":{},"created_at":{},"attachments":3}`, "", store.User, true},
		"a message without anything":  {`{}`, "", store.Tool, false},
		"half a surrogate pair":       {`{"uuid":"m","sender":"human","text":"a\ud800b"}`, "a\uFFFDb", store.User, true},
		"citations leave words alone": {`{"uuid":"m","sender":"assistant","text":"She cited it."}`, "She cited it.", store.Assistant, true},
	} {
		t.Run(name, func(t *testing.T) {
			p := parseAll(t, `{"uuid":"c","chat_messages":[`+c.message+`]}`)[0]
			if m := p.Messages[0]; m.Text != c.text || m.Role != c.role || m.Visible != c.visible {
				t.Errorf("got %q from %s, visible: %t", m.Text, m.Role, m.Visible)
			}
			if (p.Count.Scrubbed == 1) != strings.Contains(c.text, "\uFFFD") {
				t.Errorf("scrubbed %d", p.Count.Scrubbed)
			}
		})
	}
}

func TestConversations_UnknownContent(t *testing.T) {
	p := parseAll(t, `{"uuid":"c","chat_messages":[{"uuid":"m","sender":"human","content":[{"type":"text","text":"x"},{"type":"smell"},{"type":"smell"}]}]}`)[0]
	if !maps.Equal(p.Count.UnknownContent, map[string]int{"smell": 2}) || p.Messages[0].Text != "x" {
		t.Errorf("unknown %v, text %q", p.Count.UnknownContent, p.Messages[0].Text)
	}
}

func TestConversations_Branches(t *testing.T) {
	p := parseAll(t, `{"uuid":"c","current_leaf_message_uuid":"a2","chat_messages":[
		{"uuid":"q","parent_message_uuid":"00000000-0000-4000-8000-000000000000","sender":"human","text":"?"},
		{"uuid":"a1","parent_message_uuid":"q","sender":"assistant","text":"first"},
		{"uuid":"a2","parent_message_uuid":"q","sender":"assistant","text":"second"}]}`)[0]
	if len(p.Turns) != 2 || p.Turns[0].AssistantText != "second" || p.Turns[1].AssistantText != "first" || p.Turns[1].OnPath {
		t.Errorf("turns %+v", p.Turns)
	}
}

func TestConversations_MessagesWithoutIDs(t *testing.T) {
	first := `{"sender":"human","text":"?"},{"sender":"assistant","text":"!"}`
	a := parseAll(t, `{"uuid":"c","chat_messages":[`+first+`]}`)[0]
	b := parseAll(t, `{"uuid":"c","chat_messages":[{"sender":"human","text":"before"},`+first+`]}`)[0]
	if a.Turns[0].ID != b.Turns[1].ID || a.Messages[1].ID != b.Messages[2].ID {
		t.Error("ids depend on the position")
	}
}

func TestConversations_BadConversations(t *testing.T) {
	var got []string
	for p, err := range Conversations(strings.NewReader(`[null,{"uuid":"a"},{"uuid":"b","chat_messages":{}},{"chat_messages":[{}]},{"uuid":"c","chat_messages":[null,3,{"uuid":"m","sender":"human","text":"x"}]}]`)) {
		var skip *chat.Skip
		if errors.As(err, &skip) {
			got = append(got, skip.Reason)
			continue
		}
		if err := p.Check(); err != nil {
			t.Error(err)
		}
		got = append(got, fmt.Sprint(p.Count.Skipped))
	}
	if s := strings.Join(got, "; "); s != "null; no messages; unreadable; no id; map[no message:1 unreadable message:1]" {
		t.Errorf("got %s", s)
	}
}

func FuzzConversations(f *testing.F) {
	f.Add([]byte(fixture(f)))
	for _, s := range []string{
		`[]`, `[{"uuid":"c","chat_messages":[{"uuid":"m"},{"uuid":"m"},null]}]`, `[{"uuid":"c","chat_messages":[{"text":"\ud800`,
		`[{"uuid":"c","chat_messages":[{"uuid":"a","parent_message_uuid":"b"},{"uuid":"b","parent_message_uuid":"a"}]}]`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for p, err := range Conversations(bytes.NewReader(data)) {
			var skip *chat.Skip
			var failed *errs.Error
			switch {
			case err == nil:
				if err := p.Check(); err != nil {
					t.Error(err)
				}
			case errors.As(err, &skip), errors.As(err, &failed) && failed.Hint != "":
			default:
				t.Errorf("%v is no error that a person can act on", err)
			}
		}
	})
}
