package results

import (
	"math"

	"lens/retrieval"
)

// grade tells from scores, which compare within a query only, how good matches are. The best one has the confidence
// that the archive speaks of the query at all, so that the nearest to nonsense do not look good. Those below have less
// by how far the scores of the query spread: what is called a good score differs with how one searches.
type grade struct{ most, best, spread float64 }

const (
	steep       = 2  // by how many e-folds a grade falls with each standard deviation of the scores
	leastSpread = .1 // of the best score: what hardly differs is about as good
)

func newGrade(p *retrieval.Peek) grade {
	g, n, sum, squares := grade{most: 1, best: math.Inf(-1)}, 0.0, 0.0, 0.0
	if c := p.Coverage.Confidence; c != nil {
		g.most = *c
	}
	for i := range p.Matches {
		if score := p.Matches[i].Score; score != nil {
			g.best = max(g.best, *score)
			n, sum, squares = n+1, sum+*score, squares+*score**score
		}
	}
	if n > 0 {
		g.spread = max(math.Sqrt(max(0, squares/n-sum/n*sum/n)), leastSpread*g.best, math.SmallestNonzeroFloat64)
	}
	return g
}

// of returns the grade of a score, up to 1.
func (g grade) of(score float64) float64 {
	return g.most * math.Exp(steep*(score-g.best)/g.spread)
}
