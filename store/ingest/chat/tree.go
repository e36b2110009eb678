package chat

import (
	"cmp"
	"slices"
	"time"
)

// none stands for "no node".
const none int32 = -1

// tree is the structure of a conversation: the parent of each node, the order of the nodes, and the active path. Nodes
// are identified by their index in Draft.Nodes. Nothing here recurses: a conversation may be a chain of a hundred
// thousand messages, and the parents in a file may form a cycle.
//
// No result depends on the order of the nodes in the file, which differs between exports of the same conversation.
type tree struct {
	nodes      []Node
	index      map[string]int32 // by Node.ID
	alias      map[string]int32 // by Node.Alias and the message's id; built on first use
	parent     []int32
	children   [][]int32   // in order
	order      []int32     // every node, parents before children
	times      []time.Time // the node's time, else its nearest dated ancestor's, else zero
	hasMessage []bool      // a message is at or above the node
	path       []int32     // the active path from its root to its end
}

func newTree(nodes []Node, current string) *tree {
	t := &tree{nodes: nodes, index: make(map[string]int32, len(nodes))}
	for i := range nodes {
		t.index[nodes[i].ID] = int32(i)
	}
	t.linkParents()
	end := t.find(current)
	t.cutCycles(end)
	t.orderChildren()
	t.walk()
	t.findPath(end)
	return t
}

// find returns the node with an id. Some exporters link by the id inside the node, or by that of the message.
func (t *tree) find(id string) int32 {
	if id == "" {
		return none
	}
	if i, ok := t.index[id]; ok {
		return i
	}
	if t.alias == nil {
		t.alias = make(map[string]int32)
		for i := range t.nodes {
			n := &t.nodes[i]
			t.addAlias(n.Alias, int32(i))
			if n.Message != nil {
				t.addAlias(n.Message.ID, int32(i))
			}
		}
	}
	if i, ok := t.alias[id]; ok {
		return i
	}
	return none
}

// addAlias adds an alias. When two nodes claim it, the node with the smaller id gets it.
func (t *tree) addAlias(alias string, i int32) {
	if alias == "" {
		return
	}
	if other, taken := t.alias[alias]; !taken || t.nodes[i].ID < t.nodes[other].ID {
		t.alias[alias] = i
	}
}

// linkParents sets the parents. A node's own parent comes first; a node without one belongs to the node that lists it
// as a child.
func (t *tree) linkParents() {
	t.parent = make([]int32, len(t.nodes))
	for i := range t.nodes {
		if t.parent[i] = t.find(t.nodes[i].Parent); t.parent[i] == int32(i) {
			t.parent[i] = none
		}
	}
	adopted := make([]bool, len(t.nodes))
	for i := range t.nodes {
		for _, id := range t.nodes[i].Children {
			child := t.find(id)
			if child == none || child == int32(i) || (t.parent[child] != none && !adopted[child]) {
				continue
			}
			if !adopted[child] || t.nodes[i].ID < t.nodes[t.parent[child]].ID {
				t.parent[child], adopted[child] = int32(i), true
			}
		}
	}
}

// cutCycles cuts cycles of parents, so that every chain ends. It cuts a cycle above the node with the smallest id; a
// cycle on the active path where the path would repeat, so that no node of the path is lost.
func (t *tree) cutCycles(end int32) {
	walk := make([]int32, len(t.nodes)) // the number of the walk that visited each node, from 1; 0: none
	if end != none {
		if _, last := t.walkUp(end, walk, 1); last != none {
			t.parent[last] = none
		}
	}
	for i := range t.nodes {
		if repeated, last := t.walkUp(int32(i), walk, int32(i)+2); last != none {
			t.parent[t.leastOfCycle(repeated)] = none
		}
	}
}

// walkUp follows the parents from start to a root or to a node that an earlier walk visited, and marks the nodes on its
// way. If it comes to a node of its own walk, a cycle, it returns that node and the one before it; otherwise none.
func (t *tree) walkUp(start int32, walk []int32, number int32) (repeated, last int32) {
	last = none
	i := start
	for ; i != none && walk[i] == 0; last, i = i, t.parent[i] {
		walk[i] = number
	}
	if i != none && walk[i] == number {
		return i, last
	}
	return none, none
}

func (t *tree) leastOfCycle(member int32) int32 {
	least := member
	for i := t.parent[member]; i != member; i = t.parent[i] {
		if t.nodes[i].ID < t.nodes[least].ID {
			least = i
		}
	}
	return least
}

// orderChildren orders siblings as their parent lists them. Those that it does not list follow, by time, then by id.
func (t *tree) orderChildren() {
	t.children = make([][]int32, len(t.nodes)+1)
	count := make([]int32, len(t.nodes)+1)
	for _, p := range t.parent {
		count[p+1]++
	}
	all := make([]int32, len(t.nodes))
	for p, n := range count {
		t.children[p], all = all[:0:n], all[n:]
	}
	for i, p := range t.parent {
		t.children[p+1] = append(t.children[p+1], int32(i))
	}
	for p, children := range t.children {
		if len(children) > 1 {
			t.orderSiblings(int32(p)-1, children)
		}
	}
}

func (t *tree) orderSiblings(parent int32, children []int32) {
	rank := make(map[int32]int, len(children))
	if parent != none {
		for r, id := range t.nodes[parent].Children {
			if child := t.find(id); child != none {
				rank[child] = r - len(t.nodes[parent].Children) // the unlisted have rank 0 and so come last
			}
		}
	}
	slices.SortFunc(children, func(a, b int32) int {
		return cmp.Or(
			cmp.Compare(rank[a], rank[b]),
			t.time(a).Compare(t.time(b)),
			cmp.Compare(t.nodes[a].ID, t.nodes[b].ID))
	})
}

func (t *tree) childrenOf(i int32) []int32 { return t.children[i+1] }

func (t *tree) time(i int32) time.Time {
	if m := t.nodes[i].Message; m != nil {
		return m.Time
	}
	return time.Time{}
}

// walk sets order, depth first, and the values that nodes inherit from their parents.
func (t *tree) walk() {
	t.order = make([]int32, 0, len(t.nodes))
	t.times = make([]time.Time, len(t.nodes))
	t.hasMessage = make([]bool, len(t.nodes))
	var stack []int32
	push := func(children []int32) {
		for _, child := range slices.Backward(children) {
			stack = append(stack, child)
		}
	}
	for push(t.childrenOf(none)); len(stack) > 0; {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		t.order = append(t.order, i)
		t.times[i], t.hasMessage[i] = t.time(i), t.nodes[i].Message != nil
		if p := t.parent[i]; p != none {
			t.hasMessage[i] = t.hasMessage[i] || t.hasMessage[p]
			if t.times[i].IsZero() {
				t.times[i] = t.times[p]
			}
		}
		push(t.childrenOf(i))
	}
}

// findPath sets the active path, from end up to its root. If end does not exist or has no message at or above it, the
// newest leaf that has one takes its place.
func (t *tree) findPath(end int32) {
	if end == none || !t.hasMessage[end] {
		end = none
		for _, i := range t.order {
			if len(t.childrenOf(i)) == 0 && t.hasMessage[i] && (end == none || !t.times[i].Before(t.times[end])) {
				end = i
			}
		}
	}
	for i := end; i != none; i = t.parent[i] {
		t.path = append(t.path, i)
	}
	slices.Reverse(t.path)
}
