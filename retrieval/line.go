package retrieval

import "context"

// line lets in only so many at a time, in the order in which they came. nil lets in everybody.
type line chan struct{}

// enter waits for a place, which leave gives back. Error: ctx's.
func (l line) enter(ctx context.Context) error {
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

func (l line) leave() {
	if l != nil {
		<-l
	}
}
