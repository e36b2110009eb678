package lru

import (
	"fmt"
	"slices"
	"sync"
	"testing"
)

func TestCache_DropsLeastRecentlyUsed(t *testing.T) {
	c := Cache[string, int]{Limit: 2}
	c.Add("a", 1)
	c.Add("b", 2)
	c.Get("a")
	c.Add("c", 3)
	if _, ok := c.Get("b"); ok || c.Total() != 2 {
		t.Errorf("b is kept, of a weight of %d", c.Total())
	}
	if a, ok := c.Get("a"); !ok || a != 1 {
		t.Errorf("got %d, %v for a", a, ok)
	}
	if got := c.Add("a", 9); got != 1 {
		t.Errorf("got %d for a key that has a value, want that value", got)
	}
}

func TestCache_Weight(t *testing.T) {
	c := Cache[int, string]{Limit: 10, Weight: func(s string) int { return len(s) }}
	for i := range 9 {
		c.Add(i, "four")
		if _, ok := c.Get(0); !ok { // it is used again and again
			t.Errorf("dropped after %d values", i+1)
		}
	}
	if _, ok := c.Get(8); !ok || c.Total() != 8 {
		t.Errorf("the last value is kept: %v, total weight %d", ok, c.Total())
	}
	if c.Add(9, "over the limit"); c.Total() != 8 {
		t.Errorf("a value over the limit leaves a weight of %d, want 8", c.Total())
	}
}

func TestCache_PutDropClear(t *testing.T) {
	c := Cache[int, string]{Limit: 3}
	c.Put(1, "a")
	c.Put(2, "b")
	c.Put(1, "A")
	c.Put(3, "c")
	c.Put(4, "d")
	if got := c.Values(); !slices.Equal(got, []string{"d", "c", "A"}) || c.Total() != 3 {
		t.Errorf("of four keys %q is kept, with a weight of %d", got, c.Total())
	}
	c.Drop(func(v string) bool { return v == "c" || v == "d" })
	if _, ok := c.Get(3); ok || !slices.Equal(c.Values(), []string{"A"}) || c.Total() != 1 {
		t.Errorf("stale values are kept: %q", c.Values())
	}
	if c.Clear(); len(c.Values()) != 0 || c.Total() != 0 {
		t.Errorf("cleared, it holds %q", c.Values())
	}
}

func TestCache_Concurrent(t *testing.T) {
	var c Cache[string, int]
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 500 {
				key := fmt.Sprint((i + j) % 200)
				if _, ok := c.Get(key); !ok {
					c.Add(key, j)
				}
			}
		})
	}
	wg.Wait()
	if c.Total() != 128 {
		t.Errorf("%d values, want the default limit of 128", c.Total())
	}
}
