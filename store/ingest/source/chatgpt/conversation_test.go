package chatgpt

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"lens/internal/errs"
	"lens/store"
	"lens/store/ingest/chat"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const question = `{"id":"q","author":{"role":"user"},"content":{"content_type":"text","parts":["?"]}}`

func TestConversations_BadConversations(t *testing.T) {
	good := `{"id":"good","mapping":{"q":{"message":` + question + `}}}`
	for name, c := range map[string]struct {
		bad, reason string
		nodes       int
	}{
		"null":                     {`null`, "null", 0},
		"a number":                 {`3`, "not an object", 0},
		"no mapping":               {`{"id":"shell","title":"Empty"}`, "no mapping", 0},
		"a mapping that is null":   {`{"id":"shell","mapping":null}`, "no mapping", 0},
		"a mapping that is a list": {`{"id":"x","mapping":[1]}`, "unreadable", 0},
		"no id":                    {`{"mapping":{"q":{"message":` + question + `},"r":{}}}`, "no id", 2},
	} {
		t.Run(name, func(t *testing.T) {
			var skips []*chat.Skip
			kept := 0
			for _, err := range Conversations(strings.NewReader("[" + good + "," + c.bad + "," + good + "]")) {
				var skip *chat.Skip
				if errors.As(err, &skip) {
					skips = append(skips, skip)
				} else if err != nil {
					t.Fatal(err)
				} else {
					kept++
				}
			}
			if kept != 2 || len(skips) != 1 || skips[0].Reason != c.reason || skips[0].Index != 1 || skips[0].Nodes != c.nodes {
				t.Errorf("kept %d, skipped %+v", kept, skips)
			}
		})
	}
}

func TestConversations_CountsEveryNode(t *testing.T) {
	p := parseAll(t, []byte(`{"id":"c","mapping":{
		"root":{"id":"root","message":null,"children":["q"]},
		"q":{"id":"q","message":`+question+`,"parent":"root"},
		"q":{"id":"q","message":`+question+`,"parent":"root"},
		"twin":{"message":`+question+`,"parent":"q"},
		"list":{"message":[1],"parent":"q"},
		"null":null,
		"text":"x",
		"nameless":{"message":{"create_time":1772355600,"author":{"role":"assistant"},"content":{"parts":["x"]}},"parent":"list"}}}`))[0]
	if got := fmt.Sprint(p.Count.Nodes, p.Count.Messages, p.Count.Skipped); got !=
		"8 2 map[duplicate message id:1 duplicate node id:1 no message:1 unreadable message:1 unreadable node:2]" {
		t.Errorf("got %s", got)
	}
	if len(p.Turns) != 1 || p.Turns[0].AssistantText != "x" {
		t.Errorf("turns %+v", p.Turns)
	}
}

func TestConversations_IDAndModel(t *testing.T) {
	for file, want := range map[string]string{
		`{"id":"a","mapping":{}}`:              "a ",
		`{"conversation_id":"b","mapping":{}}`: "b ",
		`{"id":"a","conversation_id":"b","default_model_slug":"m","model_slug":"n","mapping":{}}`: "b m",
		`{"id":"a","model_slug":"n","mapping":{}}`:                                                "a n",
	} {
		if p := parseAll(t, []byte(file))[0]; p.SourceID+" "+p.Model != want || p.Source != store.ChatGPT {
			t.Errorf("%s: got %s %s", file, p.SourceID, p.Model)
		}
	}
}

func TestConversations_ScrubsTexts(t *testing.T) {
	p := parseAll(t, []byte(`{"id":"c","title":"a\u0000b","mapping":{"q":{"message":{"id":"q","author":{"role":"user"},"content":{"parts":["x\ud83ey\u0000z"]}}},`+
		`"a":{"parent":"q","message":{"id":"a","author":{"role":"assistant"},"content":{"parts":["clean \ud83e\udd86"]}}}}}`))[0]
	if p.Title != "a\uFFFDb" || p.Turns[0].UserText != "x\uFFFDy\uFFFDz" || p.Turns[0].AssistantText != "clean 🦆" || p.Count.Scrubbed != 2 {
		t.Errorf("title %q, turn %+v, scrubbed %d", p.Title, p.Turns[0], p.Count.Scrubbed)
	}
	if raw := string(p.Messages[0].Raw); !strings.Contains(raw, `x\ufffdy\ufffdz`) {
		t.Errorf("raw is %s", raw)
	}
	p = parseAll(t, []byte("{\"id\":\"c\",\"mapping\":{\"q\":{\"message\":{\"id\":\"q\",\"author\":{\"role\":\"user\"},\"content\":{\"parts\":[\"x\xffy\"]}}}}}"))[0]
	if p.Turns[0].UserText != "x\uFFFDy" || p.Count.Scrubbed != 1 {
		t.Errorf("invalid UTF-8: %q, scrubbed %d", p.Turns[0].UserText, p.Count.Scrubbed)
	}
	p = parseAll(t, []byte(`{"id":"c","mapping":{"q":{"message":{"id":"q","author":{"role":"user"},"content":{"parts":["?"]}}},"a":{"parent":"q","message":`+
		`{"id":"a","author":{"role":"assistant"},"content":{"parts":["{\"type\":\"document\",\"content\":\"in\\u0000side\"}"]}}}}}`))[0]
	if p.Turns[0].AssistantText != "in\uFFFDside" {
		t.Errorf("JSON inside JSON: %q", p.Turns[0].AssistantText)
	}
}

