package topics

import (
	"math/rand/v2"
	"slices"
)

// resolution is γ of the modularity: above 1, groups are smaller. What is divided too finely is merged again.
const resolution = 2

// minGain is the gain of modularity, times the weight of all edges, below which a move is rounding.
const minGain = 1e-9

// louvain divides a graph into groups of high modularity (Blondel, Guillaume, Lambiotte and Lefebvre 2008, with the
// resolution of Reichardt and Bornholdt 2006):
//
//	Q = Σ over groups  inside/2m − γ·(total/2m)²
//
// inside is twice the weight of the edges within a group, total the sum of its nodes' degrees, m the weight of all
// edges. Nodes move to the group that gains most, then groups become nodes, until nothing moves. It returns the group
// of each node, -1 for a node without edges.
func louvain(g graph, seed uint64) []int32 {
	order := rand.New(rand.NewPCG(seed, 0))
	groups := make([]int32, len(g))
	for node := range groups {
		groups[node] = int32(node)
	}
	for {
		moved := newMoves(g, order)
		if !moved.settle() {
			break
		}
		n := moved.number()
		for node, group := range groups {
			groups[node] = moved.group[group]
		}
		g = contract(g, moved.group, n)
	}
	for node, group := range groups {
		if len(g[group]) == 0 {
			groups[node] = -1
		}
	}
	return groups
}

// moves moves the nodes of one graph between groups.
type moves struct {
	graph
	group  []int32
	degree []float64 // by node
	total  []float64 // by group: the degrees of its nodes
	all    float64   // 2m
	order  []int
	into   []float64 // by group: the weight of the edges from the current node; 0 between two nodes
}

func newMoves(g graph, order *rand.Rand) *moves {
	m := &moves{
		graph: g, group: make([]int32, len(g)), degree: make([]float64, len(g)), order: order.Perm(len(g)),
		into: make([]float64, len(g)),
	}
	for node, edges := range g {
		m.group[node] = int32(node)
		for _, e := range edges {
			m.degree[node] += e.weight
		}
		m.all += m.degree[node]
	}
	m.total = slices.Clone(m.degree)
	return m
}

// settle moves nodes until no move gains; false if none did.
func (m *moves) settle() (moved bool) {
	for again := true; again; {
		again = false
		for _, node := range m.order {
			if m.move(node) {
				again, moved = true, true
			}
		}
	}
	return moved
}

// move moves a node to the best group among those of its neighbors; false if it stays.
func (m *moves) move(node int) bool {
	from := m.group[node]
	for _, e := range m.graph[node] {
		if int(e.to) != node {
			m.into[m.group[e.to]] += e.weight
		}
	}
	m.total[from] -= m.degree[node]
	gain := func(group int32) float64 {
		return m.into[group] - resolution*m.degree[node]*m.total[group]/m.all
	}
	to, most := from, gain(from)+minGain
	for _, e := range m.graph[node] {
		if group := m.group[e.to]; gain(group) > most {
			to, most = group, gain(group)
		}
	}
	m.total[to] += m.degree[node]
	m.group[node] = to
	m.into[from] = 0
	for _, e := range m.graph[node] {
		m.into[m.group[e.to]] = 0
	}
	m.into[to] = 0
	return to != from
}

// number numbers the groups from 0 in the order of their first nodes, and returns how many there are.
func (m *moves) number() int {
	numbers := make([]int32, len(m.graph))
	n := int32(0)
	for node, group := range m.group {
		if numbers[group] == 0 {
			n++
			numbers[group] = n
		}
		m.group[node] = numbers[group] - 1
	}
	return int(n)
}

// contract makes nodes of groups. The edges within a group become one to itself.
func contract(g graph, group []int32, n int) graph {
	members := make([][]int32, n)
	for node, to := range group {
		members[to] = append(members[to], int32(node))
	}
	small := make(graph, n)
	weights, seen := make([]float64, n), make([]bool, n)
	for from, nodes := range members {
		var touched []int32
		for _, node := range nodes {
			for _, e := range g[node] {
				to := group[e.to]
				if !seen[to] {
					seen[to] = true
					touched = append(touched, to)
				}
				weights[to] += e.weight
			}
		}
		for _, to := range touched {
			small[from] = append(small[from], edge{to, weights[to]})
			weights[to], seen[to] = 0, false
		}
	}
	return small
}
