package openai

import (
	"fmt"
	"math"

	"lens/internal/errs"
	"lens/internal/provider"

	api "github.com/sashabaranov/go-openai"
)

// check accepts an answer only if it holds n vectors, each index once, all of the expected dimension. It returns
// them in order of index, nil for one that is zero or not finite.
func (e *Embedder) check(data []api.Embedding, n int) ([][]float32, *fault) {
	if len(data) != n {
		return nil, e.malformed(fmt.Sprintf("%d vectors for %d texts", len(data), n))
	}
	vectors := make([][]float32, n)
	for _, d := range data {
		switch {
		case d.Index < 0 || d.Index >= n || vectors[d.Index] != nil:
			return nil, e.malformed("its indexes do not match the texts")
		case len(d.Embedding) == 0:
			return nil, e.malformed("a vector is empty")
		case len(d.Embedding) != len(data[0].Embedding):
			return nil, e.malformed("its vectors differ in length")
		}
		vectors[d.Index] = d.Embedding
	}
	if f := e.expectDim(len(data[0].Embedding)); f != nil {
		return nil, f
	}
	for i, v := range vectors {
		if !isUsable(v) {
			vectors[i] = nil
		}
	}
	return vectors, nil
}

// expectDim holds the server to the requested dimension, or else to that of its first answer.
func (e *Embedder) expectDim(dim int) *fault {
	if e.dim.CompareAndSwap(0, int64(dim)) || e.dim.Load() == int64(dim) {
		return nil
	}
	return &fault{kind: provider.Permanent, err: &errs.Error{
		Code: errs.DimensionMismatch, Op: op,
		Message: fmt.Sprintf("expected vectors with %d dimensions, got %d from %s", e.dim.Load(), dim, e.server.Host),
		Hint:    "check that the server still runs the same model and that it supports the requested dimensions",
	}}
}

func isUsable(v []float32) bool {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return sum > 0 && !math.IsInf(sum, 0) && !math.IsNaN(sum)
}
