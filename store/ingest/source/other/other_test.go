package other

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
	"lens/store/ingest/source/sourcetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestGeneric_Shapes(t *testing.T) {
	const q, a = `{"role":"user","content":"Q?"}`, `{"role":"assistant","content":[{"type":"text","text":"A."},{"type":"image_url"},"B."]}`
	for name, data := range map[string]string{
		"an object":           `{"messages":[` + q + `,` + a + `]}`,
		"a list of objects":   `[{"messages":[` + q + `,` + a + `]}]`,
		"a list of messages":  `[` + q + `,` + a + `]`,
		"lines of messages":   q + "\n" + a + "\n",
		"one line":            `{"messages":[` + q + `,` + a + `]}` + "\n",
		"a wrapper":           `{"conversations":[{"messages":[` + q + `,` + a + `]}]}`,
		"a wrapper with data": `{"status":"ok","data":{"chats":[{"messages":[` + q + `,` + a + `]}]}}`,
		"data alone":          `{"data":[{"messages":[` + q + `,` + a + `]}]}`,
		"ShareGPT":            `{"conversations":[{"from":"human","value":"Q?"},{"from":"gpt","value":"A.\n\nB."}]}`,
		"other names":         `[{"sender":"You","text":"Q?"},{"sender":"Bot","message":"A.\n\nB."}]`,
	} {
		t.Run(name, func(t *testing.T) {
			if !sourcetest.Matches(t, &Generic, "chat.json", data) {
				t.Error("does not match")
			}
			all, skipped := sourcetest.Parse(t, &Generic, "chat.json", data)
			if got := sourcetest.Turns(all); got != `Q? -> A.\n\nB.` || len(skipped) > 0 {
				t.Errorf("got %s, left out %q", got, skipped)
			}
		})
	}
}

func TestGeneric_NoConversations(t *testing.T) {
	for _, data := range []string{
		`{"messages":[{"role":"user","content":"Q?"}]}`, `{"messages":["a"]}`, `[{"role":"admin","content":"x"}]`, `{}`, `[]`,
		`{"messages":[{"role":"user","content":{"parts":[]}},{"role":"assistant","content":{"parts":[]}}]}`,
	} {
		if sourcetest.Matches(t, &Generic, "x.json", data) {
			t.Errorf("%s matches", data)
		}
		all, skipped := sourcetest.Parse(t, &Generic, "x.json", data)
		if len(all) > 0 || len(skipped) != 1 && data != `[]` {
			t.Errorf("%s: %d conversations, left out %q", data, len(all), skipped)
		}
	}
}

func TestGeneric_Lines(t *testing.T) {
	all, skipped := sourcetest.Parse(t, &Generic, "train.jsonl", sourcetest.File(t, "testdata/train.jsonl"))
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Brightest?", `undated "Brightest?" -> "Sirius."`,
		"Nearest?", `undated "Nearest?" -> "The sun."`,
		"Tea", `2025-05-01T00:00:00Z "Hot?" -> "Yes."`,
	})
	sourcetest.Equal(t, skipped, []string{"not a conversation"})
}

// Two files may both have a conversation "1".
func TestGeneric_ShortIDsAreNotEnough(t *testing.T) {
	id := func(words string) string {
		all, _ := sourcetest.Parse(t, &Generic, "x.json", `{"id":"1","messages":[{"role":"user","content":"`+words+`"},{"role":"assistant","content":"A."}]}`)
		return all[0].ID.String()
	}
	if first := id("a"); first == id("b") || first != id("a") {
		t.Error("ids do not depend on the words alone")
	}
	const own = "96bdf63b-0000-4000-8000-000000000001"
	all, _ := sourcetest.Parse(t, &Generic, "x.json", `{"id":"`+own+`","messages":[{"role":"user","content":"Q"},{"role":"ai","content":"A."}]}`)
	if all[0].ID.String() != own {
		t.Errorf("a UUID became %s", all[0].ID)
	}
}

func TestPrograms(t *testing.T) {
	all, skipped := sourcetest.Parse(t, &ChatbotUI, "h.json", sourcetest.File(t, "testdata/chatbot_ui_history.json"))
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Ferns", `undated "Do ferns flower?" -> "No." by gpt-4`, `undated "Do ferns flower?" -> "Still no." by gpt-4`,
	})
	sourcetest.Equal(t, skipped, []string{"not a conversation", "not a conversation"})
	if all[0].SourceID != "h1" {
		t.Errorf("the id became %s", all[0].SourceID)
	}
	all, _ = sourcetest.Parse(t, &BetterChatGPT, "b.json", `[{"id":"b1","title":"Tea","titleSet":true,"messages":[{"role":"user","content":"Hot?"},{"role":"assistant","content":"Yes."}],"config":{"model":"gpt-4"}}]`)
	sourcetest.Equal(t, sourcetest.Outline(all), []string{"Tea", `undated "Hot?" -> "Yes." by gpt-4`})
}

