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

// wire is how the events of an investigation are written to a stream.
type wire interface {
	event(w io.Writer, e agent.Event) error
	failure(w io.Writer, f agent.Failure) error // the last word of a stream that fails
	heartbeat(w io.Writer) error                // a sign of life that clients skip
}

// investigation is a run that ends with agent.Done or an error, and ends soon once ctx is over.
type investigation func(ctx context.Context) iter.Seq2[agent.Event, error]

// frame is something to write at once. Nothing follows the last one, not even a sign of life.
type frame struct {
	text []byte
	last bool
}

// maxFrames is how many events wait for a reader. Then the investigation waits, and after Timeouts.Stall the reader is cut off.
const maxFrames = 16

var (
	errStopping = errors.New("the server is about to end")
	errNoAnswer = errors.New("the investigation ended without an answer")
)

// answering runs an answer that takes long, one of so many at a time. ctx is over when the client goes away, cancel is called or the server
// is to end.
func (s *Server) answering(r *http.Request, answer func(ctx context.Context, cancel context.CancelCauseFunc) error) error {
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		return &problem{Code: codeRateLimited, Message: "Too many answers are under way. Wait a moment.", RetryAfter: 5 * time.Second}
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	defer context.AfterFunc(s.stopping, func() { cancel(errStopping) })()
	return answer(ctx, cancel)
}

// brokenOff is an error of an answer, unless the end of the server is why there is one.
func brokenOff(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errStopping) {
		return &problem{Code: codeUnavailable, Message: "The server is about to end. Ask again when it is back."}
	}
	return err
}

// relay runs an investigation and writes it to a client as it goes. It returns an error only if it has written nothing. The investigation is
// over when it returns: a client that goes away cancels it, and so does the end of the server.
func (s *Server) relay(w http.ResponseWriter, r *http.Request, out wire, run investigation) error {
	return s.answering(r, func(ctx context.Context, cancel context.CancelCauseFunc) error {
		p := producer{server: s, wire: out, x: exchangeOf(r), frames: make(chan frame, maxFrames), gone: make(chan struct{})}
		go p.produce(ctx, run)
		if err := s.writeFrames(w, out, p.frames); err != nil {
			cancel(err)
		}
		close(p.gone)
		for range p.frames { // until the investigation is over
			continue
		}
		return nil
	})
}

// writeFrames writes what comes, and a sign of life where nothing comes for a while. Its error is that nobody reads.
func (s *Server) writeFrames(w http.ResponseWriter, out wire, frames <-chan frame) error {
	connection := http.NewResponseController(w)
	w.Header().Set("Content-Type", kindStream)
	w.Header().Set("X-Accel-Buffering", "no") // a proxy before the server must not hold events back
	write := func(text []byte) error {
		_ = connection.SetWriteDeadline(time.Now().Add(s.opts.Timeouts.Stall))
		if _, err := w.Write(text); err != nil {
			return err
		}
		return connection.Flush()
	}
	life := time.NewTicker(s.opts.Timeouts.Heartbeat)
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
	server *Server
	wire   wire
	x      *exchange
	frames chan frame    // closed at the end
	gone   chan struct{} // closed when nobody reads any more
}

// produce runs the investigation to its end, whether somebody reads or not: what there is of an answer may be kept.
func (p *producer) produce(ctx context.Context, run investigation) {
	defer close(p.frames)
	defer func() {
		if fault := recover(); fault != nil {
			p.server.logPanic(p.x, fault)
			p.fail(errInternal)
		}
	}()
	finished := false
	for e, err := range run(ctx) {
		if err != nil {
			p.fail(brokenOff(ctx, err))
			return
		}
		var text bytes.Buffer
		if err := p.wire.event(&text, e); err != nil {
			p.fail(err)
			return
		}
		_, finished = e.(agent.Done)
		p.put(frame{text.Bytes(), finished})
	}
	if !finished {
		p.fail(errNoAnswer)
	}
}

func (p *producer) fail(err error) {
	var text bytes.Buffer
	told := p.server.report(p.x, err)
	if p.wire.failure(&text, p.server.failureOf(told, p.x.id)) == nil {
		p.put(frame{text.Bytes(), true})
	}
}

// put hands a frame over, unless nobody reads any more. An empty one is none: not every wire has words for every event.
func (p *producer) put(f frame) {
	if len(f.text) == 0 {
		return
	}
	select {
	case p.frames <- f:
	case <-p.gone:
	}
}

// sse is the wire of Lens's own events.
type sse struct{}

func (sse) event(w io.Writer, e agent.Event) error     { return agent.WriteEvent(w, e) }
func (sse) failure(w io.Writer, f agent.Failure) error { return agent.WriteFailure(w, f) }
func (sse) heartbeat(w io.Writer) error                { return agent.WriteHeartbeat(w) }
