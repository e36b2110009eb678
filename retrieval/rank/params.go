package rank

// The values were tuned on LoCoMo dev (three people to tune on, two to check with) and on the known items (every other
// title to check with), with the vectors of use-lite. Where values tied on the tuning halves, the other halves decided.
// R@10/nDCG@10 of the halves to check with:
//
//	                                                        LoCoMo       known items
//	BM25 alone                                              .736/.588    .957/.864
//	score += γ·max of the neighbors, γ .3, δ .5             .793/.620    .924/.829
//	   with cosines, α .4, γ .2, δ .3                       .794/.634    .924/.838
//	neighbors as a field, γ .2 , δ .4 (Keyword)             .795/.636    .957/.873
//	   with cosines as they are, α .2                       .799/.639    .946/.865
//	   with cosines cubed, α .2 (Hybrid)                    .798/.639    .957/.872
//	   with cosines cubed, α .4                             .808/.631    .946/.844
//
// Neighbors as a field are what pays: added as scores they lift a turn for repeating what its neighbor says. The cube
// favors the nearest vectors over the middling ones; with all three collections in one archive (3,400 turns) it finds
// .805 instead of .795. The optimum is flat: γ between .15 and .3 and δ between .3 and .6 move LoCoMo by .005.
//
// Tried, and left out because it did not pay on both: other k1 and b, also for conversations; the second neighbors,
// with decay; conversations by their best turn or the best turn of each term; a bonus for holding more of the terms;
// words of the first hits as further terms (Cranfield +.01, known items −.02); cosines of neighbors and conversations;
// cosines over their maximum, or above a fixed floor; BM25 over its possible maximum; 50 to 1,000 candidates; a prefix
// for the query. One cosine per window, of which the greatest counts, is not better than one per text.
//
// Against keyword mode on the 184 known items, vectors win at rank 1 (.804 to .799) and 5 (.940 to .929) and gain
// nothing at 10 (.957 both): the same 8 conversations are missed, whose titles are in words that they lack. use-lite
// alone has two of them at 10 and 11, too low for any weighting that keeps the others. α .10 to .30 with the cosine to
// the second, third or fourth power, δ .2 to .6, 50 to 1,000 candidates, the best cosine of the conversation and the
// product of words and cosine stay between .940 and .957 at rank 10, and none is better on both collections.
//
// Embedding differently would pay, at α .2 with long texts (another recipe, or other windows, so another generation):
//
//	                                            LoCoMo          known items            vectors alone
//	                                            R@10/nDCG@10    R@10/nDCG@10/MRR@10    MRR@10
//	one mean over all tokens (now)              .807/.641       .957/.880/.855         .486
//	every window half the weight before it      .807/.641       .957/.883/.860         .574
//	the first window alone                      .807/.641       .957/.889/.868         .568
//	both sides of a turn apart, then averaged   .805/.639       .951/.899/.882         .575
//
// Titles describe how a conversation begins, so they favor whatever weighs beginnings; the turns of LoCoMo are too
// short to tell.

// Params weighs the parts of a score.
type Params struct {
	K1, B float64 // of BM25
	Alpha float64 // share of the vectors, 0..1; 0: keyword mode
	Gamma float64 // weight of the words of the turns before and after
	Delta float64 // weight of the conversation
}

// Keyword returns the parameters of keyword mode.
func Keyword() Params { return Params{K1: 1.2, B: 0.75, Gamma: 0.2, Delta: 0.4} }

// Hybrid returns the parameters of hybrid mode. Alpha is a property of the embedding model. Keyword scores are
// those of keyword mode.
func Hybrid(alpha float64) Params {
	p := Keyword()
	p.Alpha = alpha
	return p
}

// BM25 returns the parameters of BM25 alone, the baseline of the measurements.
func BM25() Params { return Params{K1: 1.2, B: 0.75} }
