package vecindex

import (
	"cmp"
	"context"
	"math"

	"lens/store"
)

// ranker sets the similarities of found to what they are.
type ranker func(ctx context.Context, found []candidate) error

const (
	leastRanked = 300 // rows are ranked before anything is said about how far off their estimates are
	timesRanked = 2   // of the rows that are asked for likewise

	// certainty is how many standard deviations of an estimate a row of the answer may lie beyond it: one in two thousand lies farther.
	certainty = 3.3

	flattest = 0.25 // what estimates are worth at least: a few hundred rows may by chance say that it is next to nothing
)

// rankLikely ranks what was found in the order of its estimates: the best few hundred, and then whatever may be better than the worst of
// the k best, going by how true the estimates were.
func rankLikely(ctx context.Context, ords []store.Ord, p probe, k int, s *scratch, rank ranker) ([]store.Neighbor, error) {
	err := share(ctx, 0, len(s.found), leastRefined, func(_ context.Context, lo, hi int) error { return p.refine(s.found[lo:hi]) })
	if err != nil || len(s.found) == 0 { // no estimate is a number only where somebody forged a file
		return nil, err
	}
	found, wanted := s.found, min(max(leastRanked, timesRanked*k), len(s.found))
	first(found, wanted, func(a, b candidate) int { return cmp.Compare(b.similarity, a.similarity) })
	var seen trend
	for ranked := 0; ; {
		part := found[ranked:wanted]
		s.estimates = similarities(s.estimates[:0], part)
		if err := rank(ctx, part); err != nil {
			return nil, err
		}
		seen.add(part, s.estimates)
		ranked = wanted
		nearest := best(ords, found[:ranked], k)
		wanted += forward(found[ranked:], seen.least(nearest[len(nearest)-1].similarity))
		if wanted == ranked {
			return neighbors(ords, nearest, k), nil
		}
	}
}

// similarities appends those of found to dst.
func similarities(dst []float64, found []candidate) []float64 {
	for i := range found {
		dst = append(dst, found[i].similarity)
	}
	return dst
}

// forward moves the candidates that are at least so similar to the front, and says how many they are.
func forward(found []candidate, least float64) (n int) {
	for i := range found {
		if found[i].similarity >= least {
			found[i], found[n] = found[n], found[i]
			n++
		}
	}
	return n
}

// trend is the line of regression of true similarities on their estimates. That the best estimates are mostly too good does not bend it:
// who is chosen by the estimate is not chosen by how far the truth is from it.
type trend struct{ n, x, y, xx, xy, yy float64 }

func (t *trend) add(ranked []candidate, estimates []float64) {
	for i, c := range ranked {
		x, y := estimates[i], c.similarity
		t.n, t.x, t.y, t.xx, t.xy, t.yy = t.n+1, t.x+x, t.y+y, t.xx+x*x, t.xy+x*y, t.yy+y*y
	}
}

// least is the estimate from which on a row may be as similar as similarity.
func (t *trend) least(similarity float64) float64 {
	x, y := t.x/t.n, t.y/t.n
	varied := t.xx/t.n - x*x
	slope := 1.0
	if varied > 1e-9 { // else all estimates are the same
		slope = max((t.xy/t.n-x*y)/varied, flattest)
	}
	rest := t.yy/t.n - y*y - slope*slope*varied
	return x + (similarity-certainty*math.Sqrt(max(rest, 0))-y)/slope
}
