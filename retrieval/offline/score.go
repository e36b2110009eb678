package offline

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"time"
)

// The constants of the formulas.
const (
	Lambda  = 0.1      // weight of recency in a search
	Tau     = 30 * day // recency falls to 1/e in this time
	RerankK = 4        // hits that Rerank keeps
	day     = 24 * time.Hour

	annWeight, keywordWeight, recencyWeight = 0.6, 0.3, 0.1
)

// Recency is exp(−Δt/τ), 0 to 1: 1 for the present and the future, 0 for an unknown time.
func Recency(modified *time.Time, now time.Time) float64 {
	if modified == nil {
		return 0
	}
	age := max(0, now.Sub(*modified))
	return math.Exp(-float64(age) / float64(Tau))
}

// scoreSearch fills in the order of Search: ann_score + λ·recency, without recency when paranoid.
func scoreSearch(hits []Hit, now time.Time, level Level) {
	for i := range hits {
		h := &hits[i]
		if h.Parts == nil {
			h.Parts = new(Parts)
		}
		p := h.Parts
		if h.Modified != nil {
			days := float64(now.Sub(*h.Modified)) / float64(day)
			p.AgeDays = &days
		}
		if level != Paranoid {
			p.Recency = Recency(h.Modified, now)
			p.RecencyBoost = Lambda * p.Recency
		}
		p.Search = h.ANN + p.RecencyBoost
	}
}

// bySearch orders by search score, ties by keyword score, then by id, so that one archive gives one order.
func bySearch(a, b Hit) int {
	return cmp.Or(
		cmp.Compare(b.Parts.Search, a.Parts.Search),
		cmp.Compare(b.Keyword, a.Keyword),
		bytes.Compare(a.ChunkID[:], b.ChunkID[:]),
	)
}

// Rerank returns the four hits with the highest final score, best first; ties stay in the order in which they came.
//
//	final = 0.6·ann_norm + 0.3·keyword_norm + 0.1·recency_norm        paranoid: (ann_norm + keyword_norm) / 2
//
// The first two are min-max normalized over the hits, all 1 where all are equal; recency_norm is Recency. Rerank
// does not modify hits.
func Rerank(hits []Hit, now time.Time, level Level) []Hit {
	ann := minMax(hits, func(h Hit) float64 { return h.ANN })
	keyword := minMax(hits, func(h Hit) float64 { return h.Keyword })
	ranked := slices.Clone(hits)
	for i := range ranked {
		p := new(Parts)
		if hits[i].Parts != nil {
			*p = *hits[i].Parts
		}
		p.ANNNorm, p.KeywordNorm, p.RecencyNorm = ann[i], keyword[i], Recency(hits[i].Modified, now)
		p.Final = annWeight*p.ANNNorm + keywordWeight*p.KeywordNorm + recencyWeight*p.RecencyNorm
		if level == Paranoid {
			p.RecencyNorm, p.Final = 0, (p.ANNNorm+p.KeywordNorm)/2
		}
		final := p.Final
		ranked[i].Parts, ranked[i].Final = p, &final
	}
	slices.SortStableFunc(ranked, func(a, b Hit) int { return cmp.Compare(*b.Final, *a.Final) })
	return ranked[:min(RerankK, len(ranked))]
}

// minMax returns a score of all hits, min-max normalized to [0, 1]; all 1 where they are equal.
func minMax(hits []Hit, of func(Hit) float64) []float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, h := range hits {
		low, high = min(low, of(h)), max(high, of(h))
	}
	norm := make([]float64, len(hits))
	spread := high/2 - low/2 // of halves: a client may send scores whose difference is infinite
	for i, h := range hits {
		norm[i] = 1
		if spread > 0 {
			norm[i] = (of(h)/2 - low/2) / spread
		}
	}
	return norm
}
