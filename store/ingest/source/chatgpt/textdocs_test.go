package chatgpt

import (
	"fmt"
	"strings"
	"testing"

	"lens/store/ingest/chat"
	"lens/store/ingest/source/sourcetest"
)

// TestTextdocs: a document is as the export has it, unless that is older than what the conversation tells.
func TestTextdocs(t *testing.T) {
	chat := string(canvasChat(append(created("one\ntwo"), updateCall("(?<=o)ne", "ne!", false),
		canvasMessage{role: "tool", canvas: `{"textdoc_id":"td1","version":3}`})...))
	asCalled := `canvas td1 "Draft" text/markdown: "one\ntwo\n\n[change not applied]\nne!"`
	exported := []string{`canvas td1 "Draft" text/markdown: "one!\ntwo"`, `canvas td1#m4 "Draft · version 2" text/markdown: "one"`}
	for name, c := range map[string]struct {
		beside sourcetest.Companions
		want   []string
	}{
		"none":                  {nil, []string{asCalled}},
		"a file for each":       {sourcetest.Companions{"x/textdocs/td1.json": `{"id":"td1","version":3,"content":"one!\ntwo"}`}, exported},
		"known by its name":     {sourcetest.Companions{"x/textdocs/td1.json": `{"content":"one!\ntwo"}`}, exported},
		"a list of all":         {sourcetest.Companions{"x/Chat.textdocs.json": `[{"id":"other","content":"no"},{"id":"td1","version":4,"content":"one!\ntwo"}]`}, exported},
		"twice, the newer":      {sourcetest.Companions{"x/textdocs/a.json": `{"id":"td1","version":3,"content":"no"}`, "x/textdocs/b.json": `{"id":"td1","version":4,"content":"one!\ntwo"}`}, exported},
		"an older one":          {sourcetest.Companions{"x/textdocs/td1.json": `{"id":"td1","version":2,"content":"one"}`}, []string{asCalled}},
		"of another folder":     {sourcetest.Companions{"y/textdocs/td1.json": `{"id":"td1","content":"no"}`}, []string{asCalled}},
		"damaged":               {sourcetest.Companions{"x/textdocs/td1.json": `{"id":"td1","content":"no`}, []string{asCalled}},
		"another title, a type": {sourcetest.Companions{"x/textdocs/td1.json": `{"id":"td1","title":"Final","textdoc_type":"code/go","content":"package x"}`}, []string{`canvas td1 "Final" text/x-go: "package x"`, `canvas td1#m4 "Final · version 2" text/x-go: "one\ntwo"`}},
	} {
		t.Run(name, func(t *testing.T) {
			all := sourcetest.ReadWith(t, &Format, "x/conversations.json", chat, c.beside)
			sourcetest.Equal(t, sourcetest.Derived(all), c.want)
			if d := all[0].Derived[0]; d.Turn != all[0].Turns[0].ID {
				t.Errorf("it belongs to %s", d.Turn)
			}
		})
	}
}

// TestTextdocs_Branches: the text goes to the newest message that names the document, in whatever order the nodes come.
func TestTextdocs_Branches(t *testing.T) {
	node := func(id, parent string, time int, message string) string {
		return fmt.Sprintf(`%q:{"parent":%q,"message":{"id":%q,"create_time":%d,%s}}`, id, parent, id, time, message)
	}
	create := `"author":{"role":"assistant"},"recipient":"canmore.create_textdoc","content":{"content_type":"text","parts":["{\"name\":\"D\",\"content\":\"one\"}"]}`
	result := `"author":{"role":"tool","name":"canmore.create_textdoc"},"metadata":{"canvas":{"textdoc_id":"td"}}`
	nodes := []string{
		node("q", "", 1, `"author":{"role":"user"},"content":{"content_type":"text","parts":["Write"]}`),
		node("a", "q", 2, create), node("r", "a", 3, result), node("b", "q", 4, create), node("s", "b", 5, result),
	}
	for _, order := range [][]int{{0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}} {
		var all []string
		for _, i := range order {
			all = append(all, nodes[i])
		}
		got := sourcetest.ReadWith(t, &Format, "conversations.json",
			`[{"id":"c","current_node":"s","mapping":{`+strings.Join(all, ",")+`}}]`,
			sourcetest.Companions{"textdocs/td.json": `{"id":"td","content":"two"}`})
		var texts []string
		for _, d := range got[0].Derived {
			key, _, _ := strings.Cut(d.Key, "@")
			texts = append(texts, fmt.Sprint(key, " ", d.Text, " ", d.Exported, " ", d.Earlier))
		}
		sourcetest.Equal(t, texts, []string{"td one false false", "td two true false", "td#s one false true"})
	}
}

// TestTextdocs_OfOneMessage: several documents that one message names come in the same order each time, as a message is
// known by its JSON.
func TestTextdocs_OfOneMessage(t *testing.T) {
	var named, beside []string
	for i := range 8 {
		named = append(named, fmt.Sprintf(`{"textdoc_id":"td%d","content":"mine"}`, i))
		beside = append(beside, fmt.Sprintf(`{"id":"td%d","content":"text %d"}`, i, i))
	}
	export := `[{"id":"c","current_node":"q","mapping":{"q":{"message":{"id":"q","create_time":1,"author":{"role":"user"},` +
		`"content":{"content_type":"text","parts":["Go on"]},` +
		`"metadata":{"canvas":{"user_created_textdocs":[` + strings.Join(named, ",") + `]}}}}}}]`
	companions := sourcetest.Companions{"textdocs/all.json": "[" + strings.Join(beside, ",") + "]"}
	first := sourcetest.ReadWith(t, &Format, "conversations.json", export, companions)
	if n := len(chat.BesideIn(first[0].Messages[0].Raw)); n != len(beside) {
		t.Fatalf("%d documents, want %d", n, len(beside))
	}
	for range 5 {
		if again := sourcetest.ReadWith(t, &Format, "conversations.json", export, companions); again[0].Hash != first[0].Hash {
			t.Fatal("the same export is another conversation")
		}
	}
}

// FuzzTextdocs: whatever is in such a file, the conversation is read.
func FuzzTextdocs(f *testing.F) {
	chat := string(canvasChat(created("one")...))
	for _, seed := range []string{`{"id":"td1","content":"two"}`, `[{"id":"td1","version":1e9,"content":"\ud800"},7]`, `[]`, `{"id":"td1"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, textdocs string) {
		all := sourcetest.ReadWith(t, &Format, "conversations.json", chat, sourcetest.Companions{"textdocs/td1.json": textdocs})
		if len(all) != 1 || len(all[0].Turns) != 1 {
			t.Errorf("%d conversations", len(all))
		}
	})
}
