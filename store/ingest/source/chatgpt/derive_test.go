package chatgpt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source/sourcetest"
)

func TestConversations_SharedCanvas(t *testing.T) { sourcetest.Fixture(t, &Format, "chatgpt_canvas") }

// canvasMessage is a message of a chat about canvas documents.
type canvasMessage struct {
	role, to, body, canvas string // canvas: JSON of metadata.canvas
	under                  string // "": the message before
}

// canvasChat returns a chat of messages m0, m1 …
func canvasChat(messages ...canvasMessage) []byte {
	nodes := map[string]any{}
	last := ""
	for i, m := range messages {
		if m.under != "" {
			last = m.under
		}
		id := fmt.Sprintf("m%d", i)
		message := map[string]any{
			"id": id, "author": map[string]string{"role": m.role}, "recipient": m.to,
			"content": map[string]any{"content_type": "text", "parts": []string{m.body}},
		}
		if m.canvas != "" {
			message["metadata"] = map[string]any{"canvas": json.RawMessage(m.canvas)}
		}
		nodes[id] = map[string]any{"id": id, "parent": last, "message": message}
		last = id
	}
	body, err := json.Marshal([]any{map[string]any{"id": "c", "title": "Chat", "mapping": nodes, "current_node": last}})
	if err != nil {
		panic(err)
	}
	return body
}

func updateCall(pattern, replacement string, multiple bool) canvasMessage {
	body, err := json.Marshal(map[string]any{"updates": []any{
		map[string]any{"pattern": pattern, "replacement": replacement, "multiple": multiple},
	}})
	if err != nil {
		panic(err)
	}
	return canvasMessage{role: "assistant", to: "canmore.update_textdoc", body: string(body)}
}

func created(content string) []canvasMessage {
	body, err := json.Marshal(map[string]string{"name": "Draft", "type": "document", "content": content})
	if err != nil {
		panic(err)
	}
	return []canvasMessage{
		{role: "user", body: "Write it"},
		{role: "assistant", to: "canmore.create_textdoc", body: string(body)},
		{role: "tool", canvas: `{"textdoc_id":"td1"}`},
	}
}

func TestDerive_Updates(t *testing.T) {
	for name, c := range map[string]struct {
		text, pattern, replacement string
		all                        bool
		want                       string
	}{
		"the whole text, literally":  {"old\ntext", ".*", `$1 \n \1`, false, `$1 \n \1`},
		"a pattern of all":           {"old\ntext", `^[\s\S]*$`, "new", true, "new"},
		"the first match":            {"a b a", "a", "c", false, "c b a"},
		"all matches":                {"a b a", "a", "c", true, "c b c"},
		"a group":                    {"cost: 5 EUR", `(\d+) EUR`, `$ \1.00`, false, "cost: $ 5.00"},
		"a group by number":          {"x1", `x(\d)`, `\g<1>0`, false, "10"},
		"a group by name":            {"ab", `(?P<first>a)b`, `\g<first>!`, false, "a!"},
		"a group that did not match": {"b", `(a)?b`, `[\1]`, false, "[]"},
		"escapes":                    {"a", "a", `x\ty\\z\n`, false, "x\ty\\z"},
		"the end of a line":          {"a one\nb", "one$", "two", false, "a two\nb"},
		"a whole line":               {"a\nb c\nd", "^b.*$", "x", false, "a\nx\nd"},
		"the end of the text":        {"a\n", `a$`, "b", false, "b"},
		"across lines":               {"a\nb\nc", "a.*c", "x", false, "x"},
		"Unicode words":              {"un café", `\w+é`, "thé", false, "un thé"},
		"in brackets":                {"caf\u00e9-x.", `[\w-]+`, "x", false, "x."},
		"a character by its number":  {"caf\u00e9", `\u00e9`, "e", false, "cafe"},
		"a bracket in brackets":      {"a]b", `[]a]+`, "x", false, "xb"},
		"the end in Python":          {"aa", `a\Z`, "b", false, "ab"},
		"no match":                   {"a", "z", "words", false, "a\n\n" + chat.Unapplied + "\nwords"},
		"looking around":             {"ab", "(?<=a)b", "words", false, "ab\n\n" + chat.Unapplied + "\nwords"},
		"a group that is not there":  {"a", "a", `words \2`, false, "a\n\n" + chat.Unapplied + "\nwords \\2"},
		"not an expression":          {"a", "(", "words", false, "a\n\n" + chat.Unapplied + "\nwords"},
		"a literal":                  {"a.b a-b a.b", `a\.b`, `\g<0>\n`, true, "a.b\n a-b a.b"},
		"empty matches":              {"ab", "x*", "-", true, "-a-b-"},
	} {
		t.Run(name, func(t *testing.T) {
			p := parseAll(t, canvasChat(append(created(c.text), updateCall(c.pattern, c.replacement, c.all))...))[0]
			d := p.Derived[0]
			if got := strings.TrimRight(d.Text, "\n"); got != strings.TrimRight(c.want, "\n") || d.Key != "td1" || d.Version != 2 {
				t.Errorf("got %q of %+v, want %q", got, d, c.want)
			}
		})
	}
}

