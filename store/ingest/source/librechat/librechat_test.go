package librechat

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"lens/store/ingest/chat"
	"lens/store/ingest/source"
	"lens/store/ingest/source/sourcetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConversations(t *testing.T) {
	all, _ := sourcetest.Parse(t, &Format, "Bread.json", sourcetest.File(t, "testdata/Bread.json"))
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Bread",
		`2026-05-01T10:00:01Z "Why does bread rise?" -> "Yeast.\n\nAnd time." by gpt-4o-mini`,
		`2026-05-01T10:00:03Z "[file: crumb.jpg]" -> "Open." by gpt-4o`,
	})
	c := all[0]
	if !maps.Equal(c.Count.UnknownContent, map[string]int{"smell": 1}) || c.Count.Skipped["unreadable message"] != 1 || c.Updated.Minute() != 5 {
		t.Errorf("got %+v, updated %v", c.Count, c.Updated)
	}
}

const tree = `{"conversationId":"L8","title":"T","messagesTree":[{"children":[
	{"messageId":"b","isCreatedByUser":false,"text":"One.","createdAt":"2026-05-01T10:00:02Z","children":[]},
	{"messageId":"b2","isCreatedByUser":false,"text":"Two.","createdAt":"2026-05-01T10:00:03Z","\u00e9":"\ud800"}],
	"messageId":"a","isCreatedByUser":true,"text":"Q?","createdAt":"2026-05-01T10:00:01Z"}]}`

func TestConversations_Tree(t *testing.T) {
	all, _ := sourcetest.Parse(t, &Format, "T.json", tree)
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"T", `2026-05-01T10:00:01Z "Q?" -> "Two."`, `off 2026-05-01T10:00:01Z "Q?" -> "One."`,
	})
	for _, m := range all[0].Messages {
		if strings.Contains(string(m.Raw), "children") || m.SourceID != "a" && m.Parent != all[0].Messages[0].ID {
			t.Errorf("%s has the parent %s and the JSON %s", m.SourceID, m.Parent, m.Raw)
		}
	}
	if got := string(all[0].Messages[2].Raw); !strings.HasSuffix(got, `"é":"\ufffd"}`) || all[0].Count.Scrubbed != 1 {
		t.Errorf("got %s", got)
	}
}

// A message has the same hash in both layouts, so that one after the other changes nothing.
func TestConversations_TreeAndListAreTheSame(t *testing.T) {
	list := `{"conversationId":"L9","messages":[{"messageId":"a","isCreatedByUser":true,"text":"Q?"},{"messageId":"b","parentMessageId":"a","isCreatedByUser":false,"text":"A."}]}`
	nested := `{"conversationId":"L9","messagesTree":[{"messageId": "a", "isCreatedByUser":true,"text":"Q?","children":[{"messageId":"b","parentMessageId":"a","isCreatedByUser":false,"text":"A."}]}]}`
	a, _ := sourcetest.Parse(t, &Format, "a.json", list)
	b, _ := sourcetest.Parse(t, &Format, "b.json", nested)
	if a[0].Hash != b[0].Hash {
		t.Errorf("%s and %s", a[0].Messages[0].Raw, b[0].Messages[0].Raw)
	}
}

func TestConversations_Deep(t *testing.T) {
	const levels = 4_000 // of the 10,000 that JSON may have, a message takes two
	deep := strings.Repeat(`{"isCreatedByUser":true,"text":"`+strings.Repeat("x", 1000)+`","children":[`, levels) + strings.Repeat(`]}`, levels)
	all, _ := sourcetest.Parse(t, &Format, "deep.json", `{"conversationId":"L","messagesTree":[`+deep+`]}`)
	if len(all) != 1 {
		t.Errorf("%d conversations", len(all))
	}
}

func TestConversations_ErrorsAreNoAnswers(t *testing.T) {
	all, _ := sourcetest.Parse(t, &Format, "x.json", `{"conversationId":"x","messages":[{"messageId":"a","isCreatedByUser":true,"text":"Q?"},{"messageId":"b","parentMessageId":"a","text":"Overloaded","error":true}]}`)
	if got := sourcetest.Turns(all); got != "Q? -> " {
		t.Errorf("got %s", got)
	}
}

