package vecindex

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"lens/store"
)

// Search returns up to k rows of [lo, hi) that keep lets through (nil: all), by descending inner product with query, ties by
// ascending Ord. query is dim long and of unit length. The products are those of store.Dot, and no row that belongs to the k
// best is missed. keep is called from several goroutines. Errors: ErrDamaged, ctx.Err().
func (x *Index) Search(ctx context.Context, query []float32, lo, hi int, keep func(row int) bool, k int) ([]store.Neighbour, error) {
	lo, hi = max(lo, 0), min(hi, x.Len())
	if lo >= hi || k <= 0 {
		return nil, ctx.Err()
	}
	buffer := scoreBuffers.Get().(*scoreBuffer)
	defer scoreBuffers.Put(buffer)
	scores := buffer.first(hi - lo)
	if err := x.scan(ctx, query, lo, keep, scores); err != nil {
		return nil, err
	}
	found, err := x.rescore(query, lo, scores, buffer.threshold(scores, k, slack(x.Dim)))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, Nearer)
	return found[:min(k, len(found))], nil
}

// Nearer orders neighbours by descending similarity, ties by ascending Ord: the order of every list of them.
func Nearer(a, b store.Neighbour) int {
	return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Ord, b.Ord))
}

// rescore computes the exact similarity of all rows that scored at least threshold.
func (x *Index) rescore(query []float32, lo int, scores []float32, threshold float32) ([]store.Neighbour, error) {
	var found []store.Neighbour
	for i, score := range scores {
		if score == skipped || score < threshold {
			continue
		}
		similarity, err := x.Similarity(query, lo+i)
		if err != nil {
			return nil, err
		}
		found = append(found, store.Neighbour{Ord: x.ords[lo+i], Similarity: similarity})
	}
	return found, nil
}

// scoreBuffer is the memory of one search: the scores, and a copy of them to select in.
type scoreBuffer struct{ scores, copied []float32 }

var scoreBuffers = sync.Pool{New: func() any { return new(scoreBuffer) }}

func (b *scoreBuffer) first(n int) []float32 {
	b.scores = slices.Grow(b.scores[:0], n)[:n]
	return b.scores
}

// threshold returns the score below which no row can be among the k best: twice the slack under the k-th, for that row's error
// and the other's.
func (b *scoreBuffer) threshold(scores []float32, k int, slack float32) float32 {
	if k >= len(scores) {
		return skipped
	}
	b.copied = append(b.copied[:0], scores...)
	return kth(b.copied, k) - 2*slack
}
