package retrieval

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lens/internal/errs"
	"lens/retrieval/query"
	"lens/store"
	"lens/store/terms"
)

// searchPlan is how a request is ranked after its mode has been resolved.
type searchPlan struct {
	mode      query.Mode
	unread    bool      // the model does not read the language of the query, so that words alone rank
	notice    string    // why the mode fell back
	vector    []float32 // of the query, unit length; nil in keyword mode
	embedTime time.Duration
}

// plan resolves the mode and embeds the query if the mode needs a vector.
func (e *Engine) plan(ctx context.Context, a *snapshot, r request) (searchPlan, error) {
	if r.byTime() {
		return searchPlan{mode: query.Keyword}, nil
	}
	by := e.embedders.forGeneration(a.active)
	if checkVectors(by, a.active) == nil && r.isUnread(a.active.Model) {
		return searchPlan{mode: query.Keyword, unread: true}, nil
	}
	return newSearchPlan(ctx, r.mode, r.needsVector(), func() ([]float32, error) {
		return queryVector(ctx, by, a.active, r.query)
	})
}

// newSearchPlan resolves a mode. embed makes the vector of the query, unless the mode needs none. What needs one fails
// without it; all else falls back on words and says why. A vector whose dimension differs from the archive's is an
// error in every mode: retrying would not help.
func newSearchPlan(
	ctx context.Context, mode query.Mode, needsVector bool, embed func() ([]float32, error),
) (searchPlan, error) {
	if mode == query.Keyword {
		return searchPlan{mode: query.Keyword}, nil
	}
	started := time.Now()
	vector, err := embed()
	by := searchPlan{vector: vector, embedTime: time.Since(started)}
	switch {
	case err == nil && mode == query.Dense:
		by.mode = query.Dense
	case err == nil:
		by.mode = query.Hybrid
	case needsVector || isCanceled(ctx, err) || errs.CodeOf(err) == errs.DimensionMismatch:
		return by, err
	default:
		by.mode, by.notice = query.Keyword, byWordsOnly(err)
	}
	return by, nil
}

// byWordsOnly is the notice of a search by words that has no vector because of err.
func byWordsOnly(err error) string { return "By words only: " + userMessage(err) + "." }

// needsVector reports whether words alone cannot answer the request.
func (r *request) needsVector() bool {
	return r.mode == query.Dense || r.asked.Filter.MinSimilarity != nil
}

// queryVector embeds query into the space of a generation, with the prefix that belongs before queries there. The frame
// of a question is near to other questions (rank/EXPERIMENTS.md has the figures).
func queryVector(ctx context.Context, by Embedder, g store.Generation, query string) ([]float32, error) {
	if err := checkVectors(by, g); err != nil {
		return nil, err
	}
	vector, err := by.EmbedQuery(ctx, g.Prefixes.Query+terms.WithoutFrame(query))
	if err != nil {
		return nil, fmt.Errorf("retrieval: embed query: %w", err)
	}
	if len(vector) != g.Dim {
		return nil, dimensionMismatch(g.Dim, len(vector))
	}
	return store.Unit(vector)
}

// The causes of errors where nothing can be searched by meaning: no model is configured, nothing is embedded, or
// another model embedded it. Only the user can change that.
var (
	ErrNoModel     error = &errs.Error{Code: errs.Unavailable, Op: "retrieval: no model"}
	ErrNotEmbedded error = &errs.Error{Code: errs.Unavailable, Op: "retrieval: not embedded"}
	ErrOtherModel  error = &errs.Error{Code: errs.Unavailable, Op: "retrieval: other model"}
)

// checkVectors returns an error that says what a search by the vectors of a generation lacks, nil for nothing.
func checkVectors(e Embedder, g store.Generation) error {
	if e == nil {
		return lack(ErrNoModel,
			"run lens model pull, or set OPENAI_API_KEY or OPENAI_BASE_URL; then run lens embed",
			"no embedding model is configured")
	}
	if g.Vectors == 0 {
		return errNotEmbedded()
	}
	if provider, name := e.Model(); !isModelOf(e, g) {
		return lack(ErrOtherModel, "run lens embed, or set LENS_EMBEDDING_MODEL to the archive's model",
			"the archive is embedded with %s (%s), but queries with %s (%s)", g.Model, g.Provider, name, provider)
	}
	return nil
}

// lack is an error of a search that needs vectors.
func lack(cause error, hint, format string, args ...any) error {
	return &errs.Error{
		Code: errs.Unavailable, Op: "retrieval: peek", Message: fmt.Sprintf(format, args...), Hint: hint, Err: cause,
	}
}

func errNotEmbedded() error { return lack(ErrNotEmbedded, "run lens embed", "nothing is embedded yet") }

// CheckEmbedded returns an error if nothing in the archive has a vector. Errors: unavailable (ErrNotEmbedded).
func (e *Engine) CheckEmbedded(ctx context.Context) error {
	a, err := e.snapshot(ctx)
	if err == nil && a.active.Vectors == 0 {
		err = errNotEmbedded()
	}
	return err
}

func dimensionMismatch(expected, got int) error {
	return &errs.Error{
		Code: errs.DimensionMismatch, Op: "retrieval: peek", Message: fmt.Sprintf("Expected %d, got %d", expected, got),
		Hint: "embed the archive and queries with the same model and number of dimensions",
	}
}

// userMessage returns the part of err that a notice may show.
func userMessage(err error) string {
	var known *errs.Error
	if errors.As(err, &known) && known.Message != "" {
		return known.Message
	}
	return "the embedding model failed"
}
