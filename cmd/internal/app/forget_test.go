package app

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"lens/agent"
	"lens/cmd/internal/archive"
	"lens/cmd/internal/config"
	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/query"
)

const chatID = "0b8f6e3c-1111-4222-8333-444455556666"

// searched returns a Lens with the demo, and a search in it.
func searched(t *testing.T) (*App, *retrieval.Peek) {
	t.Helper()
	a := newLens(t, config.Config{})
	export := testenv.Demo(t, demo.Options{Turns: 400})
	if _, err := a.Archive.Import(t.Context(), []string{export}, archive.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	engine, err := a.Archive.Engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, err := engine.Peek(t.Context(), query.Query{Text: "sourdough"})
	if err != nil {
		t.Fatal(err)
	}
	return a, p
}

func TestForget_RemovesAnswers(t *testing.T) {
	a, p := searched(t)
	first := p.Matches[0]
	other := p.Matches[slices.IndexFunc(p.Matches,
		func(m retrieval.Match) bool { return m.Conversation != first.Conversation })]
	ids := map[string]retrieval.Match{chatID: first, "0b8f6e3c-1111-4222-8333-444455556667": other}
	for id, m := range ids {
		cites := []agent.Citation{{N: 1, TurnID: m.TurnID.String()}}
		if err := a.Sessions.Save(t.Context(), agent.Session{
			ID:        id,
			Exchanges: []agent.Exchange{{Question: "?", Answer: "[1]", Citations: cites}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	one := archive.ForgetOptions{Conversations: []uuid.UUID{first.Conversation}}
	if _, err := a.Archive.Forget(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	if all, err := a.Sessions.List(t.Context(), agent.SessionPage{Limit: 10}); err != nil || len(all) != 1 || all[0].ID == chatID {
		t.Errorf("after forgetting: got %+v, %v", all, err)
	}
	if _, err := a.Archive.Forget(t.Context(), archive.ForgetOptions{Everything: true}); err != nil {
		t.Fatal(err)
	}
	if all, err := a.Sessions.List(t.Context(), agent.SessionPage{Limit: 10}); err != nil || len(all) != 0 {
		t.Errorf("after forgetting everything: got %+v, %v", all, err)
	}
}

// A chat asks, its turns are forgotten, and the answer is saved.
func TestForget_WhileAnAnswerIsWritten(t *testing.T) {
	a, p := searched(t)
	asked := agent.Session{ID: chatID, Exchanges: []agent.Exchange{{Question: "?", Answering: true}}}
	if err := a.Sessions.Save(t.Context(), asked); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Archive.Forget(t.Context(), archive.ForgetOptions{Turns: []uuid.UUID{p.Matches[0].TurnID}}); err != nil {
		t.Fatal(err)
	}
	one, err := a.Sessions.Change(t.Context(), chatID, func(one *agent.Session) {
		one.Exchanges[0].Answering, one.Exchanges[0].Answer = false, "Rye [1]."
		one.Exchanges[0].Citations = []agent.Citation{{N: 1, TurnID: p.Matches[0].TurnID.String()}}
	})
	if err != nil || one.Exchanges[0].Answer != "" || one.Exchanges[0].Question != "?" {
		t.Errorf("got %+v, %v", one, err)
	}
}
