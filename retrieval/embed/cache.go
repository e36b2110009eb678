package embed

import (
	"context"

	"lens/internal/lru"
)

// Cache keeps the vectors of the latest queries by their text, so zooming and paging do not call the model.
// Failures are not cached. It is safe for concurrent use; the returned vectors are shared and must not be modified.
type Cache struct {
	inner  QueryEmbedder
	byText lru.Cache[string, []float32]
}

// NewCache returns a cache over inner for size queries; 0 means 128.
func NewCache(inner QueryEmbedder, size int) *Cache {
	return &Cache{inner: inner, byText: lru.Cache[string, []float32]{Limit: size}}
}

// Model is the inner model.
func (c *Cache) Model() (provider, name string) { return c.inner.Model() }

// EmbedQuery returns the cached vector of text, or asks the model for it.
func (c *Cache) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	if vector, ok := c.byText.Get(text); ok {
		return vector, nil
	}
	vector, err := c.inner.EmbedQuery(ctx, text)
	if err != nil {
		return nil, err
	}
	return c.byText.Add(text, vector), nil
}

// Prepare loads the inner model, if it has to be loaded.
func (c *Cache) Prepare(ctx context.Context) error {
	if inner, ok := c.inner.(Preparer); ok {
		return inner.Prepare(ctx)
	}
	return nil
}
