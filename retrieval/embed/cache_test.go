package embed_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"lens/retrieval/embed"
)

// countingModel embeds a query as the number of queries so far.
type countingModel struct {
	mu    sync.Mutex
	asked []string
	fail  error
}

func (m *countingModel) Model() (provider, name string) { return "test", "counting" }

func (m *countingModel) EmbedQuery(_ context.Context, text string) ([]float32, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, text)
	return []float32{float32(len(m.asked))}, m.fail
}

func ask(t *testing.T, c *embed.Cache, text string) float32 {
	t.Helper()
	v, err := c.EmbedQuery(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	return v[0]
}

func TestCache_AsksOncePerText(t *testing.T) {
	model := &countingModel{}
	c := embed.NewCache(model, 0)
	if ask(t, c, "a") != 1 || ask(t, c, "b") != 2 || ask(t, c, "a") != 1 || len(model.asked) != 2 {
		t.Errorf("asked %v", model.asked)
	}
}

func TestCache_EvictsLeastRecentlyUsed(t *testing.T) {
	model := &countingModel{}
	c := embed.NewCache(model, 2)
	for _, text := range []string{"a", "b", "a", "c", "a", "b"} { // c evicts b, not a
		ask(t, c, text)
	}
	if fmt.Sprint(model.asked) != "[a b c b]" {
		t.Errorf("asked %v", model.asked)
	}
}

func TestCache_Failure(t *testing.T) {
	model := &countingModel{fail: errors.New("down")}
	c := embed.NewCache(model, 2)
	if _, err := c.EmbedQuery(t.Context(), "a"); !errors.Is(err, model.fail) {
		t.Fatalf("got %v", err)
	}
	model.fail = nil
	if got := ask(t, c, "a"); got != 2 {
		t.Errorf("got %v", got)
	}
}

func TestCache_Concurrent(t *testing.T) {
	c := embed.NewCache(&countingModel{}, 8)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 200 {
				if _, err := c.EmbedQuery(t.Context(), fmt.Sprint((i+j)%16)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func ExampleCache() {
	model := &countingModel{}
	c := embed.NewCache(model, 128)
	for range 3 {
		_, _ = c.EmbedQuery(context.Background(), "drop order of futures")
	}
	fmt.Println(len(model.asked))
	// Output: 1
}
