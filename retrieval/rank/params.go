package rank

// The values were measured: see EXPERIMENTS.md.

// Params weighs the parts of a score.
type Params struct {
	K1, B float64 // of BM25
	Alpha float64 // share of the vectors, 0..1; 0: keyword mode
	Gamma float64 // weight of the words of the turns before and after
	Delta float64 // weight of the conversation
	Date  float64 // the most that nearness to a date of the query adds
}

// Keyword returns the parameters of keyword mode.
func Keyword() Params { return Params{K1: 1.2, B: 0.75, Gamma: 0.2, Delta: 0.4, Date: 0.75} }

// Hybrid returns the parameters of hybrid mode. Alpha is a property of the embedding model. Keyword scores are
// those of keyword mode.
func Hybrid(alpha float64) Params {
	p := Keyword()
	p.Alpha = alpha
	return p
}

// BM25 returns the parameters of BM25 alone, the baseline of the measurements.
func BM25() Params { return Params{K1: 1.2, B: 0.75} }
