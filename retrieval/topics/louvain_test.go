package topics

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// cliques returns n cliques of size nodes each, joined in a ring, and one node without edges.
func cliques(n, size int) graph {
	g := make(graph, n*size+1)
	join := func(a, b int) {
		g[a] = append(g[a], edge{int32(b), 1})
		g[b] = append(g[b], edge{int32(a), 1})
	}
	for c := range n {
		for i := range size {
			for j := range i {
				join(c*size+i, c*size+j)
			}
		}
		join(c*size, (c+1)%n*size+1)
	}
	return g
}

func TestLouvain_Cliques(t *testing.T) {
	const n, size = 12, 6
	for seed := range uint64(10) {
		groups := louvain(cliques(n, size), seed)
		if groups[n*size] != -1 {
			t.Errorf("a node without edges is in group %d", groups[n*size])
		}
		seen := map[int32]bool{}
		for c := range n {
			clique := groups[c*size : (c+1)*size]
			if slices.Min(clique) != slices.Max(clique) || seen[clique[0]] {
				t.Errorf("seed %d: clique %d is in groups %v", seed, c, clique)
			}
			seen[clique[0]] = true
		}
	}
}

func TestNearest_LikeEveryPair(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	vectors := make([]vector, 60)
	for c := range vectors {
		for term := range int32(20) {
			if r.IntN(3) == 0 {
				vectors[c] = append(vectors[c], weighted{term, r.Float32()})
			}
		}
		vectors[c].scale()
	}
	near := nearest(vectors, 20)
	for c := range vectors {
		score := make([]float32, len(vectors))
		var all []int32
		for other := range vectors {
			for _, v := range vectors[c] {
				for _, w := range vectors[other] {
					if v.term == w.term {
						score[other] += v.weight * w.weight
					}
				}
			}
			if other != c {
				all = append(all, int32(other))
			}
		}
		slices.SortFunc(all, func(a, b int32) int {
			if score[a] > score[b] {
				return -1
			}
			return 1
		})
		if !slices.Equal(near[c], all[:neighbors]) {
			t.Errorf("%d: %v, want %v", c, near[c], all[:neighbors])
		}
	}
}

func TestVector_HeaviestTerms(t *testing.T) {
	var v vector
	r := rand.New(rand.NewPCG(1, 1))
	for _, i := range r.Perm(500) {
		v.push(weighted{int32(i), float32(i / 2)})
	}
	var got []int32
	for _, w := range v {
		got = append(got, w.term)
	}
	slices.Sort(got)
	for i, term := range got {
		if want := int32(500 - heaviest + i); term != want {
			t.Errorf("term %d is kept, want %d", term, want)
		}
	}
}
