// Package embed defines embedding models for the rest of Lens: a model turns texts into vectors, a batch at a time,
// and fails item by item.
//
// The rules are:
//
//   - Vectors are comparable only if they come from one model. Code that stores or compares them checks Model.
//   - A text that the model refuses fails alone, in Embedding.Err. An error next to the slice concerns all texts: a
//     wrong key, a wrong model, a server that stays unavailable.
//   - Errors contain neither texts nor keys.
package embed

import "context"

// Embedding is the result for one text: Values, or Err.
type Embedding struct {
	Values    []float32 // of the model's dim, finite, of any length but zero
	Tokens    int       // sent, in tokens of the model; an estimate where its tokenizer is unknown
	Truncated bool      // the text was cut, because it is longer than the model reads
	Text      string    // the part that was embedded, if Truncated
	Err       error     // why there are no Values
}

// QueryEmbedder makes the vectors of queries.
type QueryEmbedder interface {
	// EmbedQuery returns the vector of one query, of any length but zero. It gives up sooner than Embed, because
	// the user is waiting.
	EmbedQuery(ctx context.Context, text string) ([]float32, error)

	// Model names the model that all vectors come from.
	Model() (provider, name string)
}

// Preparer is a QueryEmbedder that has to be loaded first. Prepare loads it, and sends nothing to another machine.
type Preparer interface {
	Prepare(ctx context.Context) error
}

// Embedder makes the vectors of documents too. It is safe for concurrent use.
type Embedder interface {
	QueryEmbedder

	// Embed returns one Embedding per text, in the order of texts. With an error the slice has the same length and
	// holds the results from before the failure, so that nothing paid for is lost.
	Embed(ctx context.Context, texts []string) ([]Embedding, error)
}

// Arrived takes the results of some texts as soon as they are there: results[i] belongs to the text at[i].
type Arrived = func(at []int, results []Embedding)
