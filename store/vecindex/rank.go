package vecindex

import (
	"context"
	"math"

	"lens/store"
)

// ranker replaces the estimated similarities of found by exact ones.
type ranker func(ctx context.Context, found []candidate) error

const (
	minRanked       = 300 // rows to rank before the errors of estimates are judged
	rankedPerResult = 2   // likewise, per requested row

	// maxSigmas is how many standard deviations of an estimate a row of the result may lie beyond it: one
	// in two thousand lies farther.
	maxSigmas = 3.3

	minSlope = 0.25 // a few hundred rows may by chance suggest that estimates are worth less
)

// rankByEstimate ranks found in the order of the estimates: the best few hundred first, and then all
// rows that may be better than the worst of the k best, judging by the errors of the estimates so far.
func rankByEstimate(
	ctx context.Context, ords []store.Ord, p probe, k int, s *scratch, rank ranker,
) ([]store.Neighbor, error) {
	refine := func(_ context.Context, lo, hi int) error { return p.refine(s.found[lo:hi]) }
	err := inParallel(ctx, 0, len(s.found), minRefineRows, refine)
	if err != nil || len(s.found) == 0 { // all estimates are NaN only in a forged file
		return nil, err
	}
	found, wanted := s.found, min(max(minRanked, rankedPerResult*k), len(s.found))
	selectNearest(ords, found, wanted)
	var seen regression
	for ranked := 0; ; {
		part := found[ranked:wanted]
		s.estimates = similarities(s.estimates[:0], part)
		if err := rank(ctx, part); err != nil {
			return nil, err
		}
		seen.add(part, s.estimates)
		ranked = wanted
		nearest := topK(ords, found[:ranked], k)
		wanted += moveToFront(found[ranked:], seen.minEstimate(nearest[len(nearest)-1].similarity))
		if wanted == ranked {
			return neighbors(ords, nearest, k), nil
		}
	}
}

// similarities appends the similarities of found to dst.
func similarities(dst []float64, found []candidate) []float64 {
	for i := range found {
		dst = append(dst, found[i].similarity)
	}
	return dst
}

// moveToFront moves the candidates with at least the given similarity to the front and returns their
// number.
func moveToFront(found []candidate, least float64) (n int) {
	for i := range found {
		if found[i].similarity >= least {
			found[i], found[n] = found[n], found[i]
			n++
		}
	}
	return n
}

// regression is the linear regression of exact similarities on their estimates. Selecting rows by
// their estimates does not bias it.
type regression struct{ n, x, y, xx, xy, yy float64 }

func (t *regression) add(ranked []candidate, estimates []float64) {
	for i, c := range ranked {
		x, y := estimates[i], c.similarity
		t.n, t.x, t.y, t.xx, t.xy, t.yy = t.n+1, t.x+x, t.y+y, t.xx+x*x, t.xy+x*y, t.yy+y*y
	}
}

// minEstimate returns the estimate from which on a row may reach the given similarity.
func (t *regression) minEstimate(similarity float64) float64 {
	x, y := t.x/t.n, t.y/t.n
	varied := t.xx/t.n - x*x
	slope := 1.0
	if varied > 1e-9 { // otherwise all estimates are equal
		slope = max((t.xy/t.n-x*y)/varied, minSlope)
	}
	rest := t.yy/t.n - y*y - slope*slope*varied
	return x + (similarity-maxSigmas*math.Sqrt(max(rest, 0))-y)/slope
}
