package retrieval

import (
	"context"
	"slices"
	"strings"
	"sync"

	"lens/retrieval/rank"
)

// scores are the keyword scores of a query over the whole archive, independent of window, mode and top_k.
type scores struct {
	turns            []float64 // by row: score of its own text
	neighbors        []float64 // by row: score of its neighbors
	conversations    []float64 // by conversation
	bestTurn         float64   // the greatest sum of the first two
	bestConversation float64   // the greatest of the third
	worded           rank.Rows // rows with a word
	words            []rank.Word
	exact            []int32 // rows that hold a looked-up identifier
	rowsWithAllTerms []int32 // rows with every word, ascending
	stems            stems   // by which rows with other forms of words have them
}

// query asks for the k best rows by these scores.
func (s *scores) query(k int) rank.Query {
	return rank.Query{
		Turns: s.turns, Neighbors: s.neighbors, Conversations: s.conversations, BestTurn: s.bestTurn,
		BestConversation: s.bestConversation, Worded: s.worded, Words: s.words, Exact: s.exact, K: k,
	}
}

// score returns the scores of words, cached where possible. Rows that hold an identifier rank first. The
// result is valid until release is called.
func (w *wordIndex) score(
	ctx context.Context, a *snapshot, words, identifiers []string, by stems,
) (s *scores, release func(), err error) {
	key := strings.Join(slices.Concat(words, []string{"\n"}, identifiers, []string{"\n"}, by.facts()), " ")
	return w.scores.get(ctx, a.Version, key, func(s *scores) error {
		return w.computeScores(ctx, a, words, identifiers, by, s)
	})
}

// computeScores fills s and reuses its memory.
func (w *wordIndex) computeScores(
	ctx context.Context, a *snapshot, words, identifiers []string, by stems, s *scores,
) error {
	lists, err := w.wordLists(ctx, a, words, by)
	if err != nil {
		return err
	}
	p := rank.KeyWords()
	var rest sync.WaitGroup
	rest.Go(func() {
		s.conversations = zeros(s.conversations, len(a.Catalog.Conversations))
		s.bestConversation = rank.AddConversationScores(s.conversations, &a.columns, lists.scored, p)
		s.rowsWithAllTerms = intersectAll(lists.forms)
		s.worded = lists.worded(a.Len())
	})
	s.turns, s.neighbors = zeros(s.turns, a.Len()), zeros(s.neighbors, a.Len())
	s.bestTurn = rank.AddTurnScores(s.turns, s.neighbors, &a.columns, lists.scored, p)
	rest.Wait()
	s.words, s.exact = rank.Words(a.Len(), lists.forms), nil
	s.stems = lists.by
	for _, identifier := range identifiers {
		// An identifier is one of the words, unless it is too long to be indexed whole.
		if i := slices.Index(words, identifier); i >= 0 {
			s.exact = append(s.exact, lists.scored[i].Rows...)
		}
	}
	return nil
}

// zeros returns n zeros, in memory where that suffices.
func zeros(memory []float64, n int) []float64 {
	if cap(memory) < n {
		return make([]float64, n)
	}
	clear(memory[:n])
	return memory[:n]
}
