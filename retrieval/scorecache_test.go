package retrieval

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// Scores in use are not overwritten, however many queries follow.
func TestScoreCache_ScoresInUse(t *testing.T) {
	var c scoreCache
	var all sync.WaitGroup
	for reader := range 8 {
		all.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(reader)))
			for range 300 {
				query := random.IntN(3 * maxCachedScores)
				s, release, err := c.get(t.Context(), int64(random.IntN(2)), fmt.Sprint(query), func(s *scores) error {
					s.turns = zeros(s.turns, 100)
					for i := range s.turns {
						s.turns[i] += float64(query)
					}
					return nil
				})
				if err != nil {
					t.Error(err)
					return
				}
				for _, score := range s.turns {
					if score != float64(query) {
						t.Errorf("read score %v of query %d", score, query)
						return
					}
				}
				release()
			}
		})
	}
	all.Wait()
	if len(c.latest) > maxCachedScores || len(c.spare) > maxSpare {
		t.Errorf("kept %d entries and %d spare ones", len(c.latest), len(c.spare))
	}
}

func TestScoreCache_WaiterRetries(t *testing.T) {
	var c scoreCache
	computing, fail := make(chan struct{}), make(chan struct{})
	failed := make(chan error)
	go func() {
		_, _, err := c.get(t.Context(), 1, "q", func(*scores) error {
			close(computing)
			<-fail
			return context.Canceled // the request was canceled while it read postings
		})
		failed <- err
	}()
	<-computing
	computed := 0
	waited := make(chan error)
	go func() {
		_, release, err := c.get(t.Context(), 1, "q", func(*scores) error { computed++; return nil })
		if err == nil {
			release()
		}
		waited <- err
	}()
	close(fail)
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("the computing caller got %v", err)
	}
	if err := <-waited; err != nil || computed != 1 {
		t.Errorf("the waiting caller got %v after %d computations", err, computed)
	}
}

func TestScoreCache_CanceledWait(t *testing.T) {
	var c scoreCache
	computing, finish := make(chan struct{}), make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _, _ = c.get(t.Context(), 1, "q", func(*scores) error {
			close(computing)
			<-finish
			return nil
		})
	}()
	<-computing
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := c.get(ctx, 1, "q", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	close(finish)
	<-done
}

func TestScoreCache_Panic(t *testing.T) {
	var c scoreCache
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		_, _, _ = c.get(t.Context(), 1, "q", func(*scores) error { panic("damaged") })
	}()
	if _, _, err := c.get(t.Context(), 1, "q", func(*scores) error { return nil }); err != nil {
		t.Error(err)
	}
}
