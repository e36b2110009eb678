package retrieval_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/retrieval"
)

func shortlist(t *testing.T, a *fakeSource, query string, synonyms []string) []retrieval.Candidate {
	t.Helper()
	all, err := retrieval.New(a, &words{}).Shortlist(context.Background(), query, synonyms)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func idsOf(all []retrieval.Candidate) (ids []uuid.UUID) {
	for _, c := range all {
		ids = append(ids, c.TurnID)
	}
	return ids
}

func TestShortlist_Synonyms(t *testing.T) {
	turns := conversationOf("kitchen", [3]string{"2024-01-01", "sourdough bread", "flour and water"}, [3]string{"2024-01-02", "levain", "bubbles"}, [3]string{"2024-01-03", "taxes", "forms"})
	a := newFakeSource(1, turns)
	if got := shortlist(t, a, "sourdough", nil); len(got) != 1 || got[0].TurnID != turns[0].ID || got[0].Keyword <= 0 || got[0].Cosine == nil || got[0].Time == nil {
		t.Errorf("got %+v", got)
	}
	if got := idsOf(shortlist(t, a, "sourdough", []string{"Levain"})); len(got) != 2 {
		t.Errorf("with a synonym: %v", got)
	}
	if got := shortlist(t, a, "nothing of it", nil); len(got) != 0 {
		t.Errorf("without a word of the query: %v", got)
	}
}

func TestShortlist_WithoutVectors(t *testing.T) {
	a := newFakeSource(1, conversationOf("one", [3]string{"2024-01-01", "bread", "flour"}))
	for name, c := range map[string]struct {
		e    *retrieval.Engine
		want errs.Code
	}{
		"no model":     {retrieval.New(a, nil), errs.Unavailable},
		"another dim":  {retrieval.New(a, &words{dim: dim + 1}), errs.DimensionMismatch},
		"no such word": {retrieval.New(a, &words{fail: errors.New("down")}), errs.Internal},
	} {
		if _, err := c.e.Shortlist(context.Background(), "bread", nil); errs.CodeOf(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := retrieval.New(a, &words{}).Shortlist(context.Background(), " ", nil); errs.CodeOf(err) != errs.Invalid {
		t.Errorf("an empty query: %v", err)
	}
}

func TestHydrate_Order(t *testing.T) {
	turns := conversationOf("one", [3]string{"2024-01-01", "bread", "flour"}, [3]string{"2024-01-02", "butter", "milk"})
	e := retrieval.New(newFakeSource(1, turns), nil)
	got, err := e.Hydrate(context.Background(), []uuid.UUID{turns[1].ID, turns[0].ID})
	if err != nil || len(got) != 2 || got[0].User != "butter" || got[1].Assistant != "flour" {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := e.Hydrate(context.Background(), []uuid.UUID{uuid.New()}); errs.CodeOf(err) != errs.NotFound {
		t.Errorf("got %v", err)
	}
}

func BenchmarkShortlist(b *testing.B) {
	e := retrieval.New(large(), &words{})
	if _, err := e.Shortlist(b.Context(), someWords[0], nil); err != nil {
		b.Fatal(err)
	}
	var took latencies
	for b.Loop() {
		started := time.Now()
		if _, err := e.Shortlist(b.Context(), someWords[0], []string{"one", "another"}); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(started))
	}
	took.report(b)
}
