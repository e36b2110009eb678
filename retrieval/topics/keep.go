package topics

import (
	"cmp"
	"slices"
)

// The overlap from which on a new topic continues one of before, and from which on it also keeps its words.
const (
	sameTopic = 0.3
	sameWords = 0.5
)

// Before is a topic of an earlier division of the same archive.
type Before struct {
	ID            int
	Words         []string
	Conversations []int32 // those that are still there, by their present numbers
}

// Keep gives the topics of d the IDs of those of before that they continue, so that a person finds them again as the
// archive grows. A topic that is nearly the same keeps its words too. Others get new IDs from next on, and the first
// unused one is returned. Overlap is the share of conversations that both have (Jaccard), among those that had a topic
// before; the pairs that overlap most are matched first.
func (d *Division) Keep(before []Before, next int) int {
	type pair struct {
		topic, was int
		overlap    float64
	}
	was := make([]int, len(d.Of))
	for i, b := range before {
		next = max(next, b.ID+1)
		for _, c := range b.Conversations {
			was[c] = i + 1
		}
	}
	var pairs []pair
	for topic := range d.Topics {
		known, common := 0, make([]int, len(before))
		for _, c := range d.Topics[topic].Conversations {
			if was[c] > 0 {
				known++
				common[was[c]-1]++
			}
		}
		for i, n := range common {
			if overlap := share(n, known+len(before[i].Conversations)-n); overlap >= sameTopic {
				pairs = append(pairs, pair{topic, i, overlap})
			}
		}
		d.Topics[topic].ID = 0
	}
	slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(y.overlap, x.overlap) })
	taken := make([]bool, len(before))
	for _, p := range pairs {
		topic := &d.Topics[p.topic]
		if topic.ID != 0 || taken[p.was] {
			continue
		}
		taken[p.was], topic.ID = true, before[p.was].ID
		if p.overlap >= sameWords && len(before[p.was].Words) > 0 {
			topic.Words = before[p.was].Words
		}
	}
	for i := range d.Topics {
		if d.Topics[i].ID == 0 {
			d.Topics[i].ID = next
			next++
		}
	}
	return next
}

// share returns part / all, 0 for all = 0.
func share(part, all int) float64 {
	if all == 0 {
		return 0
	}
	return float64(part) / float64(all)
}
