package chat

import (
	"context"
	"io"
	"iter"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Decoder parses the JSON of a conversation, which is well-formed and the decoder's to keep, or returns the reason why
// it cannot. It must be safe for concurrent use.
type Decoder func(raw []byte) (*Parsed, *Skip)

// Stream yields the decoded conversations of r in order: the elements of an array, of the array "conversations" of an
// object, or a single object. For each that cannot be decoded it yields a *Skip and continues; any other error is a
// *errs.Error with Op op, and the last value.
//
// One goroutine splits the file into conversations and several decode them, while the consumer works. They pass on
// about batchSize bytes of JSON at a time, because waking a goroutine takes longer than decoding a short chat. At most
// inFlight bytes of JSON wait for the consumer, in addition to the conversation that is being split; or a single larger
// conversation. When the consumer stops, Stream waits for a Read in progress and leaves no goroutine behind.
func Stream(op string, r io.Reader, decode Decoder) iter.Seq2[*Parsed, error] {
	return StreamLists(op, r, conversations, decode)
}

// StreamLists is Stream for files whose outermost object has more than one array to decode.
func StreamLists(op string, r io.Reader, lists []string, decode Decoder) iter.Seq2[*Parsed, error] {
	return func(yield func(*Parsed, error) bool) {
		ctx, stop := context.WithCancel(context.Background())
		s := stream{work: make(chan *batch), order: make(chan *batch, decoders()), room: semaphore.NewWeighted(inFlight)}
		var running sync.WaitGroup
		defer running.Wait()
		defer stop()
		running.Go(func() { s.cut(ctx, op, r, lists, decode) })
		for range decoders() {
			running.Go(func() { s.decode(decode) })
		}
		for b := range s.order {
			for _, got := range <-b.done {
				if !yield(got.conversation, got.err) {
					return
				}
			}
			s.room.Release(b.weight())
		}
	}
}

const (
	batchSize = 256 << 10
	inFlight  = 8 << 20
)

// decoders returns the number of decoding goroutines: more would only wait for the one that splits.
func decoders() int { return min(runtime.GOMAXPROCS(0), 3) }

// stream is the state that the goroutines of one Stream share.
type stream struct {
	work  chan *batch         // to the decoders
	order chan *batch         // the same batches in the order of the file, to the consumer
	room  *semaphore.Weighted // of inFlight bytes
}

// batch is the JSON of some conversations; the last batch may carry an error.
type batch struct {
	first  int // index in the file of the first conversation
	values [][]byte
	size   int // bytes of values
	err    error
	done   chan []outcome // buffered for one send
}

type outcome struct {
	conversation *Parsed
	err          error
}

func newBatch(first int) *batch { return &batch{first: first, done: make(chan []outcome, 1)} }

// weight returns how much of inFlight the batch takes; a larger batch takes all of it.
func (b *batch) weight() int64 { return int64(min(b.size, inFlight)) }

// cut splits r into batches. It stops when ctx is done: the consumer has stopped.
func (s *stream) cut(ctx context.Context, op string, r io.Reader, lists []string, decode Decoder) {
	defer close(s.order)
	defer close(s.work)
	next := newBatch(0)
	hasTurns := func(value []byte) bool {
		c, skip := decode(value)
		return skip == nil && len(c.Turns) > 0
	}
	err := split(r, MaxConversation, wrapperOf(lists), hasTurns, func(value []byte) bool {
		next.values = append(next.values, value)
		if next.size += len(value); next.size < batchSize {
			return true
		}
		full := next
		next = newBatch(full.first + len(full.values))
		return s.send(ctx, full)
	})
	if err != nil {
		next.err = readError(op, err)
	}
	s.send(ctx, next)
}

// send sends a batch and reports whether the consumer still listens. The consumer gets a batch only after a decoder has
// it, and decoders never block.
func (s *stream) send(ctx context.Context, b *batch) bool {
	if s.room.Acquire(ctx, b.weight()) != nil {
		return false
	}
	s.work <- b
	select {
	case s.order <- b:
	case <-ctx.Done():
		return false
	}
	return b.size < inFlight || s.waitEmpty(ctx)
}

// waitEmpty waits until the consumer has consumed everything.
func (s *stream) waitEmpty(ctx context.Context) bool {
	if s.room.Acquire(ctx, inFlight) != nil {
		return false
	}
	s.room.Release(inFlight)
	return true
}

func (s *stream) decode(decode Decoder) {
	for b := range s.work {
		done := make([]outcome, 0, len(b.values)+1)
		for i, json := range b.values {
			done = append(done, decodeOne(json, b.first+i, decode))
		}
		if b.err != nil {
			done = append(done, outcome{err: b.err})
		}
		b.done <- done
	}
}

func decodeOne(json []byte, index int, decode Decoder) outcome {
	skip := &Skip{Reason: "not an object"}
	switch json[0] {
	case '{':
		var c *Parsed
		if c, skip = decode(json); skip == nil {
			return outcome{conversation: c}
		}
	case 'n':
		skip.Reason = "null"
	}
	skip.Index = index
	return outcome{err: skip}
}
