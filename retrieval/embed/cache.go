package embed

import (
	"container/list"
	"context"
	"sync"
)

// Cache keeps the vectors of the latest queries by their text, so zooming and paging do not call the model.
// Failures are not cached. It is safe for concurrent use; the returned vectors are shared and must not be modified.
type Cache struct {
	inner QueryEmbedder
	size  int

	mu     sync.Mutex
	byText map[string]*list.Element
	latest *list.List // of *cached, most recently used first
}

type cached struct {
	text   string
	vector []float32
}

// NewCache returns a cache over inner for size queries; 0 means 128.
func NewCache(inner QueryEmbedder, size int) *Cache {
	if size <= 0 {
		size = 128
	}
	return &Cache{inner: inner, size: size, byText: make(map[string]*list.Element, size), latest: list.New()}
}

// Model is the inner model.
func (c *Cache) Model() (provider, name string) { return c.inner.Model() }

// EmbedQuery returns the cached vector of text, or asks the model for it.
func (c *Cache) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	if vector, ok := c.recall(text); ok {
		return vector, nil
	}
	vector, err := c.inner.EmbedQuery(ctx, text)
	if err != nil {
		return nil, err
	}
	c.remember(text, vector)
	return vector, nil
}

func (c *Cache) recall(text string) ([]float32, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byText[text]
	if !ok {
		return nil, false
	}
	c.latest.MoveToFront(e)
	return e.Value.(*cached).vector, true
}

func (c *Cache) remember(text string, vector []float32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byText[text]; ok { // added concurrently
		c.latest.MoveToFront(e)
		return
	}
	c.byText[text] = c.latest.PushFront(&cached{text, vector})
	if c.latest.Len() > c.size {
		oldest := c.latest.Remove(c.latest.Back()).(*cached)
		delete(c.byText, oldest.text)
	}
}
