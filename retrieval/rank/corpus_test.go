package rank_test

import (
	"lens/retrieval/rank"
	"lens/store/terms"
)

// archive is an archive in memory, in place of a backend and its catalog.
type archive struct {
	rank.Columns
	lists map[string]*rank.PostingList
	row   map[string]int32 // by turn id
}

// turn is a document: a turn of a conversation.
type turn struct{ id, conversation, text string }

// index makes an archive of turns in time order.
func index(turns []turn) *archive {
	a := &archive{lists: make(map[string]*rank.PostingList), row: make(map[string]int32)}
	var analyzer terms.Analyzer
	conversations := make(map[string]int32)
	latest := make(map[int32]int32)
	for i, t := range turns {
		row := int32(i)
		a.row[t.id] = row
		conversation, known := conversations[t.conversation]
		if !known {
			conversation = int32(len(conversations))
			conversations[t.conversation] = conversation
		}
		a.Conversation = append(a.Conversation, conversation)
		a.Prev, a.Next = append(a.Prev, -1), append(a.Next, -1)
		if before, ok := latest[conversation]; ok {
			a.Prev[row], a.Next[before] = before, row
		}
		latest[conversation] = row
		counts := analyzer.Document(t.text)
		a.Length = append(a.Length, int32(terms.Length(counts)))
		a.TotalLength += int64(terms.Length(counts))
		for _, c := range counts {
			list := a.lists[c.Term]
			if list == nil {
				list = new(rank.PostingList)
				a.lists[c.Term] = list
			}
			list.Rows, list.Counts = append(list.Rows, row), append(list.Counts, c.Count)
		}
	}
	a.Conversations = len(conversations)
	return a
}

// query turns a text into a query as the engine does.
func (a *archive) query(text string, p rank.Params, k int) rank.Query {
	var lists []rank.PostingList
	for _, term := range terms.Query(text) {
		if list := a.lists[term]; list != nil {
			lists = append(lists, *list)
		}
	}
	q := rank.Query{Conversations: rank.ConversationScores(&a.Columns, lists, p), K: k}
	q.Turns, q.Neighbors = rank.TurnScores(&a.Columns, lists, p)
	for _, term := range terms.Identifiers(text) {
		if list := a.lists[term]; list != nil {
			q.Exact = append(q.Exact, list.Rows...)
		}
	}
	return q
}

// ask returns the best k rows.
func (a *archive) ask(text string, p rank.Params, k int) []rank.Hit {
	return rank.Top(&a.Columns, a.query(text, p, k), p).Hits
}
