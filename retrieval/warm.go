package retrieval

import (
	"context"

	"lens/retrieval/embed"
	"lens/retrieval/query"
)

// warmQuery has common words, so that searching for it reads most of what other queries need.
const warmQuery = "how do I make this work"

// Warm does what the first search would wait for, so that it is as fast as the second: it reads the catalog and the
// indexes, builds a vector index that is missing, and loads a built-in model. It asks no server for a vector. That a
// model cannot be loaded is left to the searches, which say so.
func (e *Engine) Warm(ctx context.Context) error {
	return e.readConsistently(ctx, func(a *snapshot) error {
		r, err := newRequest(query.Query{Text: warmQuery})
		if err != nil {
			return err
		}
		by := searchPlan{mode: query.Keyword}
		if a.active.Vectors > 0 {
			by = searchPlan{mode: query.Hybrid, vector: make([]float32, a.active.Dim)}
			by.vector[0] = 1
			if model, ok := e.embedders.forGeneration(a.active).(embed.Preparer); ok {
				_ = model.Prepare(ctx)
			}
		}
		f, err := e.searchWith(ctx, a, r, by)
		if err != nil {
			return err
		}
		_, err = e.buildPeek(ctx, f, dateRangeOf(f.matchTimes()))
		return err
	})
}
