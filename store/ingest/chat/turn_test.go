package chat

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"lens/store"
)

func TestBuild_Turns(t *testing.T) {
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
		"tool calls and empty messages between answers do not count": {
			"a2",
			[]Node{user("u1", "", "q1", 1), assistant("e", "u1", "", 2), said("t", "e", store.Tool, "noise", 3), assistant("a2", "t", "y", 4)},
			"+q1|y",
		},
		"current_node ends the active path": {
			"a1",
			[]Node{user("u1", "", "q1", 1), assistant("a1", "u1", "kept", 2), assistant("a2", "u1", "abandoned", 3)},
			"+q1|kept -q1|abandoned",
		},
		"without current_node the newest leaf ends the path": {
			"",
			[]Node{user("u1", "", "q1", 1), assistant("a1", "u1", "old", 2), assistant("a2", "u1", "new", 3)},
			"+q1|new -q1|old",
		},
		"a dangling current_node is ignored": {
			"gone",
			[]Node{user("u1", "", "q1", 1), assistant("a1", "u1", "x", 2)},
			"+q1|x",
		},
		"a current_node above all messages is ignored": {
			"root",
			[]Node{{ID: "root"}, user("u1", "root", "q1", 1), assistant("a1", "u1", "x", 2)},
			"+q1|x",
		},
		"a leaf without a time is as new as its nearest dated ancestor": {
			"",
			[]Node{user("u1", "", "q1", 1), assistant("a1", "u1", "old", 2), user("u2", "u1", "q2", 5), assistant("a2", "u2", "undated", 0)},
			"+q1| +q2|undated -q1|old",
		},
		"an edited question off the path takes its newest answer": {
			"a1",
			[]Node{
				{ID: "root"},
				user("u1", "root", "edited", 10), assistant("a1", "u1", "x", 11),
				user("u0", "root", "original", 1), assistant("b1", "u0", "first try", 2), assistant("b2", "u0", "second try", 3), user("u3", "b2", "more", 4),
			},
			"+edited|x -original|second try -original|first try -more|",
		},
		"a node without a parent belongs to the node that lists it": {
			"a1",
			[]Node{{ID: "root", Children: []string{"u1"}}, {ID: "u1", Children: []string{"a1"}, Message: user("u1", "", "q1", 1).Message}, {ID: "a1", Message: assistant("a1", "", "x", 2).Message}},
			"+q1|x",
		},
		"links may use a message's id instead of the node's": {
			"m2",
			[]Node{{ID: "n1", Message: user("m1", "", "q1", 1).Message}, {ID: "n2", Parent: "m1", Message: assistant("m2", "", "x", 2).Message}},
			"+q1|x",
		},
		"a cycle of parents keeps the whole path": {
			"a2",
			[]Node{user("u1", "a2", "q1", 1), assistant("a1", "u1", "x", 2), user("u2", "a1", "q2", 3), assistant("a2", "u2", "y", 4)},
			"+q1|x +q2|y",
		},
		"a cycle is cut above its earliest message": {
			"c2",
			[]Node{user("z", "b2", "first", 1), assistant("b1", "z", "x", 2), user("c2", "b1", "second", 3), assistant("b2", "c2", "y", 4)},
			"+first|x +second| -second|y",
		},
		"an orphan hangs on the newest earlier message": {
			"",
			[]Node{user("u1", "", "q1", 1), assistant("a1", "u1", "x", 2), user("u2", "lost", "q2", 3), assistant("a2", "u2", "y", 4)},
			"+q1|x +q2|y",
		},
		"with a current_node, an orphan is a root": {
			"a2",
			[]Node{user("u1", "", "q1", 1), assistant("a1", "u1", "x", 2), user("u2", "lost", "q2", 3), assistant("a2", "u2", "y", 4)},
			"+q2|y -q1|x",
		},
		"an orphan may hang on another, never on what follows it": {
			"",
			[]Node{user("u2", "lost", "q2", 5), assistant("a2", "u2", "y", 1), user("u3", "gone", "q3", 9)},
			"+q2| +q3| -q2|y",
		},
		"a node that is its own parent is a root": {
			"a1",
			[]Node{user("u1", "u1", "q1", 1), assistant("a1", "u1", "x", 2)},
			"+q1|x",
		},
		"a cycle off the path is cut once": {
			"a1",
			[]Node{user("u1", "", "q1", 1), assistant("a1", "u1", "x", 2), user("c1", "c2", "lost", 3), assistant("c2", "c1", "found", 4)},
			"+q1|x -lost|found",
		},
		"an answer before any question is a turn": {
			"a1",
			[]Node{assistant("a0", "", "hello", 1), user("u1", "a0", "q1", 2), assistant("a1", "u1", "x", 3)},
			"+|hello +q1|x",
		},
		"an empty question is a turn": {
			"a1",
			[]Node{user("u1", "", "", 1), assistant("a1", "u1", "x", 2)},
			"+|x",
		},
		"siblings are in their parent's order": {
			"",
			[]Node{{ID: "u1", Children: []string{"b", "a"}, Message: user("u1", "", "q1", 1).Message}, assistant("a", "u1", "listed last", 0), assistant("b", "u1", "listed first", 0)},
			"+q1|listed last -q1|listed first",
		},
		"a leaf without a message does not end the path": {
			"",
			[]Node{user("u1", "", "q1", 0), assistant("a1", "u1", "x", 0), {ID: "z"}},
			"+q1|x",
		},
		"an answer that was not chosen ends at the next question": {
			"a1",
			[]Node{user("u1", "", "q1", 1), assistant("a1", "u1", "x", 9), assistant("b1", "u1", "other", 2), said("t", "b1", store.Tool, "noise", 3), assistant("b2", "t", "more", 4), user("u2", "b2", "q2", 5), assistant("c1", "u2", "z", 6)},
			"+q1|x -q1|other&more -q2|z",
		},
		"an answer that parts from the chosen one has its own end alone": {
			"a2",
			[]Node{user("u1", "", "q1", 1), assistant("a1", "u1", "x", 2), assistant("a2", "a1", "y", 3), assistant("b2", "a1", "z", 4)},
			"+q1|x&y -q1|z",
		},
		"an answer below a hidden message": {
			"a1",
			[]Node{user("u1", "", "q1", 1), assistant("a1", "u1", "x", 2), said("t", "u1", store.Tool, "noise", 3), assistant("b1", "t", "y", 4), assistant("b2", "t", "z", 5)},
			"+q1|x -q1|y -q1|z",
		},
		"another greeting is a turn without a question": {
			"g1",
			[]Node{{ID: "root"}, assistant("g1", "root", "hello", 1), assistant("g2", "root", "hi", 2)},
			"+|hello -|hi",
		},
		"a question without an answer on the path": {
			"u1",
			[]Node{user("u1", "", "q1", 1), assistant("a1", "u1", "x", 2), assistant("a2", "u1", "y", 3)},
			"+q1| -q1|x -q1|y",
		},
		"no nodes": {"", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := build(t, Draft{ID: "c", Current: c.current, Nodes: c.nodes})
			if got := turns(p); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestBuild_AnswersNotChosen(t *testing.T) {
	p := build(t, Draft{ID: "c", Current: "a1", Nodes: []Node{
		user("u1", "", "q1", 1), assistant("a1", "u1", "x", 2), assistant("b1", "u1", "y", 3), assistant("b2", "b1", "z", 4),
	}})
	u, b := MessageID("c", "u1"), MessageID("c", "b1")
	chosen, other := p.Turns[0], p.Turns[1]
	if chosen.ID != store.TurnID(u) || !chosen.Embeddable || other.ID != store.AnswerID(u, b) || other.Embeddable {
		t.Errorf("got %+v", p.Turns)
	}
	if other.UserMessage != u || other.Assistant != MessageID("c", "b2") || other.Position != 1 || !other.Time.Equal(at(1)) {
		t.Errorf("got %+v", other)
	}
	if p.Messages[0].Turn != chosen.ID || p.Messages[2].Turn != other.ID || p.Messages[3].Turn != other.ID {
		t.Errorf("got %+v", p.Messages)
	}
	if got := Answers(&p.Conversation); got[other.ID] != (Answer{u, b}) || got[chosen.ID] != (Answer{u, p.Messages[1].ID}) {
		t.Errorf("answers %v", got)
	}
	lower := "6c656e73-0000-5000-8000-00000000000a/6c656e73-0000-5000-8000-00000000000b"
	if got, want := store.AnswerID(uuid.MustParse(lower[:36]), uuid.MustParse(lower[37:])),
		uuid.NewSHA1(uuid.MustParse("6c656e73-0000-5000-8000-7475726e6964"), []byte(lower)); got != want {
		t.Errorf("an answer's id is %s, want %s", got, want)
	}
}

func TestBuild_ChainOf100000Messages(t *testing.T) {
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

func TestBuild_TurnTimes(t *testing.T) {
	for name, c := range map[string]struct {
		created, updated, above, own int
		want                         int
		source                       store.TimeSource
	}{
		"the message's time":                        {1, 2, 3, 4, 4, store.FromMessage},
		"else the conversation's creation time":     {1, 2, 3, 0, 1, store.FromConversation},
		"else the conversation's update time":       {0, 2, 3, 0, 2, store.FromConversation},
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
