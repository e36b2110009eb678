package retrieval

import (
	"context"

	"github.com/google/uuid"

	"lens/store"
)

// Source lists the reads that retrieval makes of an archive; store.Reader documents them.
type Source interface {
	Catalog(ctx context.Context) (*store.Catalog, error)
	Postings(ctx context.Context, terms []string) ([]store.Postings, error)
	Nearest(ctx context.Context, query []float32, f store.Filter, k int) ([]store.Neighbor, error)
	Similarities(ctx context.Context, query []float32, ords []store.Ord) ([]float64, error)
	Turns(ctx context.Context, ids []uuid.UUID) ([]store.Turn, error)
	Embedded(ctx context.Context, turns []uuid.UUID) ([]store.Embedded, error)
	Conversations(ctx context.Context, ids []uuid.UUID) ([]store.Conversation, error)
	Messages(ctx context.Context, conversation uuid.UUID) ([]store.Message, error)
	Answers(ctx context.Context, conversation, userMessage uuid.UUID) ([]store.Answer, error)
	FindAnswer(ctx context.Context, id uuid.UUID) (turn uuid.UUID, err error)
	FindTurns(ctx context.Context, prefix string, limit int) ([]uuid.UUID, error)
	Generations(ctx context.Context) ([]store.Generation, error)
	Models(ctx context.Context) ([]string, error)
	Tags(ctx context.Context) ([]string, error)
}

// Embedder makes the vector of a query in the active generation. It is nil where no model is available.
type Embedder interface {
	// EmbedQuery returns a vector of any length but zero.
	EmbedQuery(ctx context.Context, text string) ([]float32, error)
	// Model names the model that makes the vectors.
	Model() (provider, name string)
}

// ModelResolver is an Embedder that can also provide other models. While an archive is being embedded with a new
// model, it stays searchable by its old vectors; without a resolver, such an archive is searched by words.
type ModelResolver interface {
	// EmbedderFor returns the embedder of another model; false where it has none.
	EmbedderFor(provider, name string) (Embedder, bool)
}
