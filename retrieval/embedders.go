package retrieval

import (
	"sync"

	"lens/retrieval/embed"
	"lens/store"
)

// embedders makes and caches query vectors. Where the primary embedder can resolve other models, it uses the model
// of the active generation.
type embedders struct {
	primary  Embedder      // nil: none
	resolver ModelResolver // nil: primary cannot provide other models

	mu       sync.Mutex
	resolved Embedder // the last one from resolver; nil: none
}

// newEmbedders returns the embedders behind primary, nil for none.
func newEmbedders(own Embedder) *embedders {
	e := &embedders{}
	if own != nil {
		e.primary = embed.NewCache(own, 0)
		e.resolver, _ = own.(ModelResolver)
	}
	return e
}

// forGeneration returns the embedder of a generation's model, or the primary one where that model is not available;
// nil for none.
func (e *embedders) forGeneration(g store.Generation) Embedder {
	if e.resolver == nil || g.Vectors == 0 || isModelOf(e.primary, g) {
		return e.primary
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.resolved == nil || !isModelOf(e.resolved, g) {
		other, ok := e.resolver.EmbedderFor(g.Provider, g.Model)
		if !ok {
			return e.primary
		}
		e.resolved = embed.NewCache(other, 0)
	}
	return e.resolved
}

// isModelOf reports whether e makes vectors of g's model.
func isModelOf(e Embedder, g store.Generation) bool {
	provider, name := e.Model()
	return provider == g.Provider && name == g.Model
}
