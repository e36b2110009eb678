package retrieval_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"lens/retrieval"
	"lens/store"
)

func TestSources_TheMostFrequentFirst(t *testing.T) {
	var turns []store.Turn
	for _, source := range []store.Source{store.Claude, store.ChatGPT, store.Documents, store.ChatGPT} {
		turns = append(turns, store.Turn{
			ID: uuid.New(), Conversation: uuid.New(), UserText: "sourdough", Source: source, OnPath: true,
		})
	}
	e := retrieval.New(newFakeSource(1, turns), nil)
	sources, err := e.Sources(t.Context())
	if err != nil || !slices.Equal(sources, []string{"chatgpt", "claude", "documents"}) {
		t.Errorf("sources are %q, %v", sources, err)
	}
	kinds, err := e.Kinds(t.Context())
	if err != nil || !slices.Equal(kinds, []string{"chat", "document"}) {
		t.Errorf("kinds are %q, %v", kinds, err)
	}
}
