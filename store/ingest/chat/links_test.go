package chat

import (
	"errors"
	"strings"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store"
)

func dated(minute int) *Message {
	return &Message{Role: store.User, Time: time.Date(2026, 1, 2, 3, minute, 0, 0, time.UTC)}
}

func TestDraft_DescendToLast(t *testing.T) {
	for name, c := range map[string]struct {
		nodes []Node
		want  string
	}{
		"nothing":               {nil, ""},
		"as the parent lists":   {[]Node{{ID: "r", Children: []string{"b", "a"}}, {ID: "a", Message: dated(1)}, {ID: "b", Message: dated(2)}}, "a"},
		"by time":               {[]Node{{ID: "r"}, {ID: "a", Parent: "r", Message: dated(2)}, {ID: "b", Parent: "r", Message: dated(1)}}, "a"},
		"as in the file":        {[]Node{{ID: "r"}, {ID: "a", Parent: "r"}, {ID: "b", Parent: "r"}}, "b"},
		"unlisted ones follow":  {[]Node{{ID: "r", Children: []string{"a"}}, {ID: "b", Parent: "r", Message: dated(1)}, {ID: "a", Parent: "r", Message: dated(2)}}, "b"},
		"the last, not longest": {[]Node{{ID: "r"}, {ID: "a", Parent: "r", Message: dated(1)}, {ID: "c", Parent: "a", Message: dated(9)}, {ID: "b", Parent: "r", Message: dated(2)}}, "b"},
		"the last root":         {[]Node{{ID: "a", Message: dated(1)}, {ID: "b", Parent: "gone", Message: dated(2)}}, "b"},
		"a cycle":               {[]Node{{ID: "a", Parent: "b"}, {ID: "b", Parent: "a"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := Draft{Nodes: c.nodes}
			if d.DescendToLast(); d.Current != c.want {
				t.Errorf("got %q, want %q", d.Current, c.want)
			}
		})
	}
}

func TestDraft_DateByMessages(t *testing.T) {
	d := Draft{Nodes: []Node{{ID: "a", Message: dated(2)}, {ID: "b"}, {ID: "c", Message: dated(1)}}}
	if d.DateByMessages(); d.Created.Minute() != 1 || d.Updated.Minute() != 2 {
		t.Errorf("from %v to %v", d.Created, d.Updated)
	}
	known := Draft{Created: dated(7).Time, Updated: dated(8).Time, Nodes: d.Nodes}
	if known.DateByMessages(); known.Created.Minute() != 7 || known.Updated.Minute() != 8 {
		t.Errorf("times of the file became %v to %v", known.Created, known.Updated)
	}
}

func TestContentIDs(t *testing.T) {
	yes := Message{Role: store.User, Text: "yes"}
	var ids, again ContentIDs
	first, second := ids.Of(&yes), ids.Of(&yes)
	other := ids.Of(&Message{Role: store.Assistant, Text: "yes"})
	if first == second || first == other || ids.Of(dated(1)) == ids.Of(dated(2)) {
		t.Error("different messages share an id")
	}
	if again.Of(&Message{Role: store.User, Text: "no"}); again.Of(&yes) != first || again.Of(&yes) != second {
		t.Error("ids depend on what else is there")
	}
	if ContentID("ab", "c") == ContentID("a", "bc") {
		t.Error("ids do not depend on where a field ends")
	}
}

func TestElements(t *testing.T) {
	for name, c := range map[string]struct{ in, want, failure string }{
		"an array":       {`[1, {"a":[2]} ,"x"]`, `1|{"a":[2]}|"x"`, ""},
		"lines":          {"{\"conversations\":[1,2]}\n{\"b\":3}\n", `{"conversations":[1,2]}|{"b":3}`, ""},
		"broken":         {`[{"a":1},{"b":`, `{"a":1}`, "incomplete"},
		"a broken line":  {"{\"a\":1}\n{\"b\"", `{"a":1}`, "incomplete"},
		"a scalar":       {`7`, ``, "neither"},
		"nothing":        {``, ``, "empty"},
		"no JSON at all": {`Dear diary`, ``, "not a JSON file"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			failure := ""
			for value, err := range Elements("test: read", strings.NewReader(c.in), nil) {
				var failed *errs.Error
				if errors.As(err, &failed) {
					failure = failed.Message
					continue
				}
				testenv.Must(t, err)
				got = append(got, string(value))
			}
			if strings.Join(got, "|") != c.want || !strings.Contains(failure, c.failure) || (failure == "") != (c.failure == "") {
				t.Errorf("got %q and the error %q", got, failure)
			}
		})
	}
	for range Elements("test: read", strings.NewReader(`[1,2]`), nil) {
		break // must not go on
	}
}

func TestAttached(t *testing.T) {
	if got := Attached([]string{"a.txt", "", "b.jpg"}); got != "[file: a.txt]\n[file: b.jpg]" {
		t.Errorf("got %q", got)
	}
	if got := Paragraphs([]string{"a", " \n", "b"}); got != "a\n\nb" {
		t.Errorf("got %q", got)
	}
}
