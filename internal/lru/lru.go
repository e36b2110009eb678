// Package lru is a cache that drops the least recently used entries.
package lru

import (
	"cmp"
	"container/list"
	"sync"
)

// Cache holds the most recently used values. Callers share them. Its zero value is an empty cache; it is safe for
// concurrent use.
type Cache[K comparable, V any] struct {
	Limit  int         // of the total weight; 0: 128
	Weight func(V) int // of a value, which never changes; nil: 1

	mu     sync.Mutex
	byKey  map[K]*list.Element
	latest list.List // of *entry[K, V], most recently used first
	total  int       // weight
}

type entry[K comparable, V any] struct {
	key    K
	value  V
	weight int
}

// Get returns the value of key.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[key]
	if !ok {
		return value, false
	}
	c.latest.MoveToFront(e)
	return e.Value.(*entry[K, V]).value, true
}

// Add stores a value, unless key has one already, and returns the value of key.
func (c *Cache[K, V]) Add(key K, value V) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[key]; ok { // added concurrently
		c.latest.MoveToFront(e)
		return e.Value.(*entry[K, V]).value
	}
	c.add(key, value)
	return value
}

// Put stores a value in place of the one that key has.
func (c *Cache[K, V]) Put(key K, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[key]; ok {
		c.remove(e)
	}
	c.add(key, value)
}

func (c *Cache[K, V]) add(key K, value V) {
	added, limit := &entry[K, V]{key, value, 1}, cmp.Or(c.Limit, 128)
	if c.Weight != nil {
		added.weight = c.Weight(value)
	}
	if added.weight > limit { // do not evict everything for a value that cannot stay
		return
	}
	if c.byKey == nil {
		c.byKey = make(map[K]*list.Element)
	}
	c.byKey[key] = c.latest.PushFront(added)
	for c.total += added.weight; c.total > limit; {
		c.remove(c.latest.Back())
	}
}

func (c *Cache[K, V]) remove(e *list.Element) {
	gone := c.latest.Remove(e).(*entry[K, V])
	delete(c.byKey, gone.key)
	c.total -= gone.weight
}

// Drop removes stale values.
func (c *Cache[K, V]) Drop(stale func(V) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.latest.Front(); e != nil; {
		next := e.Next()
		if stale(e.Value.(*entry[K, V]).value) {
			c.remove(e)
		}
		e = next
	}
}

// Clear removes all values.
func (c *Cache[K, V]) Clear() { c.Drop(func(V) bool { return true }) }

// Values returns all values, the most recently used first.
func (c *Cache[K, V]) Values() []V {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]V, 0, c.latest.Len())
	for e := c.latest.Front(); e != nil; e = e.Next() {
		all = append(all, e.Value.(*entry[K, V]).value)
	}
	return all
}

// Total returns the weight of all values.
func (c *Cache[K, V]) Total() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total
}
