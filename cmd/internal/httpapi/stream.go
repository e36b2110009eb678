package httpapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"time"

	"lens/agent"
)

// eventWriter writes the events of an investigation in a stream's format.
type eventWriter interface {
	event(w io.Writer, e agent.Event) error
	failure(w io.Writer, f agent.Failure) error // ends a stream that failed
	heartbeat(w io.Writer) error                // clients ignore it
}

// investigation runs until agent.Done or an error, and ends soon after ctx.
type investigation func(ctx context.Context) iter.Seq2[agent.Event, error]

// frame is written at once. Nothing follows the last frame, not even a heartbeat.
type frame struct {
	text []byte
	last bool
}

// maxFrames is the number of events buffered for a reader. Beyond it the investigation waits, and after Timeouts.Stall
// the reader is disconnected.
const maxFrames = 16

var (
	errStopping = errors.New("the server is shutting down")
	errNoAnswer = errors.New("the investigation ended without an answer")
)

// streams runs long answers, in a limited number of slots.
type streams struct {
	slots    chan struct{}   // one for each running answer
	ending   context.Context // done when running answers must end
	timeouts Timeouts
	failures failures
}

func newStreams(ending context.Context, opts Options, failed failures) *streams {
	return &streams{make(chan struct{}, opts.Streams), ending, opts.Timeouts, failed}
}

// running returns the number of answers.
func (s *streams) running() int { return len(s.slots) }

// withSlot runs a long answer in one of the limited slots. Its ctx ends if the client disconnects, cancel is
// called or the server no longer waits for it to shut down.
func (s *streams) withSlot(
	r *http.Request, answer func(ctx context.Context, cancel context.CancelCauseFunc) error,
) error {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	default:
		return &problem{
			Code: codeRateLimited, Message: "Too many answers are in progress.", Hint: "Try again in a moment.",
			RetryAfter: 5 * time.Second,
		}
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	defer context.AfterFunc(s.ending, func() { cancel(errStopping) })()
	return answer(ctx, cancel)
}

// stoppingError returns the error of an answer, or that the server is shutting down if this was the cause.
func stoppingError(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errStopping) {
		return &problem{Code: codeUnavailable, Message: "The server is shutting down.", Hint: "Try again when it is back."}
	}
	return err
}

// relay runs an investigation and streams it to a client. It returns an error only if it has written nothing. When it
// returns, the investigation is over: a disconnect or a shutdown cancels it.
func (s *streams) relay(w http.ResponseWriter, r *http.Request, out eventWriter, run investigation) error {
	return s.withSlot(r, func(ctx context.Context, cancel context.CancelCauseFunc) error {
		p := producer{
			failures: s.failures, out: out, x: recordOf(r),
			frames: make(chan frame, maxFrames), gone: make(chan struct{}),
		}
		go p.produce(ctx, run)
		if err := s.writeFrames(w, out, p.frames); err != nil {
			cancel(err)
		}
		close(p.gone)
		for range p.frames { // drain until the investigation is over
			continue
		}
		return nil
	})
}

// writeFrames writes frames as they come, and heartbeats in between. It fails if the client no longer reads.
func (s *streams) writeFrames(w http.ResponseWriter, out eventWriter, frames <-chan frame) error {
	connection := http.NewResponseController(w)
	w.Header().Set("Content-Type", kindStream)
	w.Header().Set("X-Accel-Buffering", "no") // a proxy in front of the server must not buffer events
	write := func(text []byte) error {
		_ = connection.SetWriteDeadline(time.Now().Add(s.timeouts.Stall))
		if _, err := w.Write(text); err != nil {
			return err
		}
		return connection.Flush()
	}
	life := time.NewTicker(s.timeouts.Heartbeat)
	defer life.Stop()
	for {
		var err error
		select {
		case frame, more := <-frames:
			if !more {
				return nil
			}
			if err = write(frame.text); frame.last {
				return err
			}
		case <-life.C:
			var comment bytes.Buffer
			if err = out.heartbeat(&comment); err == nil {
				err = write(comment.Bytes())
			}
		}
		if err != nil {
			return err
		}
	}
}

// producer turns an investigation into frames.
type producer struct {
	failures failures
	out      eventWriter
	x        *requestRecord
	frames   chan frame     // closed at the end
	gone     chan struct{}  // closed when the client no longer reads
	partial  *agent.Partial // what an investigation that failed has; nil: it did not
}

// produce runs the investigation to its end even if the client is gone, so that the answer can be stored.
func (p *producer) produce(ctx context.Context, run investigation) {
	defer close(p.frames)
	defer func() {
		if fault := recover(); fault != nil {
			p.failures.panicked(p.x, fault)
			p.fail(errInternal)
		}
	}()
	finished := false
	for e, err := range run(ctx) {
		if err != nil {
			p.fail(stoppingError(ctx, err))
			return
		}
		if partial, ok := e.(agent.Partial); ok {
			p.partial = &partial // fail writes it with the error that follows
			continue
		}
		_, finished = e.(agent.Done)
		if err := p.write(e, finished); err != nil {
			p.fail(err)
			return
		}
	}
	if !finished {
		p.fail(errNoAnswer)
	}
}

func (p *producer) write(e agent.Event, last bool) error {
	var text bytes.Buffer
	err := p.out.event(&text, e)
	if err == nil {
		p.enqueue(frame{text.Bytes(), last})
	}
	return err
}

// fail ends the stream with what there is of the answer, and an error.
func (p *producer) fail(err error) {
	failure := p.failures.report(p.x, err).failure(p.x.id)
	if p.partial != nil {
		p.partial.Error = &failure
		_ = p.write(*p.partial, false) // the error must follow
	}
	var text bytes.Buffer
	if p.out.failure(&text, failure) == nil {
		p.enqueue(frame{text.Bytes(), true})
	}
}

// enqueue hands a frame to the writer, unless the client is gone. It skips empty frames: not every format has every
// event.
func (p *producer) enqueue(f frame) {
	if len(f.text) == 0 {
		return
	}
	select {
	case p.frames <- f:
	case <-p.gone:
	}
}

// sse writes Lens's own events.
type sse struct{}

func (sse) event(w io.Writer, e agent.Event) error     { return agent.WriteEvent(w, e) }
func (sse) failure(w io.Writer, f agent.Failure) error { return agent.WriteFailure(w, f) }
func (sse) heartbeat(w io.Writer) error                { return agent.WriteHeartbeat(w) }
