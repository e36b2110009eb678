package rank_test

import (
	"fmt"
	"strings"
	"testing"

	"lens/retrieval/rank"
)

// identifiers is an archive in which three turns name SendMessageW, one of them at great length, and many hold its parts: also in
// the conversation that is about nothing else.
func identifiers() *archive {
	long := strings.Repeat("the deployment notes of this quarter go on and on about unrelated matters such as invoices ", 60)
	turns := []turn{
		{"exact at length", "invoices", long + "SendMessageW " + long},
		{"exact", "windows", "What does SendMessageW return? SendMessageW returns the result of the window procedure; SendMessageW blocks."},
		{"parts next to it", "windows", "send message send message w send message"},
		{"parts", "windows", "send the message, then send a message w"},
		{"exact elsewhere", "gardening", "By the way, sendmessagew was the call I meant"},
	}
	for i := range 400 {
		turns = append(turns, turn{fmt.Sprint("filler ", i), fmt.Sprint("talk ", i/4), fmt.Sprintf("send me a message about topic%d, w%d", i%37, i%5)})
	}
	return index(turns)
}

func TestTop_ExactIdentifiersFirst(t *testing.T) {
	a := identifiers()
	for _, query := range []string{"SendMessageW", "sendMessageW", "what is SendMessageW?"} {
		hits := a.ask(query, rank.KeyWords(), 10)
		found := map[int32]bool{hits[0].Row: true, hits[1].Row: true, hits[2].Row: true}
		for _, id := range []string{"exact", "exact elsewhere", "exact at length"} {
			if !found[a.row[id]] {
				t.Errorf("%q: %q is not among the first three: %+v", query, id, hits[:3])
			}
		}
		if len(hits) < 10 {
			t.Errorf("%q: rows that hold the parts are missing", query)
		}
	}
}

func TestTop_IdentifierInSentence(t *testing.T) {
	a := identifiers()
	if hits := a.ask("why does SendMessageW send no message", rank.KeyWords(), 3); hits[0].Row != a.row["exact"] {
		t.Errorf("got %+v", hits)
	}
}

func TestTop_IdentifierInLowerCase(t *testing.T) {
	a := identifiers()
	if hits := a.ask("sendmessagew", rank.KeyWords(), 10); len(hits) != 3 || hits[0].Row != a.row["exact"] {
		t.Errorf("got %+v", hits)
	}
}
