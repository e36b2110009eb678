package rank_test

import (
	"fmt"

	"lens/retrieval/rank"
)

func Example() {
	// Three turns of one conversation; the query's only term occurs twice in the first and once in the last.
	columns := &rank.Columns{
		Length: []int32{12, 30, 8}, TotalLength: 50,
		Conversation: []int32{0, 0, 0}, Conversations: 1,
		Prev: []int32{-1, 0, 1}, Next: []int32{1, 2, -1},
	}
	lists := []rank.PostingList{{Rows: []int32{0, 2}, Counts: []uint32{2, 1}}}
	params := rank.KeyWords()
	own, around := rank.TurnScores(columns, lists, params)
	result := rank.Top(columns, rank.Query{
		Turns:         own,
		Neighbors:     around,
		Conversations: rank.ConversationScores(columns, lists, params),
		Words:         rank.Words(len(columns.Length), lists),
		K:             10,
	}, params)
	for _, hit := range result.Hits {
		fmt.Printf("row %d: %.2f\n", hit.Row, hit.Score)
	}
	// Output:
	// row 0: 2.60
	// row 2: 2.41
}
