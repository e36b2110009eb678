package chat

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

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

// turns writes the turns of p one a line: "+" for the active path or "-", what was asked, what was answered.
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

func TestTurns(t *testing.T) {
	for name, c := range map[string]struct {
		current string
		nodes   []Node
		want    string
	}{
		"a turn is a question and every answer up to the next question": {
			"a3",
			[]Node{{ID: "root"}, user("u1", "root", "q1", 1), assistant("a1", "u1", "x", 2), assistant("a2", "a1", "y", 3), user("u2", "a2", "q2", 4), assistant("a3", "u2", "z", 5)},
			"+q1|x&y +q2|z",
		},
		"tools and silence between answers are no answer": {
			"a2",
			[]Node{user("u1", "", "q1", 1), assistant("e", "u1", "", 2), said("t", "e", store.Tool, "noise", 3), assistant("a2", "t", "y", 4)},
			"+q1|y",
		},
		"the active path is the one that current_node ends": {
			"a1",
			[]Node{user("u1", "", "q1", 1), assistant("a1", "u1", "kept", 2), assistant("a2", "u1", "abandoned", 3)},
			"+q1|kept",
		},
		"without current_node the newest leaf ends the path": {
			"",
			[]Node{user("u1", "", "q1", 1), assistant("a1", "u1", "old", 2), assistant("a2", "u1", "new", 3)},
			"+q1|new",
		},
		"a dangling current_node is as good as none": {
			"gone",
			[]Node{user("u1", "", "q1", 1), assistant("a1", "u1", "x", 2)},
			"+q1|x",
		},
		"a current_node above every message is as good as none": {
			"root",
			[]Node{{ID: "root"}, user("u1", "root", "q1", 1), assistant("a1", "u1", "x", 2)},
			"+q1|x",
		},
		"a leaf without a time is as new as its nearest dated ancestor": {
			"",
			[]Node{user("u1", "", "q1", 1), assistant("a1", "u1", "old", 2), user("u2", "u1", "q2", 5), assistant("a2", "u2", "undated", 0)},
			"+q1| +q2|undated",
		},
		"an edited question is a turn beside the path, answered through its newest child": {
			"a1",
			[]Node{
				{ID: "root"},
				user("u1", "root", "edited", 10), assistant("a1", "u1", "x", 11),
				user("u0", "root", "original", 1), assistant("b1", "u0", "first try", 2), assistant("b2", "u0", "second try", 3), user("u3", "b2", "more", 4),
			},
			"+edited|x -original|second try -more|",
		},
		"a node without parent belongs to whoever lists it": {
			"a1",
			[]Node{{ID: "root", Children: []string{"u1"}}, {ID: "u1", Children: []string{"a1"}, Message: user("u1", "", "q1", 1).Message}, {ID: "a1", Message: assistant("a1", "", "x", 2).Message}},
			"+q1|x",
		},
		"links may use a message's id instead of the node's": {
			"m2",
			[]Node{{ID: "n1", Message: user("m1", "", "q1", 1).Message}, {ID: "n2", Parent: "m1", Message: assistant("m2", "", "x", 2).Message}},
			"+q1|x",
		},
		"parents in a circle keep the whole path": {
			"a2",
			[]Node{user("u1", "a2", "q1", 1), assistant("a1", "u1", "x", 2), user("u2", "a1", "q2", 3), assistant("a2", "u2", "y", 4)},
			"+q1|x +q2|y",
		},
		"a node that is its own parent is a root": {
			"a1",
			[]Node{user("u1", "u1", "q1", 1), assistant("a1", "u1", "x", 2)},
			"+q1|x",
		},
		"a circle beside the path is kept, cut once": {
			"a1",
			[]Node{user("u1", "", "q1", 1), assistant("a1", "u1", "x", 2), user("c1", "c2", "lost", 3), assistant("c2", "c1", "found", 4)},
			"+q1|x -lost|found",
		},
		"an answer before any question is a turn that nobody asked for": {
			"a1",
			[]Node{assistant("a0", "", "hello", 1), user("u1", "a0", "q1", 2), assistant("a1", "u1", "x", 3)},
			"+|hello +q1|x",
		},
		"a question without words is a turn": {
			"a1",
			[]Node{user("u1", "", "", 1), assistant("a1", "u1", "x", 2)},
			"+|x",
		},
		"siblings stand as their parent lists them": {
			"",
			[]Node{{ID: "u1", Children: []string{"b", "a"}, Message: user("u1", "", "q1", 1).Message}, assistant("a", "u1", "listed last", 0), assistant("b", "u1", "listed first", 0)},
			"+q1|listed last",
		},
		"a leaf that says nothing is no end of a path": {
			"",
			[]Node{user("u1", "", "q1", 0), assistant("a1", "u1", "x", 0), {ID: "z"}},
			"+q1|x",
		},
		"nothing is nothing": {"", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := build(t, Draft{ID: "c", Current: c.current, Nodes: c.nodes})
			if got := turns(p); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestDroppedNodesLeaveTheirChildrenToTheirParent(t *testing.T) {
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

func TestOfTwoMessagesWithOneIDTheOneOnThePathIsKept(t *testing.T) {
	double := assistant("x", "u", "on the path", 3)
	double.Message.ID = "same"
	beside := assistant("b", "u", "beside", 2)
	beside.Message.ID = "same"
	p := build(t, Draft{ID: "c", Current: "x", Nodes: []Node{user("u", "", "q", 1), beside, double}})
	if turns(p) != "+q|on the path" || p.Count.Skipped["duplicate message id"] != 1 {
		t.Errorf("turns %s, skipped %v", turns(p), p.Count.Skipped)
	}
}

func TestOfTwoNodesWithOneIDTheLastIsKept(t *testing.T) {
	p := build(t, Draft{ID: "c", Nodes: []Node{user("u", "", "first", 1), user("u", "", "last", 1)}})
	if turns(p) != "+last|" || p.Count.Skipped["duplicate node id"] != 1 || p.Count.Nodes != 2 {
		t.Errorf("turns %s, count %+v", turns(p), p.Count)
	}
}

func TestAChainOfAHundredThousandMessages(t *testing.T) {
	var nodes []Node
	parent := ""
	for i := range 100_000 {
		id := fmt.Sprint(i)
		nodes = append(nodes, said(id, parent, []store.Role{store.User, store.Assistant}[i%2], "t", 0))
		parent = id
	}
	slices.Reverse(nodes)
	if p := build(t, Draft{ID: "c", Current: parent, Nodes: nodes}); len(p.Turns) != 50_000 || !p.Turns[49_999].OnPath {
		t.Errorf("%d turns", len(p.Turns))
	}
}

func TestTurnTimeFallsBackFromTheMessageToUndated(t *testing.T) {
	for name, c := range map[string]struct {
		created, updated, above, own int
		want                         int
		source                       store.TimeSource
	}{
		"the message's own time":                    {1, 2, 3, 4, 4, store.FromMessage},
		"else when the conversation was made":       {1, 2, 3, 0, 1, store.FromConversation},
		"else when the conversation was changed":    {0, 2, 3, 0, 2, store.FromConversation},
		"else the nearest dated ancestor":           {0, 0, 3, 0, 3, store.FromAncestor},
		"else undated, never now and never in 1970": {0, 0, 0, 0, 0, store.Undated},
	} {
		t.Run(name, func(t *testing.T) {
			p := build(t, Draft{ID: "c", Created: at(c.created), Updated: at(c.updated), Nodes: []Node{
				said("s", "", store.System, "", c.above), {ID: "hole", Parent: "s"}, user("u", "hole", "q", c.own),
			}})
			if turn := p.Turns[0]; !turn.Time.Equal(at(c.want)) || turn.TimeSource != c.source {
				t.Errorf("got %v from %d, want %v from %d", turn.Time, turn.TimeSource, at(c.want), c.source)
			}
		})
	}
}

func TestTitles(t *testing.T) {
	long := strings.Repeat("ä", 5<<20)
	for name, c := range map[string]struct{ exported, question, want string }{
		"an exported title stays":                         {"Herons", "What?", "Herons"},
		"no title: the first line of the first question":  {"", "\n What is a heron?\nTell me", "What is a heron?"},
		"a blank title is none":                           {" \n", "What?", "What?"},
		"a title is one line":                             {"a\nb", "What?", "a b"},
		"a title of ten megabytes is cut between letters": {long, "What?", strings.Repeat("ä", MaxTitle/2)},
		"a long first line is shortened":                  {"", strings.Repeat("x", 500), strings.Repeat("x", maxLine) + "…"},
		"nothing said, no title":                          {"", "", ""},
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

func TestTextsAreCutAtTheLimitAndCounted(t *testing.T) {
	p := build(t, Draft{ID: "c", Nodes: []Node{user("u", "", "x"+strings.Repeat("é", MaxText), 1)}})
	if got := len(p.Messages[0].Text); got != MaxText-1 || p.Count.Truncated != 1 {
		t.Errorf("%d bytes, %d truncated", got, p.Count.Truncated)
	}
}

func TestIDs(t *testing.T) {
	const canonical = "bd389b0b-ff88-52c3-b512-5c149674daae"
	if got := messageID("c", canonical); got.String() != canonical {
		t.Errorf("a UUID became %s", got)
	}
	if got := messageID("c", strings.ToUpper(canonical)); got.String() != canonical {
		t.Errorf("an upper-case UUID became %s", got)
	}
	if got, want := conversationID("my chat"), uuid.NewSHA1(Namespace, []byte("my chat")); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if messageID("c1", "1") == messageID("c2", "1") {
		t.Error("two conversations that number their messages share an id")
	}
	if got := messageID("c", uuid.Nil.String()); got == uuid.Nil {
		t.Error("the nil UUID was taken as an id")
	}
}

func TestHashesChangeWithWhatTheyCover(t *testing.T) {
	base := func() Draft {
		return Draft{ID: "c", Title: "t", Current: "a", Nodes: []Node{user("u", "", "q", 1), assistant("a", "u", "x", 2), assistant("b", "u", "y", 3), said("t", "a", store.Tool, "", 4)}}
	}
	p := build(t, base())
	for name, c := range map[string]struct {
		change        func(*Draft)
		turnTooChange bool
	}{
		"the title":       {func(d *Draft) { d.Title = "other" }, false},
		"an answer":       {func(d *Draft) { d.Nodes[1].Message.Text = "z" }, true},
		"raw":             {func(d *Draft) { d.Nodes[1].Message.Raw = []byte(`{}`) }, false},
		"a summary":       {func(d *Draft) { d.Nodes[1].Message.Summary = "s" }, true},
		"a time":          {func(d *Draft) { d.Nodes[0].Message.Time = at(9) }, true},
		"the active path": {func(d *Draft) { d.Current = "b" }, true},
		"a tool's place":  {func(d *Draft) { d.Current = "t" }, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := base()
			c.change(&d)
			q := build(t, d)
			if q.Hash == p.Hash {
				t.Error("the conversation's hash is the same")
			}
			if (q.Turns[0].Hash != p.Turns[0].Hash) != c.turnTooChange {
				t.Errorf("the turn's hash changed: %t, want %t", !c.turnTooChange, c.turnTooChange)
			}
		})
	}
	if again := build(t, base()); again.Hash != p.Hash {
		t.Error("the same draft has two hashes")
	}
}

// drafts draws conversations as bad as any file could hold them: links anywhere, ids twice, circles, holes.
func drafts(t *rapid.T) Draft {
	n := rapid.IntRange(0, 12).Draw(t, "nodes")
	id := rapid.Custom(func(t *rapid.T) string { return fmt.Sprint(rapid.IntRange(0, n+1).Draw(t, "id")) })
	d := Draft{ID: "c", Title: rapid.String().Draw(t, "title"), Current: id.Draw(t, "current"), Created: at(rapid.IntRange(0, 2).Draw(t, "created"))}
	for i := range n {
		node := Node{ID: fmt.Sprint(i), Children: rapid.SliceOfN(id, 0, 3).Draw(t, "children")}
		if rapid.Bool().Draw(t, "linked") {
			node.Parent = id.Draw(t, "parent")
		}
		if rapid.IntRange(0, 9).Draw(t, "hole") > 0 {
			role := rapid.SampledFrom([]store.Role{store.User, store.Assistant, store.Tool}).Draw(t, "role")
			node.Message = said(fmt.Sprint("m", rapid.IntRange(0, 3*n).Draw(t, "message")), "", role, rapid.String().Draw(t, "text"), rapid.IntRange(0, 3).Draw(t, "time")).Message
		}
		d.Nodes = append(d.Nodes, node)
	}
	return d
}

func TestWhateverIsBuiltKeepsItsPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drafts(t)
		if n := len(d.Nodes); n > 1 && rapid.Bool().Draw(t, "repeat") {
			d.Nodes[n-1].ID = d.Nodes[0].ID
		}
		if err := Build(&d).Check(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestTheOrderOfNodesInTheFileMeansNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drafts(t)
		seen := map[string]bool{}
		for _, n := range d.Nodes { // which of two equal ids is kept may depend on the order
			if n.Message != nil && seen[n.Message.ID] {
				t.Skip()
			} else if n.Message != nil {
				seen[n.Message.ID] = true
			}
		}
		shuffled := d
		shuffled.Nodes = rapid.Permutation(d.Nodes).Draw(t, "order")
		if a, b := Build(&d), Build(&shuffled); a.Hash != b.Hash {
			t.Fatalf("%s became %s", turns(a), turns(b))
		}
	})
}

func TestCheckSeesBrokenPromises(t *testing.T) {
	for name, breakIt := range map[string]func(*Parsed){
		"an account that does not add up": func(p *Parsed) { p.Count.Nodes++ },
		"a message before its parent":     func(p *Parsed) { p.Messages[0].Parent = p.Messages[1].ID },
		"a message in an unknown turn":    func(p *Parsed) { p.Messages[1].Turn = uuid.New() },
		"a text with NUL":                 func(p *Parsed) { p.Messages[1].Text = "\x00" },
		"a turn that says something else": func(p *Parsed) { p.Turns[0].AssistantText = "other" },
		"a dated undated turn":            func(p *Parsed) { p.Turns[0].TimeSource = store.Undated },
		"a turn out of order":             func(p *Parsed) { p.Turns[0].Position = 4 },
	} {
		t.Run(name, func(t *testing.T) {
			p := build(t, Draft{ID: "c", Nodes: []Node{user("u", "", "q", 1), assistant("a", "u", "x", 2)}})
			if breakIt(p); p.Check() == nil {
				t.Error("Check saw nothing")
			}
		})
	}
}

func TestAMessageThatIsTooLongLeavesAMarkerOfItsOwn(t *testing.T) {
	kept := make(map[string]bool)
	for _, end := range []string{"a", "b"} {
		n := user("u", "", "question", 1)
		n.Message.Raw = []byte(`{"x":"` + strings.Repeat("x", MaxRaw) + end + `"}`)
		size := len(n.Message.Raw)
		p := build(t, Draft{ID: "c", Nodes: []Node{n}})
		var raw struct {
			NotKept struct {
				Bytes  int    `json:"bytes"`
				SHA256 string `json:"sha256"`
			} `json:"lens_not_kept"`
		}
		if err := json.Unmarshal(p.Messages[0].Raw, &raw); err != nil {
			t.Fatal(err)
		}
		if raw.NotKept.Bytes != size || len(raw.NotKept.SHA256) != 64 || p.Count.Truncated != 1 || p.Messages[0].Text != "question" {
			t.Errorf("%s, %d truncated", p.Messages[0].Raw, p.Count.Truncated)
		}
		kept[fmt.Sprint(p.Messages[0].Hash)] = true
	}
	if len(kept) != 2 {
		t.Error("two messages with different ends look alike")
	}
	n := user("u", "", "question", 1)
	n.Message.Raw = []byte(`"` + strings.Repeat("x", MaxRaw-2) + `"`)
	if p := build(t, Draft{ID: "c", Nodes: []Node{n}}); len(p.Messages[0].Raw) != MaxRaw || p.Count.Truncated != 0 {
		t.Errorf("at the limit: %d bytes kept, %d truncated", len(p.Messages[0].Raw), p.Count.Truncated)
	}
}
