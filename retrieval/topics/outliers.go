package topics

import (
	"cmp"
	"slices"
)

const (
	// minCohesion is the mean cosine with the others of its topic from which on a conversation belongs there. Groups that
	// share no more than a language or a habit of speech have .04 to .06, those that a person recognizes .11 and more.
	minCohesion = 0.07
	// minTopic is how many conversations make a topic.
	minTopic = 4
	// leavingShare is the share of a topic that leaves before its sum is taken again: few at a time, since those that
	// leave may have been all that kept others away.
	leavingShare = 0.05
)

// leaveOutliers takes conversations out of topics that they have little in common with, and returns the topics,
// numbered by descending size; -1 for none. Louvain's method and merge give each conversation to a topic, so that those
// whose subject does not come again gather in some of them: a name for these would be a guess. A conversation that
// leaves, or had no topic, joins the one that it has most in common with, if that is enough; a topic that nearly all
// leave is none.
func leaveOutliers(vectors []vector, of []int32, terms int) []int32 {
	topics := make([]group, slices.Max(of)+1)
	for c, topic := range of {
		if topic >= 0 {
			topics[topic].members = append(topics[topic].members, int32(c))
		}
	}
	var outliers []int32
	for c, topic := range of {
		if topic < 0 {
			outliers = append(outliers, int32(c))
		}
	}
	dense := make([]float32, terms)
	for i := range topics {
		outliers = append(outliers, topics[i].shrink(vectors, dense)...)
	}
	best, most := make([]int32, len(outliers)), make([]float64, len(outliers))
	for topic, g := range topics {
		if len(g.members) == 0 {
			continue
		}
		g.sum.spread(dense)
		for i, c := range outliers {
			cohesion := vectors[c].times(dense) / float64(len(g.members))
			if cohesion >= minCohesion && cohesion > most[i] {
				best[i], most[i] = int32(topic), cohesion
			}
		}
		g.sum.sweep(dense)
	}
	for i, c := range outliers {
		of[c] = -1
		if most[i] > 0 {
			of[c] = best[i]
		}
	}
	return bySize(of, len(topics))
}

// group is a topic while conversations leave it.
type group struct {
	members []int32
	sum     vector // of the vectors of its members
}

// shrink takes those out that have too little in common with the others, the least first, and returns them.
func (g *group) shrink(vectors []vector, dense []float32) (left []int32) {
	cohesion := make(map[int32]float64, len(g.members))
	for {
		g.sum = sumOf(vectors, g.members, dense)
		if len(g.members) < minTopic {
			left = append(left, g.members...)
			g.members = nil
			return left
		}
		g.sum.spread(dense)
		for _, c := range g.members {
			cohesion[c] = (vectors[c].times(dense) - 1) / float64(len(g.members)-1) // 1 is its product with itself
		}
		g.sum.sweep(dense)
		slices.SortFunc(g.members, func(a, b int32) int {
			return cmp.Or(cmp.Compare(cohesion[b], cohesion[a]), cmp.Compare(a, b))
		})
		loose := slices.IndexFunc(g.members, func(c int32) bool { return cohesion[c] < minCohesion })
		if loose < 0 {
			return left
		}
		stay := max(loose, len(g.members)-max(1, int(leavingShare*float64(len(g.members)))))
		left = append(left, g.members[stay:]...)
		g.members = g.members[:stay]
	}
}
