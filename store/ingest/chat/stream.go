package chat

import (
	"context"
	"io"
	"iter"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Decoder makes a conversation of its JSON, which is well-formed and the decoder's to keep, or says why it cannot. Several run at
// once.
type Decoder func(raw []byte) (*Parsed, *Skip)

// Stream yields the conversations in r, decoded, in order: the elements of an array, of the array "conversations" of an object,
// or a single object. It yields a *Skip in place of each that could not be decoded and goes on; any other error is a *store.Error that
// begins with op, and the last thing yielded.
//
// One goroutine cuts the file into conversations, several decode them, all beside whatever the consumer does. They hand on about
// batchSize of JSON at a time, because waking a goroutine takes longer than decoding a short chat. What has been cut and is not yet
// consumed is at most inFlight of JSON besides the conversation that is being cut, or one that is larger and nothing besides. When the
// consumer stops, Stream returns once the Read it may be in has returned; nothing of it is left running.
func Stream(op string, r io.Reader, decode Decoder) iter.Seq2[*Parsed, error] {
	return func(yield func(*Parsed, error) bool) {
		ctx, stop := context.WithCancel(context.Background())
		s := stream{work: make(chan *batch), order: make(chan *batch, decoders()), room: semaphore.NewWeighted(inFlight)}
		var running sync.WaitGroup
		defer running.Wait()
		defer stop()
		running.Go(func() { s.cut(ctx, op, r) })
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

// decoders is how many goroutines decode: more would wait for the one that cuts.
func decoders() int { return min(runtime.GOMAXPROCS(0), 3) }

// stream is what the goroutines of one Stream share.
type stream struct {
	work  chan *batch         // to whoever decodes
	order chan *batch         // the same batches in the order of the file, to the consumer
	room  *semaphore.Weighted // of inFlight bytes
}

// batch is the JSON of some conversations, and why there are no more.
type batch struct {
	first  int // index of the first of them in the file
	values [][]byte
	size   int // bytes of values
	err    error
	done   chan []outcome // takes one without waiting
}

type outcome struct {
	conversation *Parsed
	err          error
}

func newBatch(first int) *batch { return &batch{first: first, done: make(chan []outcome, 1)} }

// weight is how much of inFlight the batch takes: one that is larger takes all of it.
func (b *batch) weight() int64 { return int64(min(b.size, inFlight)) }

// cut works until ctx ends: nobody listens any more.
func (s *stream) cut(ctx context.Context, op string, r io.Reader) {
	defer close(s.order)
	defer close(s.work)
	next := newBatch(0)
	err := split(r, maxConversation, func(value []byte) bool {
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

// send reports whether anybody still listens. A batch is promised to the consumer only once a decoder has it, and decoders never
// wait for anybody.
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

// waitEmpty waits until all that was cut is consumed.
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
