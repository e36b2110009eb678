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
	t.cutCycles()
	if end == none {
		t.hangOrphans()
	}
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

// cutCycles cuts cycles of parents above their earliest messages, so that every chain ends.
func (t *tree) cutCycles() {
	walk := make([]int32, len(t.nodes)) // the number of the walk that visited each node, from 1; 0: none
	for i := range t.nodes {
		if repeated := t.walkUp(int32(i), walk, int32(i)+1); repeated != none {
			t.parent[t.earliestOfCycle(repeated)] = none
		}
	}
}

// walkUp follows the parents from start to a root or to a node that an earlier walk visited, and marks the nodes on its
// way. If it comes to a node of its own walk, a cycle, it returns that node; otherwise none.
func (t *tree) walkUp(start int32, walk []int32, number int32) (repeated int32) {
	i := start
	for ; i != none && walk[i] == 0; i = t.parent[i] {
		walk[i] = number
	}
	if i != none && walk[i] == number {
		return i
	}
	return none
}

func (t *tree) earliestOfCycle(member int32) int32 {
	earliest := member
	for i := t.parent[member]; i != member; i = t.parent[i] {
		if t.compareTimes(i, earliest) < 0 {
			earliest = i
		}
	}
	return earliest
}

// compareTimes orders nodes by time, those without one last, then by id.
func (t *tree) compareTimes(a, b int32) int {
	at, bt := t.time(a), t.time(b)
	if at.IsZero() != bt.IsZero() {
		if at.IsZero() {
			return 1
		}
		return -1
	}
	return cmp.Or(at.Compare(bt), cmp.Compare(t.nodes[a].ID, t.nodes[b].ID))
}

// hangOrphans links nodes whose parent is missing to the newest message before them, so that the beginning of the
// conversation stays on the path. Nodes without a time remain roots.
func (t *tree) hangOrphans() {
	var orphans, dated []int32
	for i := range t.nodes {
		if t.time(int32(i)).IsZero() {
			continue
		}
		dated = append(dated, int32(i))
		if t.parent[i] == none && t.nodes[i].Parent != "" && t.find(t.nodes[i].Parent) == none {
			orphans = append(orphans, int32(i))
		}
	}
	if len(orphans) == 0 {
		return
	}
	slices.SortFunc(dated, t.compareTimes)
	slices.SortFunc(orphans, t.compareTimes)
	above := slices.Clone(t.parent) // a node at or nearer to the root than the parent
	root := func(i int32) int32 {
		for above[i] != none {
			if above[above[i]] != none {
				above[i] = above[above[i]]
			}
			i = above[i]
		}
		return i
	}
	for _, orphan := range orphans {
		n, _ := slices.BinarySearchFunc(dated, t.time(orphan), func(i int32, at time.Time) int {
			return t.time(i).Compare(at)
		})
		for n--; n >= 0; n-- {
			if root(dated[n]) != orphan { // not below it
				t.parent[orphan], above[orphan] = dated[n], dated[n]
				break
			}
		}
	}
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
