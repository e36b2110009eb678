package chat

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// LinkInOrder makes each node the child of the one before it: a format without branches.
func (d *Draft) LinkInOrder() {
	for i := 1; i < len(d.Nodes); i++ {
		d.Nodes[i].Parent = d.Nodes[i-1].ID
	}
}

// DescendToLast sets Current to the node at which one arrives from the last root by going to the last child again and
// again: the active path of formats that do not store it. Siblings are in the order in which their parent lists them,
// those that it does not list follow by time.
func (d *Draft) DescendToLast() {
	type place struct{ node, rank int }
	known := make(map[string]int, len(d.Nodes))
	listed := make(map[string]place, len(d.Nodes)) // by id of the child
	for i := range d.Nodes {
		known[d.Nodes[i].ID] = i
		for rank, child := range d.Nodes[i].Children {
			listed[child] = place{i, rank}
		}
	}
	const root = -1
	children := make(map[int][]place, len(d.Nodes))
	for i := range d.Nodes {
		at, inList := listed[d.Nodes[i].ID]
		parent, hasParent := known[d.Nodes[i].Parent]
		switch {
		case !hasParent && !inList:
			parent = root
		case !hasParent:
			parent = at.node
		}
		if !inList || at.node != parent {
			at.rank = math.MaxInt
		}
		children[parent] = append(children[parent], place{i, at.rank})
	}
	order := func(a, b place) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), d.timeOf(a.node).Compare(d.timeOf(b.node)), cmp.Compare(a.node, b.node))
	}
	at := root
	for range d.Nodes { // a cycle has no root, and a node one parent: no node comes twice
		if len(children[at]) == 0 {
			break
		}
		at = slices.MaxFunc(children[at], order).node
		d.Current = d.Nodes[at].ID
	}
}

func (d *Draft) timeOf(node int) time.Time {
	if m := d.Nodes[node].Message; m != nil {
		return m.Time
	}
	return time.Time{}
}

// DateByMessages sets Created and Updated, where they are unknown, to the earliest and latest time of a message.
func (d *Draft) DateByMessages() {
	var first, last time.Time
	for i := range d.Nodes {
		t := d.timeOf(i)
		if first.IsZero() || !t.IsZero() && t.Before(first) {
			first = t
		}
		if t.After(last) {
			last = t
		}
	}
	if d.Created.IsZero() {
		d.Created = first
	}
	if d.Updated.IsZero() {
		d.Updated = last
	}
}
