package chat

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"lens/store"
)

// drafts draws conversations with any damage: arbitrary links, duplicate ids, cycles, missing nodes.
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

func TestCheck_AnyBuiltConversation(t *testing.T) {
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

func TestBuild_IgnoresNodeOrder(t *testing.T) {
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

func TestCheck_Violations(t *testing.T) {
	for name, breakIt := range map[string]func(*Parsed){
		"counts that do not add up":    func(p *Parsed) { p.Count.Nodes++ },
		"a message before its parent":  func(p *Parsed) { p.Messages[0].Parent = p.Messages[1].ID },
		"a message in an unknown turn": func(p *Parsed) { p.Messages[1].Turn = uuid.New() },
		"a text with NUL":              func(p *Parsed) { p.Messages[1].Text = "\x00" },
		"a turn with another text":     func(p *Parsed) { p.Turns[0].AssistantText = "other" },
		"a dated undated turn":         func(p *Parsed) { p.Turns[0].TimeSource = store.Undated },
		"a turn out of order":          func(p *Parsed) { p.Turns[0].Position = 4 },
	} {
		t.Run(name, func(t *testing.T) {
			p := build(t, Draft{ID: "c", Nodes: []Node{user("u", "", "q", 1), assistant("a", "u", "x", 2)}})
			if breakIt(p); p.Check() == nil {
				t.Error("Check saw nothing")
			}
		})
	}
}
