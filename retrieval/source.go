package retrieval

import (
	"context"

	"github.com/google/uuid"

	"lens/store"
)

// Source lists the reads that retrieval makes of an archive; store.Reader says what each promises.
type Source interface {
	Catalog(ctx context.Context) (*store.Catalog, error)
	Postings(ctx context.Context, terms []string) ([]store.Postings, error)
	Nearest(ctx context.Context, query []float32, f store.Filter, k int) ([]store.Neighbor, error)
	Similarities(ctx context.Context, query []float32, ords []store.Ord) ([]float64, error)
	Turns(ctx context.Context, ids []uuid.UUID) ([]store.Turn, error)
	Conversations(ctx context.Context, ids []uuid.UUID) ([]store.Conversation, error)
	FindTurns(ctx context.Context, prefix string, limit int) ([]uuid.UUID, error)
	Generations(ctx context.Context) ([]store.Generation, error)
}

// Embedder makes the vector of a query in the active generation. It is nil where no model is at hand.
type Embedder interface {
	// EmbedQuery returns a vector of any length but zero.
	EmbedQuery(ctx context.Context, text string) ([]float32, error)
	// Model names the model whose generation the vector belongs to.
	Model() (provider, name string)
}

// ModelResolver is an Embedder that can stand in for other models. It lets an archive that is being embedded anew be searched by the vectors it
// had before, until the new ones are all there; without it, such an archive is searched by keywords.
type ModelResolver interface {
	// EmbedderFor returns the embedder of another model; false where there is none.
	EmbedderFor(provider, name string) (Embedder, bool)
}
