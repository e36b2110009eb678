package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"lens/agent"
	"lens/internal/provider"
	"lens/internal/retry"
)

// answer asks for a message until it arrives, begins and then fails, or cannot be had. Waiting for a rate limit does
// not count as an attempt, nor does waiting for the server to load the model.
func (m *Model) answer(ctx context.Context, cancel context.CancelCauseFunc, p agent.Prompt, send func(report) bool) {
	request := m.request(p)
	otherLimit := false // the other name of the output limit was tried
	shrunk := false     // a smaller output limit was tried
	made := retry.Attempts{Max: m.opts.Attempts, MaxWaits: m.opts.Waits, First: m.opts.Backoff}
	var load loading
	for {
		if !send(report{asked: true}) {
			return
		}
		f := m.attempt(ctx, cancel, request, m.opts.FirstToken-load.lasted(), send)
		if f == nil || f.begun {
			if otherLimit {
				m.limit.Store(limitOf(request))
			}
			if f != nil {
				send(report{err: f.err})
			}
			return
		}
		if f.noUsage && request.StreamOptions != nil {
			m.withoutUsage.Store(true)
			request.StreamOptions = nil
			continue
		}
		if f.oneCall {
			m.singleCalls.Store(true)
			request.Messages = oneCallAMessage(request.Messages)
			continue
		}
		if f.room > 0 && !shrunk {
			shrunk = true
			setLimit(&request, limitOf(request), f.room)
			continue
		}
		if f.noLimit && !otherLimit {
			otherLimit = true
			setLimit(&request, limitOf(request).other(), sentLimit(request))
			continue
		}
		if f.loading {
			if !m.awaitLoading(ctx, &load, f, send) {
				return
			}
			continue
		}
		load = loading{}
		wait, again := made.Next(ctx, f.kind == provider.Transient, f.after)
		if !f.kind.Temporary() || !again {
			send(report{err: preferCancellation(ctx, f.err)})
			return
		}
		notice := retryNotice(m.server.Host, f, wait)
		if !send(report{delta: agent.Delta{Notice: &notice}}) {
			return
		}
		if !wait.Sleep(ctx) {
			send(report{err: preferCancellation(ctx, f.err)})
			return
		}
	}
}

// preferCancellation returns ctx's error if the caller canceled, instead of the failure that this caused.
func preferCancellation(ctx context.Context, err error) error {
	if ctx.Err() != nil && !timedOut(ctx) {
		return ctx.Err()
	}
	return err
}

// attempt sends a request and passes on the message, whose first token must come within patience. It returns nil if the
// message came whole.
func (m *Model) attempt(
	ctx context.Context, cancel context.CancelCauseFunc, request chatRequest, patience time.Duration,
	send func(report) bool,
) *attemptError {
	first := time.AfterFunc(patience, func() { cancel(errNoToken) })
	defer first.Stop()
	res, err := m.post(ctx, request)
	if err != nil {
		return m.unreachable(ctx, err)
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		said, _ := io.ReadAll(io.LimitReader(res.Body, maxRefusal)) // the part that came is enough
		return m.refused(res.StatusCode, retry.After(res.Header, time.Now()), m.errorBody(said), request)
	}
	body := &watchedBody{body: res.Body, first: first, idle: m.opts.IdleTimeout, cancel: cancel, left: maxAnswer}
	defer body.stop()
	a := assembly{begin: body.begin, send: send}
	err = readReply(body, a.add)
	if a.end.Finish == "" && a.done && err == nil {
		a.end.Finish = agent.Unknown
	}
	switch {
	case a.left:
		return nil
	case a.end.Finish != "":
		a.close()
		return nil
	}
	return m.broken(ctx, err, a.begun, request)
}

// post sends a request. The caller closes the body.
func (m *Model) post(ctx context.Context, request chatRequest) (*http.Response, error) {
	text, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	if m.opts.Key != "" {
		r.Header.Set("Authorization", "Bearer "+m.opts.Key)
	}
	return provider.Do(m.client, r)
}

// Limits of an answer and of an error body, in bytes.
const (
	maxAnswer  = 16 << 20
	maxRefusal = 64 << 10
)

// Why a request was canceled, or an answer given up.
var (
	errNoToken = errors.New("no token for too long")
	errIdle    = errors.New("no data for too long")
	errTooLong = errors.New("the answer is too long")
)

// timedOut reports whether ctx ended because the server was silent for too long.
func timedOut(ctx context.Context) bool {
	cause := context.Cause(ctx)
	return errors.Is(cause, errIdle) || errors.Is(cause, errNoToken)
}

// watchedBody is an answer's body. Until the first token, the limit is that of the attempt, whatever the server sends
// meanwhile; then each byte must come in time.
type watchedBody struct {
	body   io.Reader
	first  *time.Timer // ends the wait for the first token
	idle   time.Duration
	timer  *time.Timer // nil before the first token
	cancel context.CancelCauseFunc
	left   int // bytes
}

// begin reports that the first token has come.
func (w *watchedBody) begin() {
	w.first.Stop()
	w.timer = time.AfterFunc(w.idle, func() { w.cancel(errIdle) })
}

func (w *watchedBody) stop() {
	if w.timer != nil {
		w.timer.Stop()
	}
}

func (w *watchedBody) Read(p []byte) (int, error) {
	n, err := w.body.Read(p)
	if w.timer != nil {
		w.timer.Reset(w.idle)
	}
	if w.left -= n; w.left < 0 {
		return n, errTooLong
	}
	return n, err
}
