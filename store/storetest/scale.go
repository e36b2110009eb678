package storetest

import (
	"fmt"
	"slices"
	"testing"

	"lens/store"
)

var scaleChecks = []check{
	{"of ten thousand turns: all reads agree", tenThousandTurns},
}

// hourlyChats makes n turns in conversations of ten, one turn per hour.
func hourlyChats(n int) (chats []store.Conversation) {
	for i := 0; i < n; i += 10 {
		exchanges := make([]exchange, min(10, n-i))
		for j := range exchanges {
			exchanges[j] = exchange{
				User: fmt.Sprintf("question %d about topic%d", i+j, (i+j)%97), Replies: []string{fmt.Sprintf("answer %d", i+j)},
				At: at(i + j), Branch: j == 9,
			}
		}
		chats = append(chats, chat(fmt.Sprint("talk ", i), exchanges...))
	}
	return chats
}

func tenThousandTurns(t *testing.T, a *archive) {
	const n, dim = 10_000, 16
	chats := a.put(t, hourlyChats(n)...)
	g := a.generation(t, dim, true)
	var all, onPath []store.Turn
	for _, c := range chats {
		all = append(all, c.Turns...)
	}
	for _, turn := range all {
		if turn.OnPath {
			onPath = append(onPath, turn)
		}
	}
	a.embed(t, g, all...)
	want(t, "rows", a.catalog(t).Len(), n)
	want(t, "on the active path", len(a.each(t, store.Filter{})), len(onPath))
	want(t, "vectors", a.generations(t)[0].Vectors, n)
	want(t, "documents of a topic", len(a.postings(t, "topic5")[0].Ords), (n-5+96)/97)
	pending, err := a.CountPending(t.Context(), g.ID, store.Filter{AllBranches: true})
	must(t, err)
	want(t, "pending", pending, 0)
	window := store.Filter{Since: at(2000), Until: at(3000)}
	want(t, "turns in a window", len(a.each(t, window)), 900)
	query := vectorOf(dim, "query")
	found, err := a.Nearest(t.Context(), query, window, 50)
	must(t, err)
	wanted := exactNearest(query, onPath[1800:2700], 50)
	if !slices.Equal(found, wanted) {
		t.Errorf("neighbors in a window: got %v, want %v", found, wanted)
	}
	if got, wanted := a.nearest(t, query, 100), exactNearest(query, onPath, 100); !slices.Equal(got, wanted) {
		t.Errorf("neighbors: got %v, want %v", got, wanted)
	}
}