// TestConversations_Unreadable: every element is in a count.
func TestConversations_Unreadable(t *testing.T) {
	const q, a = `{"role":"user","content":"Q?"},`, `{"role":"assistant","content":"A."}`
	for name, c := range map[string]struct {
		json    string
		dropped int
		skipped string
	}{
		"a message without a text":         {`{"messages":[{"role":"tool","content":{"x":1}},` + q + `null,3,` + a + `]}`, 3, "[]"},
		"messages in a message":            {`{"messages":[` + q + a + `,{"messages":[` + q + a + `]}]}`, 1, "[]"},
		"in the place of a conversation":   {`{"chats":[{"messages":[` + q + a + `]},3,{}]}`, 0, "[not a conversation 0 not a conversation 0]"},
		"below data":                       {`{"data":{"messages":[` + q + a + `,3]}}`, 1, "[]"},
		"a conversation that lacks a side": {`[{"messages":[` + q + `3]},{"messages":[` + q + a + `]}]`, 0, "[not a conversation 2]"},
	} {
		var skipped []string
		n, dropped := 0, 0
		for p, err := range generic(strings.NewReader(c.json)) {
			var skip *chat.Skip
			if errors.As(err, &skip) {
				skipped = append(skipped, fmt.Sprintf("%s %d", skip.Reason, skip.Nodes))
				continue
			}
			testenv.Must(t, err)
			n, dropped = n+len(p.Turns), p.Count.Skipped["unreadable message"]
		}
		if n != 1 || dropped != c.dropped || fmt.Sprint(skipped) != c.skipped {
			t.Errorf("%s: %d turns, %d unreadable, left out %v", name, n, dropped, skipped)
		}
	}
}

func TestConversations_Limit(t *testing.T) {
	const q, a = `{"role":"user","content":"Q?"},`, `{"role":"assistant","content":"A."},`
	for name, c := range map[string]struct {
		json  string
		turns int
		code  errs.Code
	}{
		"a list of messages":      {`[` + strings.Repeat(q+a, 100) + `{}]`, 16, errs.TooLarge},
		"a list of conversations": {`[` + strings.Repeat(`{"messages":[`+q+a+`{}]},`, 100) + `{}]`, 100, ""},
	} {
		turns := 0
		var last error
		for p, err := range conversations(strings.NewReader(c.json), false, 1000) {
			var skip *chat.Skip
			if err == nil {
				turns += len(p.Turns)
			} else if !errors.As(err, &skip) {
				last = err
			}
		}
		if c.code != "" && errs.CodeOf(last) != c.code || c.code == "" && last != nil || turns != c.turns {
			t.Errorf("%s: %d turns, %v", name, turns, last)
		}
	}
}

func TestConversations_Damaged(t *testing.T) {
	var got []string
	for p, err := range generic(strings.NewReader(`[{"role":"user","content":"Q?"},{"role":"ai","content":"A."},{"ro`)) {
		if err != nil {
			got = append(got, err.Error())
		} else {
			got = append(got, p.Turns[0].UserText)
		}
	}
	sourcetest.Equal(t, got, []string{"Q?", "other: read: the file is incomplete, its JSON ends early"})
}

// TestConversations_BehindDamage: the list goes on at its next element, never at a part of the damaged one.
func TestConversations_BehindDamage(t *testing.T) {
	const q, a = `{"role":"user","content":"Q?"}`, `{"role":"ai","content":"A."}`
	dialog := func(question string) string {
		return `{"messages":[{"role":"user","content":"` + question + `"},` + a + `]}`
	}
	for name, c := range map[string]struct {
		json string
		want []string
	}{
		"messages": {`[` + q + `,` + a + `,{"role":x},{"role":"user","content":"R?"},` + a + `]`, []string{"Q?", "R?", "12"}},
		"conversations": {
			`[` + dialog("Q?") + `,{"messages":[` + q + `,{"role":"ai","content":` + a + `],` + dialog("R?") + `]`, []string{"Q?", "R?", "98"},
		},
		"the first":             {`[{"messages":[x,` + q + `,` + a + `]},` + dialog("R?") + `]`, []string{"R?", "77"}},
		"only a part behind it": {`[` + dialog("Q?") + `,{"messages":[x,` + q + `,` + a + `]}]`, []string{"Q?", ""}},
	} {
		var got []string
		for p, err := range generic(strings.NewReader(c.json)) {
			if err != nil {
				_, bytes, _ := strings.Cut(errs.First(err).Message, "; ")
				got = append(got, strings.TrimSuffix(bytes, " bytes were skipped, and the rest was read"))
				continue
			}
			for _, turn := range p.Turns {
				got = append(got, turn.UserText)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestConversations_Grown(t *testing.T) {
	before := sourcetest.File(t, "testdata/train.jsonl")
	sourcetest.Grown(t, &Generic, "train.jsonl", before,
		strings.Replace(before, `"value":"The sun."}`, `"value":"The sun."},{"from":"human","value":"Nearest?"}`, 1))
	history := sourcetest.File(t, "testdata/chatbot_ui_history.json")
	sourcetest.Grown(t, &ChatbotUI, "h.json", history,
		strings.Replace(history, `"content":"Still no."}`, `"content":"Still no."},{"role":"user","content":"Do ferns flower?"}`, 1))
}

func TestConversations_SharedFixtures(t *testing.T) {
	for variant, format := range map[string]*source.Format{
		"chatbotui": &ChatbotUI, "typingmind": &TypingMind, "betterchatgpt": &BetterChatGPT,
		"generic_object": &Generic, "sharegpt": &Generic, "openai_finetune_jsonl": &Generic,
	} {
		sourcetest.Fixture(t, format, variant)
	}
}

func FuzzPrograms(f *testing.F) {
	sourcetest.Fuzz(f, &ChatbotUI, "h.json", sourcetest.File(f, "testdata/chatbot_ui_history.json"))
}

func FuzzGeneric(f *testing.F) {
	sourcetest.Fuzz(f, &Generic, "train.jsonl", sourcetest.File(f, "testdata/train.jsonl"),
		`{"data":{"data":{"data":{"data":{"messages":[]}}}}}`, `{"messages":[{"role":"user","messages":[{"role":"ai","content":[]}]}]}`)
}
