package topics

import "slices"

const (
	// minGathered is the mean cosine from which on conversations make a topic that no group has: a person recognizes it.
	minGathered = 0.11
	// maxSplit is the size of the largest group that is split. Larger ones hold together by their edges: it is subjects
	// with fewer conversations than each has neighbors that are joined to others, whatever they are about.
	maxSplit = 30 * neighbors
)

// splitGroups divides groups into the parts that hold together, and returns the groups numbered by descending size; -1
// for a conversation in none. Where few conversations are about a thing, some of their nearest neighbors are about
// other things, and Louvain's method, which sees edges alone, puts them into one group, or into several: what is left
// of the groups, parts of fewer than minTopic, is looked through together once more. If that is more than maxSplit, it
// is not: the time grows with its square, and a large archive has many conversations about nothing in particular.
func splitGroups(vectors []vector, groups []int32, terms int) []int32 {
	members := make([][]int32, slices.Max(groups)+1)
	for c, group := range groups {
		if group >= 0 {
			members[group] = append(members[group], int32(c))
		}
		groups[c] = -1
	}
	n, dense := int32(0), make([]float32, terms)
	split := func(group []int32, least float64) (left []int32) {
		parts := [][]int32{group}
		if len(group) <= maxSplit {
			parts = newLinkage(vectors, group, dense).parts(least)
		}
		for _, part := range parts {
			if len(part) < minTopic {
				left = append(left, part...)
				continue
			}
			for _, c := range part {
				groups[c] = n
			}
			n++
		}
		return left
	}
	var left []int32
	for _, group := range members {
		left = append(left, split(group, minCohesion)...)
	}
	if len(left) <= maxSplit {
		split(left, minGathered)
	}
	return bySize(groups, int(n))
}

// linkage joins conversations by average linkage (Sokal and Michener 1958): those parts first whose conversations have
// the greatest mean cosine.
type linkage struct {
	members [][]int32   // by part: its conversations; nil once it has joined another or is complete
	cosines [][]float64 // by two parts: the sum of the cosines of their conversations
}

// newLinkage makes a part of each conversation. dense holds zeros, one for each term, and does afterwards.
func newLinkage(vectors []vector, conversations []int32, dense []float32) *linkage {
	l := &linkage{make([][]int32, len(conversations)), make([][]float64, len(conversations))}
	for i, c := range conversations {
		l.members[i], l.cosines[i] = []int32{c}, make([]float64, len(conversations))
		vectors[c].spread(dense)
		for j, other := range conversations[:i] {
			l.cosines[i][j] = vectors[other].times(dense)
			l.cosines[j][i] = l.cosines[i][j]
		}
		vectors[c].sweep(dense)
	}
	return l
}

// parts joins parts until no two have a mean cosine of at least least, and returns them. Each is followed to the part
// that is nearest to it, from there to the next, and so on: the two at the end are nearest to each other and join, and
// that brings neither nearer to any other (Murtagh 1983).
func (l *linkage) parts(least float64) (complete [][]int32) {
	for first := 0; first < len(l.members); {
		if l.members[first] == nil {
			first++
			continue
		}
		before, last := -1, first
		next := l.nearest(last, before, least)
		for next >= 0 && next != before {
			before, last = last, next
			next = l.nearest(last, before, least)
		}
		if next < 0 {
			complete, l.members[last] = append(complete, l.members[last]), nil
		} else {
			l.join(before, last)
		}
	}
	return complete
}

// nearest returns the part that is nearest to a part, prefer if several are, and -1 if none has the mean cosine least.
func (l *linkage) nearest(part, prefer int, least float64) int {
	nearest, most := -1, least
	if prefer >= 0 {
		nearest, most = prefer, l.meanCosine(part, prefer)
	}
	for other, members := range l.members {
		if members == nil || other == part {
			continue
		}
		if mean := l.meanCosine(part, other); mean > most || mean == most && nearest < 0 {
			nearest, most = other, mean
		}
	}
	return nearest
}

func (l *linkage) meanCosine(a, b int) float64 {
	return l.cosines[a][b] / float64(len(l.members[a])*len(l.members[b]))
}

// join adds part b to part a.
func (l *linkage) join(a, b int) {
	l.members[a], l.members[b] = append(l.members[a], l.members[b]...), nil
	for other := range l.members {
		l.cosines[a][other] += l.cosines[b][other]
		l.cosines[other][a] = l.cosines[a][other]
	}
}
