package rank

import "math"

// TurnScores returns the score of every row, dense, in two summands: own comes from the row's text, around from the
// turns before and after it in its conversation. Both are 0 where no term occurs.
//
//	Σ over terms  idf · tf·(k1+1) / (tf + k1·(1 − b + b·length/average length)),  idf = ln(1 + (N − df + ½)/(df + ½))
//
// This is Robertson and Walker's BM25 with Lucene's idf, which never falls below 0: a term in most turns adds
// little instead of subtracting. The neighbors are a field of weight γ, as in BM25F (Robertson, Zaragoza and Taylor
// 2004): tf and length are the row's own plus γ times theirs, before tf saturates. So a neighbor helps with terms
// that the row lacks and adds little by repeating those that it has.
func TurnScores(c *Columns, lists []PostingList, p Params) (own, around []float64) {
	own, around = make([]float64, len(c.Length)), make([]float64, len(c.Length))
	AddTurnScores(own, around, c, lists, p)
	return own, around
}

// AddTurnScores adds the result of TurnScores to own and around, which hold zeros, and returns the greatest sum of the
// two.
func AddTurnScores(own, around []float64, c *Columns, lists []PostingList, p Params) (best float64) {
	counter := c.counter(p)
	damp := counter.norms.rows
	for _, list := range lists {
		weight := idf(len(c.Length), len(list.Rows)) * (p.K1 + 1) * (1 - list.Discount)
		if !counter.countsNeighbors(list) {
			for i, row := range list.Rows {
				n := float64(list.Counts[i])
				own[row] += weight / (n + damp[row]) * n
				best = max(best, own[row]+around[row])
			}
			continue
		}
		counter.count(list)
		for row := range counter.inRow.All() {
			n := &counter.rows[row]
			near := p.Gamma * float64(n.neighbors)
			share := weight / (float64(n.own) + near + damp[row])
			own[row] += share * float64(n.own)
			around[row] += share * near
			best = max(best, own[row]+around[row])
			*n = counts{}
		}
		clear(counter.inRow)
	}
	counter.release()
	return best
}

// ConversationScores returns the BM25 score of every conversation, each taken as one document of all its turns.
func ConversationScores(c *Columns, lists []PostingList, p Params) []float64 {
	scores := make([]float64, c.Conversations)
	AddConversationScores(scores, c, lists, p)
	return scores
}

// AddConversationScores adds the result of ConversationScores to scores, which hold zeros, and returns the greatest.
func AddConversationScores(scores []float64, c *Columns, lists []PostingList, p Params) (best float64) {
	counter := c.counter(p)
	damp := counter.norms.conversations
	for _, list := range lists {
		counter.countConversations(list)
		n := counter.inConversation.Count(RowRange{0, int32(c.Conversations)})
		weight := idf(c.Conversations, n) * (p.K1 + 1) * (1 - list.Discount)
		for id := range counter.inConversation.All() {
			n := float64(counter.conversations[id])
			scores[id] += weight * n / (n + damp[id])
			best = max(best, scores[id])
			counter.conversations[id] = 0
		}
		clear(counter.inConversation)
	}
	counter.release()
	return best
}

func idf(documents, docFreq int) float64 {
	n, df := float64(documents), float64(docFreq)
	return math.Log1p((n - df + 0.5) / (df + 0.5))
}

// lengthNorm is the part of BM25's denominator that grows with the length of the text.
func (p *Params) lengthNorm(length, average float64) float64 {
	return p.K1 * (1 - p.B + p.B*length/average)
}

func mean(total float64, n int) float64 {
	if total <= 0 || n == 0 {
		return 1
	}
	return total / float64(n)
}
