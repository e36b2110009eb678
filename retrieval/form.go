package retrieval

import (
	"strings"

	"lens/retrieval/rank"
	"lens/store/terms"
)

// A query of this many function words, which are this share of its words or more, is a sentence.
const (
	sentenceStopWords     = 3
	sentenceStopWordShare = 0.35
)

// weightsFor returns the parameters of the ranking for the form of a query: a sentence or key words, which may stand in
// the frame of a question.
func weightsFor(query string, in terms.Language) rank.Params {
	if isSentence(terms.WithoutFrame(query), in) {
		return rank.Sentence()
	}
	return rank.KeyWords()
}

// isSentence reports whether a query ends with a question mark or has the function words of a sentence.
func isSentence(query string, in terms.Language) bool {
	query = strings.TrimSpace(query)
	for _, mark := range []string{"?", "？", "؟"} {
		if strings.HasSuffix(query, mark) {
			return true
		}
	}
	words, stopWords := 0, 0
	for word := range terms.Words(query) {
		words++
		if terms.IsCommon(string(word), in) {
			stopWords++
		}
	}
	return stopWords >= sentenceStopWords && float64(stopWords) >= sentenceStopWordShare*float64(words)
}
