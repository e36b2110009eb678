package retrieval

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestSemaphore_FirstComeFirstServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := make(semaphore, 1)
		var mu sync.Mutex
		var came []int
		for i := range 6 {
			go func() {
				if l.acquire(t.Context()) != nil {
					return
				}
				mu.Lock()
				came = append(came, i)
				mu.Unlock()
				time.Sleep(time.Second)
				l.release()
			}()
			synctest.Wait()
		}
		hurried, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		if err := l.acquire(hurried); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the canceled caller got %v", err)
		}
		synctest.Wait()
		mu.Lock()
		if !slices.Equal(came, []int{0, 1, 2}) {
			t.Errorf("%v acquired a slot meanwhile", came)
		}
		mu.Unlock()
		time.Sleep(time.Minute)
		synctest.Wait()
		if !slices.Equal(came, []int{0, 1, 2, 3, 4, 5}) || len(l) != 0 {
			t.Errorf("%v acquired a slot, %d are left", came, len(l))
		}
	})
}
