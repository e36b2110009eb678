package retrieval_test

import (
	"context"
	"testing"

	"lens/retrieval"
	"lens/retrieval/query"
)

// countingModel is a model that has to be loaded.
type countingModel struct{ prepared, queries int }

func (m *countingModel) Model() (provider, name string) { return "test", "words" }

func (m *countingModel) Prepare(context.Context) error { m.prepared++; return nil }

func (m *countingModel) EmbedQuery(context.Context, string) ([]float32, error) {
	m.queries++
	return make([]float32, dim), nil
}

func TestWarm_ReadsIndexesAndSendsNothing(t *testing.T) {
	source, model := kitchen(), new(countingModel)
	if err := retrieval.New(source, model).Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	if source.postingReads.Load() == 0 || source.vectorReads.Load() == 0 || model.prepared != 1 || model.queries != 0 {
		t.Errorf("%d reads of postings, %d of vectors; the model was prepared %d times and got %d queries",
			source.postingReads.Load(), source.vectorReads.Load(), model.prepared, model.queries)
	}
}

// Without a model the vectors are warmed too: their model may come back. Without vectors there is nothing to prepare.
func TestWarm_WithoutModelOrVectors(t *testing.T) {
	source := kitchen()
	if err := retrieval.New(source, nil).Warm(t.Context()); err != nil || source.vectorReads.Load() == 0 {
		t.Errorf("without a model: %d reads of vectors, %v", source.vectorReads.Load(), err)
	}
	source, model := kitchen(), new(countingModel)
	source.generations = nil
	if err := retrieval.New(source, model).Warm(t.Context()); err != nil || source.vectorReads.Load()+int64(model.prepared) != 0 {
		t.Errorf("without vectors: %d reads of vectors, prepared %d times, %v", source.vectorReads.Load(), model.prepared, err)
	}
	if err := retrieval.New(newFakeSource(1, nil), nil).Warm(t.Context()); err != nil {
		t.Errorf("without turns: %v", err)
	}
}

// Warming changes no result.
func TestWarm_SameAnswers(t *testing.T) {
	cold, warm := retrieval.New(kitchen(), nil), retrieval.New(kitchen(), nil)
	if err := warm.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"bread", "how do I make this work"} {
		a, errA := cold.Peek(t.Context(), query.Literal(text))
		b, errB := warm.Peek(t.Context(), query.Literal(text))
		if errA != nil || errB != nil || len(a.Matches) != len(b.Matches) || a.Histogram.Total != b.Histogram.Total {
			t.Errorf("%q: %+v, %v; %+v, %v", text, a, errA, b, errB)
		}
	}
}
