package rank

import "iter"

// CorpusStats is what BM25 must know of all the rows of a collection to score some of them.
type CorpusStats struct {
	Records  int   // rows in all
	Length   int64 // terms in all of them
	DocFreqs []int // rows that hold each term of the query
}

// SubsetScores returns the BM25 score of rows of a corpus that is not there as a whole, dense: what Turns says is a row's own, without neighbours
// and with the corpus' statistics in place of the rows'. So a part scores as the whole does, to the last digit. length is that
// of the rows, lists yields where each term of the corpus' DocFreqs stands in them; a list need not outlast its turn.
func SubsetScores(length []int32, lists iter.Seq[PostingList], c CorpusStats, p Params) []float64 {
	scores := make([]float64, len(length))
	average := mean(float64(c.Length), c.Records)
	i := 0
	for list := range lists {
		weight := idf(c.Records, c.DocFreqs[i]) * (p.K1 + 1)
		for j, row := range list.Rows {
			n := float64(list.Counts[j])
			scores[row] += weight * n / (n + p.lengthNorm(float64(length[row]), average))
		}
		i++
	}
	return scores
}