func TestDerive_Canvas(t *testing.T) {
	update := updateCall("one", "two", false)
	for name, c := range map[string]struct {
		messages []canvasMessage
		want     []string
	}{
		"of the user": {
			[]canvasMessage{{role: "user", body: "My draft", canvas: `{"user_created_textdocs":[{"textdoc_id":"u","title":"Mine","type":"code/go","content":"package x"}]}`}},
			[]string{`u "Mine" text/x-go: package x`},
		},
		"edited by the user": {
			append(created("one"), canvasMessage{role: "user", body: "I changed it", canvas: `{"user_created_textdocs":[{"textdoc_id":"td1","content":"mine"}]}`}),
			[]string{`td1 "Draft" text/markdown: mine`, `td1#m3 "Draft · version 1" text/markdown: one`},
		},
		"stopped": {
			[]canvasMessage{{role: "assistant", to: "canmore.create_textdoc", body: `{"name":"X","type":"document","content":"one \"two\" thr\u00`}},
			[]string{`m0 "" : one "two" thr`},
		},
		"without a result": {append(created("one")[:2], update), []string{`m1 "Draft" text/markdown: two`, `m1#m2 "Draft · version 1" text/markdown: one`}},
		"commented": {
			append(created("one"), canvasMessage{role: "assistant", to: "canmore.comment_textdoc", body: `{"comments":[{"pattern":"one","comment":"Too short"}]}`}),
			[]string{"td1 \"Draft\" text/markdown: one\n\n[comment]\nToo short"},
		},
		"no document": {[]canvasMessage{update, {role: "user", body: `"canmore." is a tool`}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, d := range parseAll(t, canvasChat(c.messages...))[0].Derived {
				got = append(got, fmt.Sprintf("%s %q %s: %s", d.Key, d.Title, d.MIME, d.Text))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Expressions that would take minutes or gigabytes are not applied, or not that often: each of them matches the first
// letter, once all of the text was searched.
func TestDerive_PatternBombs(t *testing.T) {
	const times = 300
	long := strings.Repeat("x", 256<<10)
	for name, c := range map[string]struct {
		pattern, replacement string
		most                 int // how often it may be applied
	}{
		"repetition":        {strings.Repeat("(", 8) + "y" + strings.Repeat("{9})", 8) + "|x", "x", 0},
		"many groups":       {strings.Repeat("()", 5000) + "|x", "x", 0},
		"many classes":      {strings.Repeat(`\w`, 8000) + "y|x", "x", 0},
		"some classes":      {strings.Repeat(`\w`, 200) + "y|x", "x", 0},
		"one long pattern":  {strings.Repeat("x?", 8000) + "y|x", "x", 0},
		"looks far ahead":   {"x+y|x", "x", 20},
		"groups":            {"(x)(x)(x)(x)(y)|(x)", "x", 3},
		"growing by groups": {"(x+)", strings.Repeat(`\1`, 1000), 0},
		"all threads":       {"(?:x?){50}x{50}y|x", "x", 2},
		"long literals":     {strings.Repeat("x", 60<<10), strings.Repeat("x", 60<<10), 256 << 20 / (256 << 10)},
	} {
		t.Run(name, func(t *testing.T) {
			messages := created(long)
			for range times {
				messages = append(messages, updateCall(c.pattern, c.replacement, false))
			}
			p := parseAll(t, canvasChat(messages...))[0]
			d := p.Derived[0]
			if applied := times - d.Unapplied; applied > c.most || d.Version != times+1 || len(d.Text) > chat.MaxText {
				t.Errorf("applied %d times, version %d, %d bytes", applied, d.Version, len(d.Text))
			}
		})
	}
}

// Each pattern is found in the text, and beyond one limit in the second text or pattern.
func TestDerive_PatternLimits(t *testing.T) {
	const long = 300 << 10
	for name, c := range map[string]struct {
		text, pattern string // applied
		text2, beyond string // not applied
		times         int
	}{
		"the pattern":      {"ab", "[" + strings.Repeat("a", 4000) + "]", "ab", "[" + strings.Repeat("a", 5000) + "]", 1},
		"its program":      {"ab", "(?:a?){300}b", "ab", "(?:a?){900}b", 1},
		"nested programs":  {"ab", "(?:(?:a?){9}){9}b", "ab", "(?:(?:a?){60}){60}b", 1},
		"groups":           {"ab", strings.Repeat("()", 20) + "b", "ab", strings.Repeat("()", 21) + "b", 1},
		"matches":          {strings.Repeat("ab", 300), "[ab]", strings.Repeat("ab", 6000), "[ab]", 1},
		"literal matches":  {strings.Repeat("ab", 9000), "b", strings.Repeat("ab", 11000), "b", 1},
		"the text":         {strings.Repeat("a", long), "a[^a]*$", strings.Repeat("a", 2*long), "a[^a]*$", 1},
		"all steps":        {strings.Repeat("a", long) + "b", "[ac]+b", strings.Repeat("a", long) + "b", "([ac]+)(b)", 100},
		"parsing":          {"ab", `\w\w`, "ab", strings.Repeat(`\w?`, 200), 100},
		"a literal's size": {strings.Repeat("a", 60<<10), strings.Repeat("a", 60<<10), strings.Repeat("a", 70<<10), strings.Repeat("a", 70<<10), 1},
	} {
		t.Run(name, func(t *testing.T) {
			unapplied := func(text, pattern string, times int) int {
				messages := created(text)
				for range times {
					messages = append(messages, updateCall(pattern, `\g<0>`, true))
				}
				return parseAll(t, canvasChat(messages...))[0].Derived[0].Unapplied
			}
			if n := unapplied(c.text, c.pattern, 1); n != 0 {
				t.Error("a pattern within the limit is not applied")
			}
			if n := unapplied(c.text2, c.beyond, c.times); n == 0 || c.times == 1 && n != 1 {
				t.Errorf("beyond the limit, %d of %d are not applied", n, c.times)
			}
		})
	}
}

func FuzzDerive_Updates(f *testing.F) {
	for _, s := range [][3]string{
		{"a b", `(\w+) b`, `\1`},
		{"a\nb", `(?P<n>a)$`, `\g<n>\\`},
		{"", ".*", "x"},
		{"a]", `[^]\W\S]`, `\g<`},
		{"x", `\u00e9\U0001F600\Z`, `\12`},
		{"a.b.", `\.`, `\g<0>`},
		{"aaa", "(a*)*", `\1\1`},
	} {
		f.Add(s[0], s[1], s[2], true)
	}
	f.Fuzz(func(t *testing.T, text, pattern, replacement string, all bool) {
		data := canvasChat(append(created(text), updateCall(pattern, replacement, all))...)
		for p := range Conversations(bytes.NewReader(data)) {
			if p == nil {
				continue
			}
			testenv.Must(t, p.Check())
			for _, d := range p.Derived {
				if d.Kind != store.Canvas || len(d.Text) > chat.MaxText || strings.TrimSpace(d.Text) == "" {
					t.Errorf("got %+v", d)
				}
			}
		}
	})
}
