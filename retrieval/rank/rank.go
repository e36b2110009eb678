// Package rank decides the order of results. It is pure: it sees the rows of an archive as numbers, the postings of
// a query's terms and cosines, and knows no text, no store and no clock.
//
// A query goes through it like this:
//
//	own, neighbors := rank.TurnScores(columns, lists, params)        // BM25 of every row, with its neighbors as a field
//	conversations := rank.ConversationScores(columns, lists, params) // BM25 of every conversation as one document
//	query := rank.Query{Turns: own, Neighbors: neighbors, Conversations: conversations, K: 100}
//	result := rank.Top(columns, query, params)
//
// That is all of keyword mode. In hybrid mode (Hybrid) the query also carries Candidates, the Depth(K) nearest
// eligible vectors, and Similarity, which is called once for the cosines of the best keyword rows that are not
// among the candidates. Dense mode does not use this package: its order is the order of cosines.
//
// The rules are:
//
//   - b(row) = (own + neighbors) / the archive's maximum, and likewise c for conversations. The maximum is the
//     archive's, not the window's, so zooming changes neither a keyword score nor the order of two turns.
//   - d(row) = m³, m = min-max of the cosine over the rows of the union that have one; 0 for the others.
//   - score = (1−α)·(b + δ·c) + α·d, with α = 0 in keyword mode. If the query names dates, rows near them get up to ω
//     more (Query.Dates): a bonus that takes no row out and lets none in.
//   - A query that consists of identifiers only is a look-up (store/terms' Identifiers): rows that hold an
//     identifier whole (Query.Exact) stand above those that hold only its parts, by a summand as large as all
//     others can be together.
//   - On equal scores the lower row, which is the earlier turn, stands first. No two rows are equal, so all
//     backends order alike.
package rank

// Columns holds what ranking needs to know of all turns, by row. The slices have the same length and must not
// change after first use. It is safe for concurrent use.
type Columns struct {
	Length        []int32 // terms in the turn
	TotalLength   int64   // sum of Length
	Conversation  []int32 // index of the turn's conversation
	Conversations int     // how many there are
	Prev, Next    []int32 // rows of the turns before and after it in its conversation, -1 for none

	derived derived // of the columns above
}

// PostingList says where one term of the query occurs: Counts[i] times in Rows[i]. Rows are distinct, in any order.
type PostingList struct {
	Rows   []int32
	Counts []uint32
}
