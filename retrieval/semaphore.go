package retrieval

import "context"

// semaphore lets in only so many at a time, in the order in which they came. nil lets in everybody.
type semaphore chan struct{}

// acquire waits for a place, which leave gives back. Error: ctx's.
func (l semaphore) acquire(ctx context.Context) error {
	if l == nil {
		return nil
	}
	select {
	case l <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l semaphore) release() {
	if l != nil {
		<-l
	}
}
