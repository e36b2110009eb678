package storetest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"lens/internal/errs"
	"lens/store"
)

func textsAlone(t *testing.T, a *archive) {
	c := chat("one",
		exchange{User: "hello", Replies: []string{"first", "", "thinking", "second"}, Summary: "greeted", At: at(1)},
		exchange{User: "alone", At: at(2)},
		exchange{User: "", Replies: []string{"indeed"}, Branch: true},
		exchange{User: strings.Repeat("long ", 100_000), Replies: []string{strings.Repeat("reply ", 100_000)}, At: at(3)})
	c.Messages[3].Visible = false
	opened := chat("an assistant opens it", exchange{User: "welcome", At: at(4)})
	opened.Messages[0].Role = store.Assistant
	silent := chat("without messages", exchange{User: "gone", At: at(5)})
	silent.Messages = nil
	var ords []store.Ord
	for _, put := range a.put(t, c, opened, silent) {
		for _, turn := range put.Turns {
			ords = append(ords, turn.Ord)
		}
	}
	slices.Reverse(ords)
	ords = append(ords, ords[1])
	catalog := a.catalog(t)
	seen := 0
	must(t, a.eachText(t.Context(), ords, func(i int, user, assistant string) {
		row, _ := catalog.Row(ords[i])
		turn := a.turns(t, catalog.ID[row])[0]
		if user != turn.UserText || assistant != turn.AssistantText {
			t.Errorf("turn %d: got %.40q and %.40q, want %.40q and %.40q", i, user, assistant, turn.UserText, turn.AssistantText)
		}
		seen++
	}))
	want(t, "turns seen", seen, len(ords))
	must(t, a.eachText(t.Context(), nil, nil))
	wantCode(t, a.eachText(t.Context(), []store.Ord{ords[0], 1 << 30}, func(int, string, string) {}), errs.NotFound)
}

// eachText reads texts alone.
func (a *archive) eachText(ctx context.Context, ords []store.Ord, see func(i int, user, assistant string)) error {
	if see == nil {
		see = func(int, string, string) {}
	}
	return a.Store.(store.TextReader).EachText(ctx, ords, see)
}
