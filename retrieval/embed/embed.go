// Package embed says what an embedding model is to Lens: something that turns texts into vectors, a batch at a time, and
// fails item by item.
//
// The rules are:
//
//   - Vectors that belong together come from one model: whoever stores or compares them goes by Model.
//   - A text that the model refuses fails alone, in Embedding.Err. An error beside the slice concerns all texts: a wrong key,
//     a wrong model, a server that stays away.
//   - No error holds a text or a key.
package embed

import "context"

// Embedding is what became of one text: Values, or Err.
type Embedding struct {
	Values    []float32 // of the model's dim, finite, of any length but zero
	Tokens    int       // what was sent, in tokens of the model; an estimate where its tokenizer is unknown
	Truncated bool      // the text was longer than the model reads, and was cut
	Err       error     // why there are no Values
}

// QueryEmbedder makes the vectors of queries.
type QueryEmbedder interface {
	// EmbedQuery returns the vector of one query, of any length but zero. It gives up sooner than Embed: somebody is waiting.
	EmbedQuery(ctx context.Context, text string) ([]float32, error)

	// Model names the model that all vectors come from.
	Model() (provider, name string)
}

// Embedder makes the vectors of documents too. It is safe for concurrent use.
type Embedder interface {
	QueryEmbedder

	// Embed returns one Embedding a text, the i-th of texts[i]. With an error the slice is as long, and what was obtained before the
	// failure is in it, so that nothing that was paid for is lost.
	Embed(ctx context.Context, texts []string) ([]Embedding, error)
}
