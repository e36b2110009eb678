package retrieval

import (
	"sync"

	"lens/retrieval/embed"
	"lens/store"
)

// embedders makes the vectors of queries, and remembers the latest: by an embedder or, where that can stand in for other models, by another one.
type embedders struct {
	own      Embedder      // nil: none
	resolver ModelResolver // nil: own stands in for no other model

	mu    sync.Mutex
	other Embedder // the last that resolver gave; nil: none
}

// newEmbedders returns those of an embedder, nil for none.
func newEmbedders(own Embedder) *embedders {
	e := &embedders{}
	if own != nil {
		e.own = embed.NewCache(own, 0)
		e.resolver, _ = own.(ModelResolver)
	}
	return e
}

// of returns the embedder of a generation's model, or the own one where that cannot be had; nil for none.
func (e *embedders) of(g store.Generation) Embedder {
	if e.resolver == nil || g.Vectors == 0 || isOf(e.own, g) {
		return e.own
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.other == nil || !isOf(e.other, g) {
		other, ok := e.resolver.EmbedderFor(g.Provider, g.Model)
		if !ok {
			return e.own
		}
		e.other = embed.NewCache(other, 0)
	}
	return e.other
}

// isOf reports whether e makes vectors of g's model.
func isOf(e Embedder, g store.Generation) bool {
	provider, name := e.Model()
	return provider == g.Provider && name == g.Model
}
