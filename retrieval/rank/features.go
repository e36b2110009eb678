package rank

import (
	"iter"
	"math"
)

// Features are what is known of a row and a query. A score is their sum, each times its weight; weights are Features,
// too. All are 0 to 1 but for those of vectors.
type Features struct {
	Exact        float64 // 1: holds a looked-up identifier whole
	Own          float64 // BM25 of its own text, over the archive's best own + around
	Around       float64 // BM25 of the turns before and after it, likewise
	Conversation float64 // BM25 of its conversation, over the archive's best
	Date         float64 // how near it is to a date that the query names
	Coverage     float64 // share of the query's idf that it and the turns before and after it hold
	AllWords     float64 // 1: holds every word of the query

	// Of its vector, and the greater of the turns before and after it: how many deviations the cosine lies above the
	// archive's median for this query, −3 to 6, less for long turns. 0 without a vector.
	Vector, NeighborVector float64
}

// Score is the sum of the features by their weights, and at least 0.
func (f *Features) Score(weights *Features) float64 {
	return max(0, f.Exact*weights.Exact+
		f.Own*weights.Own+
		f.Around*weights.Around+
		f.Conversation*weights.Conversation+
		f.Date*weights.Date+
		f.Coverage*weights.Coverage+
		f.AllWords*weights.AllWords+
		f.Vector*weights.Vector+
		f.NeighborVector*weights.NeighborVector)
}

// All yields the names of the features with their values.
func (f *Features) All() iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		_ = yield("exact", f.Exact) &&
			yield("own", f.Own) &&
			yield("around", f.Around) &&
			yield("conversation", f.Conversation) &&
			yield("date", f.Date) &&
			yield("coverage", f.Coverage) &&
			yield("all_words", f.AllWords) &&
			yield("vector", f.Vector) &&
			yield("neighbor_vector", f.NeighborVector)
	}
}

// Spread says how the cosines of an archive lie for a query. The zero value is that of an archive too small to tell: no
// cosine stands out.
type Spread struct{ Median, Deviation float64 }

const (
	leastDeviations, mostDeviations = -3, 6

	// Vectors of long turns are means of much: their cosines say less, by the root of their length over this many terms.
	shortTurn = 60
)

// deviations returns how far above the median a cosine lies; 0 for NaN.
func (s Spread) deviations(cosine float64) float64 {
	if s.Deviation == 0 || math.IsNaN(cosine) {
		return 0
	}
	return min(max((cosine-s.Median)/s.Deviation, leastDeviations), mostDeviations)
}

// damp returns by how much the vector of a turn of so many terms counts.
func damp(length int32) float64 { return math.Sqrt(min(1, shortTurn/float64(max(1, length)))) }
