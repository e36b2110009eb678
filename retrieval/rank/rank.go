// Package rank decides what stands first. It is pure: it sees the rows of an archive as numbers, the postings of a query's terms
// and cosines, and knows no text, no store and no clock.
//
// A query goes through it like this:
//
//	own, around := rank.Turns(archive, lists, params)   // BM25 of every row, with its neighbours as a field
//	talks := rank.Conversations(archive, lists, params) // BM25 of every conversation as one document
//	result := rank.Top(archive, rank.Query{Turns: own, Neighbors: around, Conversations: talks, K: 100}, params)
//
// In keyword mode that is all. In hybrid mode (Hybrid) the query also carries Candidates, the nearest vectors inside the filter,
// Depth(K) of them, and Similarity, which is asked once for the cosines of those best keyword rows that are not among the
// candidates. Dense mode needs nothing of this package: the order of cosines is its order.
//
// The rules are:
//
//   - b(row) = (own + around) / the greatest of the archive, and likewise c for conversations. The maximum is of the archive and not
//     of the window, so that a keyword score, and the order of two turns, do not change when somebody zooms.
//   - d(row) = m³, m = min-max of the cosine over the rows of the union that have one; 0 for the others.
//   - score = (1−α)·(b + δ·c) + α·d, with α = 0 in keyword mode.
//   - A query that is nothing but identifiers is a look-up (store/terms' Identifiers): the rows that hold one whole, Query.Exact,
//     stand above those that hold only its parts, by a summand as large as all others can be together.
//   - Equal scores: the lower row, which is the earlier turn, stands first. No two rows are equal, so two backends order alike.
package rank

// Columns holds the columns of all turns that ranking needs, by row. The slices have the same length, and are
// not modified any more once it was used. It is safe for concurrent use.
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
