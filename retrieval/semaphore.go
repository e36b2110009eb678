package retrieval

import "context"

// semaphore limits how many callers run at the same time, first come, first served. A nil semaphore has no limit.
type semaphore chan struct{}

// acquire waits for a slot, which release returns. Error: ctx's.
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
