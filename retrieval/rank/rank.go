// Package rank decides the order of results. It is pure: it sees the rows of an archive as numbers, the postings of
// a query's terms and cosines, and knows no text, no store and no clock.
//
// A query goes through it like this:
//
//	own, around := rank.TurnScores(columns, lists, params)           // BM25 of every row, with its neighbors as a field
//	conversations := rank.ConversationScores(columns, lists, params) // BM25 of every conversation as one document
//	query := rank.Query{Turns: own, Neighbors: around, Conversations: conversations, Words: rank.Words(n, lists), K: 100}
//	result := rank.Top(columns, query, params)
//
// That is all of keyword mode. In hybrid mode the query also carries Vectors: the Depth(K) nearest eligible ones, and
// how to get the cosines of other rows. Dense mode does not use this package: its order is the order of cosines.
//
// The rules are:
//
//   - A score is a sum of features, each times its weight (Features). The weights are the same for every archive and
//     model; two of them depend on whether the query is a sentence or key words.
//   - BM25 is divided by the archive's maximum, not the window's, and cosines are compared with the archive's. So
//     zooming changes neither a score nor the order of two turns.
//   - If the query names dates, rows near them stand higher (Query.Dates): a bonus that takes no row out and lets none
//     in.
//   - The first rows do not depend on K: see Top.
//   - A query that consists of identifiers only is a look-up (store/terms' Identifiers): rows that hold an
//     identifier whole (Query.Exact) stand above those that hold only its parts, by more than all other features can
//     be together.
//   - On equal scores the nearer row stands first, then the lower one, which is the earlier turn. No two rows are
//     equal, so all backends order alike.
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
	Rows     []int32
	Counts   []uint32
	Discount float64 // by how much it counts less than the other terms; 0: in full, 1: not at all
}
