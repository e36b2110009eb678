package async

import (
	"context"
	"iter"
	"sync"
	"time"
)

// Stream collects what an iterator yields until the event loop takes it. Two commands drive it: one runs the iterator
// to its end, the other waits for what has come, again and again.
type Stream[T any] struct {
	ctx    context.Context
	cancel context.CancelFunc
	news   chan struct{}
	passed time.Time // when Next returned last; only Next uses it

	mu   sync.Mutex
	come Batch[T]
}

// Batch is what has come since the last one.
type Batch[T any] struct {
	Items []T
	Over  bool  // nothing will follow
	Err   error // why it is over; nil: the iterator has ended
}

// NewStream returns a stream that ends with ctx.
func NewStream[T any](ctx context.Context) *Stream[T] {
	ctx, cancel := context.WithCancel(ctx)
	return &Stream[T]{ctx: ctx, cancel: cancel, news: make(chan struct{}, 1)}
}

// Run ranges over all until it ends, fails, or the stream is stopped.
func (s *Stream[T]) Run(all func(context.Context) iter.Seq2[T, error]) {
	var last error
	for item, err := range all(s.ctx) {
		if err != nil {
			last = err
			break
		}
		s.put(func(b *Batch[T]) { b.Items = append(b.Items, item) })
		if s.ctx.Err() != nil {
			break
		}
	}
	s.put(func(b *Batch[T]) { b.Over, b.Err = true, last })
}

// put changes what has come and wakes Next.
func (s *Stream[T]) put(note func(*Batch[T])) {
	s.mu.Lock()
	note(&s.come)
	s.mu.Unlock()
	select {
	case s.news <- struct{}{}:
	default:
	}
}

// Next waits for news and returns what has come: at once after a while without any, else no sooner than pace after it
// returned last. It also returns when nothing has come for the time of silence. false: the stream was stopped.
func (s *Stream[T]) Next(pace, silence time.Duration) (Batch[T], bool) {
	timer := time.NewTimer(silence)
	defer timer.Stop()
	select {
	case <-s.news:
	case <-timer.C:
	case <-s.ctx.Done():
		return Batch[T]{}, false
	}
	if !Wait(s.ctx, pace-time.Since(s.passed)) {
		return Batch[T]{}, false
	}
	s.passed = time.Now()
	return s.Take(), true
}

// Take returns at once what has come.
func (s *Stream[T]) Take() Batch[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.come
	s.come.Items = nil
	return b
}

// Stop ends the iterator; Take still returns what has come.
func (s *Stream[T]) Stop() { s.cancel() }
