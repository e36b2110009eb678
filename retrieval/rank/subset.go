package rank

// CorpusStats is what BM25 needs to know about a whole collection to score some of its rows.
type CorpusStats struct {
	Records  int   // rows in all
	Length   int64 // terms in all of them
	DocFreqs []int // rows that hold each term of the query
}

// SubsetScores returns the BM25 score of some rows of a corpus, dense: own of TurnScores, without neighbors and
// with the statistics of the whole corpus. So a part scores as the whole does, to the last digit. length holds the
// rows' lengths, lists the postings of each term of c.DocFreqs.
func SubsetScores(length []int32, lists []PostingList, c CorpusStats, p Params) []float64 {
	scores := make([]float64, len(length))
	average := mean(float64(c.Length), c.Records)
	for i, list := range lists {
		weight := idf(c.Records, c.DocFreqs[i]) * (p.K1 + 1)
		for j, row := range list.Rows {
			n := float64(list.Counts[j])
			scores[row] += weight * n / (n + p.lengthNorm(float64(length[row]), average))
		}
	}
	return scores
}

// SubsetWords returns the words of posting lists of ascending rows, each for a term of c.DocFreqs.
func SubsetWords(lists []PostingList, c CorpusStats) []Word {
	words := make([]Word, len(lists))
	for i, list := range lists {
		words[i] = Word{list.Rows, idf(c.Records, c.DocFreqs[i])}
	}
	return words
}
