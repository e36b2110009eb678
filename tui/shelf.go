package tui

import "slices"

// shelf caches the newest room values by key. The zero shelf holds none.
type shelf[K comparable, V any] struct {
	room  int
	keys  []K // oldest first
	items map[K]V
}

func newShelf[K comparable, V any](room int) shelf[K, V] {
	return shelf[K, V]{room: room, items: map[K]V{}}
}

func (s *shelf[K, V]) put(key K, value V) {
	if _, known := s.items[key]; !known {
		s.keys = append(s.keys, key)
	}
	s.items[key] = value
	if len(s.keys) > s.room {
		delete(s.items, s.keys[0])
		s.keys = s.keys[1:]
	}
}

// drop removes stale values.
func (s *shelf[K, V]) drop(stale func(V) bool) {
	s.keys = slices.DeleteFunc(s.keys, func(key K) bool {
		gone := stale(s.items[key])
		if gone {
			delete(s.items, key)
		}
		return gone
	})
}

func (s *shelf[K, V]) clear() {
	s.keys = nil
	clear(s.items)
}

func (s *shelf[K, V]) get(key K) (V, bool) {
	value, ok := s.items[key]
	return value, ok
}
