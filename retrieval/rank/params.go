package rank

// The values were measured: see EXPERIMENTS.md.

// Params are those of BM25, and the weights of the features.
type Params struct {
	K1, B   float64 // of BM25
	Gamma   float64 // weight of the words of the turns before and after, in BM25
	Weights Features
}

// Sentence returns the parameters for a query that is a sentence. What answers it may be said in other words, or
// begun in one turn and finished in the next.
func Sentence() Params {
	p := common()
	p.Weights.NeighborVector = p.Weights.Vector
	return p
}

// KeyWords returns the parameters for a query of key words. A turn that holds them all stands above those that hold
// some, other things equal.
func KeyWords() Params {
	p := common()
	p.Weights.AllWords = 1
	return p
}

func common() Params {
	return Params{K1: 1.2, B: 0.75, Gamma: 0.2, Weights: Features{
		Exact: 6, // more than all others can be together
		Own:   1, Around: 0.5, Conversation: 0.4, Date: 1.25, Coverage: 0.2, Vector: 0.125,
	}}
}

// BM25 returns the parameters of BM25 alone, the baseline of the measurements.
func BM25() Params { return Params{K1: 1.2, B: 0.75, Weights: Features{Exact: 6, Own: 1}} }