func TestConversations_HugeTitle(t *testing.T) {
	p := parseAll(t, []byte(`[{"id":"c","title":"`+strings.Repeat("t", 10<<20)+`","mapping":{"q":{"message":`+question+`}}}]`))[0]
	if len(p.Title) != chat.MaxTitle || p.Count.Truncated != 1 || len(p.Turns) != 1 {
		t.Errorf("title of %d bytes, truncated %d", len(p.Title), p.Count.Truncated)
	}
}

func TestConversations_HashIgnoresNodeOrder(t *testing.T) {
	nodes := []string{
		`"r":{"message":null,"children":["q"]}`,
		`"q":{"parent":"r","children":["a","b"],"message":` + question + `}`,
		`"a":{"parent":"q","children":[],"message":{"id":"a","author":{"role":"assistant"},"content":{"parts":["1"]}}}`,
		`"b":{"parent":"q","children":[],"message":{"id":"b","author":{"role":"assistant"},"content":{"parts":["2"]}}}`,
	}
	write := func(order ...int) []byte {
		var mapping []string
		for _, i := range order {
			mapping = append(mapping, nodes[i])
		}
		return []byte(`{"id":"c","mapping":{` + strings.Join(mapping, ",") + `}}`)
	}
	a, b := parseAll(t, write(0, 1, 2, 3))[0], parseAll(t, write(3, 1, 0, 2))[0]
	if a.Hash != b.Hash || a.Turns[0].AssistantText != "2" {
		t.Errorf("hashes %x and %x, answer %q", a.Hash, b.Hash, a.Turns[0].AssistantText)
	}
}

func fixture(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/conversations.json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func FuzzConversations(f *testing.F) {
	f.Add(fixture(f))
	for _, s := range []string{
		`[]`, `{"conversations":[]}`, `[null]`, `[{"id":"c","mapping":{"a":{"parent":"b"},"b":{"parent":"a"}},"current_node":"a"}]`,
		`[{"id":"c","mapping":{"q":{"message":` + question + `}}}`, `{"id":"c","mapping":{"q":{"message":{"content":{"parts":[{"content_type":"x"}]}}}}}`,
	} {
		f.Add([]byte(s))
	}
	own := canvasMessage{role: "user", body: "?", canvas: `{"user_created_textdocs":[{"textdoc_id":"d","content":"mine"}]}`}
	created := canvasMessage{role: "assistant", to: "canmore.create_textdoc", body: `{"name":"n","type":"document","content":"x"}`}
	noted := canvasMessage{role: "assistant", to: "bio", body: "Likes maps."}
	for _, message := range []canvasMessage{own, created, noted} {
		f.Add(canvasChat(message))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var first []store.Hash
		for p, err := range Conversations(bytes.NewReader(data)) {
			var skip *chat.Skip
			var failed *errs.Error
			switch {
			case err == nil:
				if err := p.Check(); err != nil {
					t.Error(err)
				}
				if all := derive(&p.Conversation); len(all) != len(p.Derived) {
					t.Errorf("%d texts derive, and %d were found", len(all), len(p.Derived))
				}
				first = append(first, p.Hash)
			case errors.As(err, &skip):
			case errors.As(err, &failed) && failed.Hint != "":
			default:
				t.Errorf("%v is no error that a person can act on", err)
			}
		}
		for p, err := range Conversations(bytes.NewReader(data)) {
			if err == nil {
				if len(first) == 0 || first[0] != p.Hash {
					t.Fatal("parsed twice, differently")
				}
				first = first[1:]
			}
		}
	})
}
