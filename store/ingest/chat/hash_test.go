package chat

import (
	"testing"

	"lens/store"
)

func TestHash_ChangesWithEveryField(t *testing.T) {
	base := func() Draft {
		return Draft{ID: "c", Title: "t", Current: "a", Nodes: []Node{user("u", "", "q", 1), assistant("a", "u", "x", 2), assistant("b", "u", "y", 3), said("t", "a", store.Tool, "", 4)}}
	}
	p := build(t, base())
	for name, c := range map[string]struct {
		change        func(*Draft)
		turnTooChange bool
	}{
		"the title":               {func(d *Draft) { d.Title = "other" }, false},
		"an answer":               {func(d *Draft) { d.Nodes[1].Message.Text = "z" }, true},
		"raw":                     {func(d *Draft) { d.Nodes[1].Message.Raw = []byte(`{}`) }, false},
		"a summary":               {func(d *Draft) { d.Nodes[1].Message.Summary = "s" }, true},
		"a time":                  {func(d *Draft) { d.Nodes[0].Message.Time = at(9) }, true},
		"the active path":         {func(d *Draft) { d.Current = "b" }, true},
		"a tool message's parent": {func(d *Draft) { d.Current = "t" }, false},
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