// TestConversations_DamagedName: the JSON of a message stays well-formed (Parse checks that).
func TestConversations_DamagedName(t *testing.T) {
	all, _ := sourcetest.Parse(t, &Format, "x.json",
		`{"conversationId":"x","messages":[{"messageId":"a","isCreatedByUser":true,"na`+"\xff"+`me":1,"text":"Q?"}]}`)
	if got := string(all[0].Messages[0].Raw); got != `{"messageId":"a","isCreatedByUser":true,"na`+"\uFFFD"+`me":1,"text":"Q?"}` {
		t.Errorf("got %s", got)
	}
}

func TestConversations_WithoutIDs(t *testing.T) {
	all, _ := sourcetest.Parse(t, &Format, "x.json", `{"conversationId":"x","messagesTree":[null,3,
		{"isCreatedByUser":true,"text":"Q?","children":[{"text":"A.","children":[{"isCreatedByUser":true,"text":"Q?"}]}]}]}`)
	sourcetest.Equal(t, sourcetest.Outline(all), []string{"Q?", `undated "Q?" -> "A."`, `undated "Q?" -> ""`})
	if got := all[0].Count.Skipped["unreadable message"]; got != 2 {
		t.Errorf("%d unreadable messages", got)
	}
}

func TestConversations_LeftOut(t *testing.T) {
	_, skipped := sourcetest.Parse(t, &Format, "x.json", `[{"conversationId":"x"},{"messages":[{"isCreatedByUser":true}]},{"conversationId":"x","messages":7}]`)
	sourcetest.Equal(t, skipped, []string{"no messages", "no id", "no messages"})
}

func TestConversations_Grown(t *testing.T) {
	before := sourcetest.File(t, "testdata/Bread.json")
	after := strings.Replace(before, "\n3]", "\n"+`{"messageId":"e","parentMessageId":"d","isCreatedByUser":true,"text":"Thanks"}]`, 1)
	sourcetest.Grown(t, &Format, "Bread.json", before, after)
}

func TestConversations_SharedFixtures(t *testing.T) {
	sourcetest.Fixture(t, &Format, "librechat")
	sourcetest.Fixture(t, &Format, "librechat_tree")
}

func FuzzConversations(f *testing.F) {
	sourcetest.Fuzz(f, &Format, "Bread.json", sourcetest.File(f, "testdata/Bread.json"), tree)
}

// TestConversations_ManyMessages bounds the memory that a file of many short messages takes: in a list, in a tree, and
// of what is none.
func TestConversations_ManyMessages(t *testing.T) {
	for messages, want := range map[string]int{
		`"messages":[` + strings.Repeat(`{"text":"a"},`, 150_000) + `{}]`:                          150_001,
		`"messagesTree":[{"children":[` + strings.Repeat(`{},`, 150_000) + `{}]}]`:                 150_002,
		`"messagesTree":[` + strings.Repeat(`1,`, 100_000) + `{"children":[{"children":[{},2]}]}]`: 100_004,
		`"messages":[` + strings.Repeat(`1,`, 150_000) + `1]`:                                      150_001,
	} {
		skippedWhole(t, &Format, "x.json", `{"conversationId":"x",`+messages+`}`, want)
	}
}

// skippedWhole checks that a file is one conversation that is skipped for the number of its messages.
func skippedWhole(t *testing.T, format *source.Format, name, data string, nodes int) {
	t.Helper()
	n := 0
	for p, err := range format.Read(&source.File{Name: name, Reader: strings.NewReader(data)}) {
		var skip *chat.Skip
		if n++; p != nil || !errors.As(err, &skip) || skip.Reason != "more than 100,000 messages" || skip.Nodes != nodes {
			t.Errorf("%s of %d messages: %+v, %v", name, nodes, skip, err)
		}
	}
	if n != 1 {
		t.Errorf("%s of %d messages: %d conversations", name, nodes, n)
	}
}
