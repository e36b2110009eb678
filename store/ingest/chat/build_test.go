package chat

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/store"
)

func at(seconds int) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(int64(seconds), 0).UTC()
}

func said(id, parent string, role store.Role, text string, seconds int) Node {
	return Node{ID: id, Parent: parent, Message: &Message{
		ID: id, Role: role, Text: text, Time: at(seconds), Visible: role == store.User || role == store.Assistant,
		ContentType: "text", Raw: []byte(`{"id":"` + id + `"}`),
	}}
}

func user(id, parent, text string, seconds int) Node {
	return said(id, parent, store.User, text, seconds)
}

func assistant(id, parent, text string, seconds int) Node {
	return said(id, parent, store.Assistant, text, seconds)
}

func build(t *testing.T, d Draft) *Parsed {
	t.Helper()
	p := Build(&d)
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	return p
}

// turns returns the turns of p, one per line: "+" if on the active path, else "-"; the question; the answer.
func turns(p *Parsed) string {
	var all []string
	for _, turn := range p.Turns {
		mark := "-"
		if turn.OnPath {
			mark = "+"
		}
		all = append(all, mark+turn.UserText+"|"+strings.ReplaceAll(turn.AssistantText, "\n\n", "&"))
	}
	return strings.Join(all, " ")
}

func TestBuild_DroppedNodes(t *testing.T) {
	p := build(t, Draft{ID: "c", Nodes: []Node{
		{ID: "root"}, user("u", "root", "q", 1), {ID: "hole", Parent: "u", Dropped: "unreadable message"}, assistant("a", "hole", "x", 2),
	}})
	if p.Messages[0].Parent != uuid.Nil || p.Messages[1].Parent != p.Messages[0].ID {
		t.Errorf("parents are %s and %s", p.Messages[0].Parent, p.Messages[1].Parent)
	}
	if p.Count.Skipped["no message"] != 1 || p.Count.Skipped["unreadable message"] != 1 || turns(p) != "+q|x" {
		t.Errorf("skipped %v, turns %s", p.Count.Skipped, turns(p))
	}
}

func TestBuild_DuplicateMessageID(t *testing.T) {
	double := assistant("x", "u", "on the path", 3)
	double.Message.ID = "same"
	beside := assistant("b", "u", "beside", 2)
	beside.Message.ID = "same"
	p := build(t, Draft{ID: "c", Current: "x", Nodes: []Node{user("u", "", "q", 1), beside, double}})
	if turns(p) != "+q|on the path" || p.Count.Skipped["duplicate message id"] != 1 {
		t.Errorf("turns %s, skipped %v", turns(p), p.Count.Skipped)
	}
}

func TestBuild_DuplicateNodeID(t *testing.T) {
	p := build(t, Draft{ID: "c", Nodes: []Node{user("u", "", "first", 1), user("u", "", "last", 1)}})
	if turns(p) != "+last|" || p.Count.Skipped["duplicate node id"] != 1 || p.Count.Nodes != 2 {
		t.Errorf("turns %s, count %+v", turns(p), p.Count)
	}
}

func TestBuild_Titles(t *testing.T) {
	long := strings.Repeat("ä", 5<<20)
	for name, c := range map[string]struct{ exported, question, want string }{
		"an exported title stays":                         {"Herons", "What?", "Herons"},
		"no title: the first line of the first question":  {"", "\n What is a heron?\nTell me", "What is a heron?"},
		"a blank title counts as none":                    {" \n", "What?", "What?"},
		"a title is one line":                             {"a\nb", "What?", "a b"},
		"a title of ten megabytes is cut between letters": {long, "What?", strings.Repeat("ä", MaxTitle/2)},
		"a long first line is shortened":                  {"", strings.Repeat("x", 500), strings.Repeat("x", maxLine) + "…"},
		"no messages, no title":                           {"", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := build(t, Draft{ID: "c", Title: c.exported, Nodes: []Node{user("u", "", c.question, 1)}})
			if p.Title != c.want {
				t.Errorf("got %.80q, want %.80q", p.Title, c.want)
			}
			if (p.Count.Truncated == 1) != (len(c.exported) > MaxTitle) {
				t.Errorf("truncated %d", p.Count.Truncated)
			}
		})
	}
}

func TestCount_UnknownWithoutAType(t *testing.T) {
	var c Count
	if c.Unknown(""); c.UnknownContent["content without a type"] != 1 || len(c.UnknownContent) != 1 {
		t.Errorf("counted %v", c.UnknownContent)
	}
}
