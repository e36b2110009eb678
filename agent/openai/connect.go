package openai

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	api "github.com/sashabaranov/go-openai"

	"lens/internal/provider"
	"lens/internal/retry"
)

// open asks until an answer begins, the fault is one that stays, or tries or time run out. Waiting for a rate limit is no try.
func (m *Model) open(ctx context.Context, request api.ChatCompletionRequest, seen *reply) (*api.ChatCompletionStream, error) {
	failures, waits := 0, 0
	for {
		*seen = reply{idleTimeout: seen.idleTimeout, cancel: seen.cancel}
		silence := time.AfterFunc(m.opts.IdleTimeout, func() { seen.cancel(errIdle) })
		stream, err := m.client.CreateChatCompletionStream(ctx, request)
		silence.Stop()
		if err == nil {
			return stream, nil
		}
		f := m.classify(ctx, err, seen, len(request.Tools) > 0)
		if f.kind == retryWithoutUsage && request.StreamOptions != nil {
			m.withoutUsage.Store(true)
			request.StreamOptions = nil
			continue
		}
		if f.kind == retryable {
			failures++
		}
		waits++
		passes := f.kind == retryable || f.kind == rateLimited
		if !passes || failures >= m.opts.Attempts || !retry.Wait(ctx, max(retry.WithJitter(f.after), retry.Backoff(m.opts.Backoff, waits))) {
			return nil, preferCancellation(ctx, f.err)
		}
	}
}

// wished prefers the caller's wish to stop over what it brought about.
func preferCancellation(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errIdle) {
		return ctx.Err()
	}
	return err
}

// reply is what the client library does not hand on of an answer.
type reply struct {
	idleTimeout time.Duration
	cancel      context.CancelCauseFunc
	status      int // 0: none came
	after       time.Duration
	body        *watchedBody
}

// done reports whether the server has said [DONE].
func (r *reply) done() bool { return r.body != nil && r.body.saidDone() }

type replyKey struct{}

// doer sends the library's requests, notes the reply of each, and watches what is read of it.
type recordingDoer struct{ client *http.Client }

func (d *recordingDoer) Do(r *http.Request) (*http.Response, error) {
	res, err := provider.Do(d.client, r)
	if err != nil {
		return nil, err
	}
	seen, ok := r.Context().Value(replyKey{}).(*reply)
	if !ok {
		return res, nil
	}
	seen.status, seen.after = res.StatusCode, retry.After(res.Header, time.Now())
	if res.StatusCode >= 400 { // the library reads it and leaves it open
		words, _ := io.ReadAll(io.LimitReader(res.Body, maxRefusal))
		_ = res.Body.Close()
		res.Body = io.NopCloser(bytes.NewReader(words))
		return res, nil
	}
	seen.body = &watchedBody{ReadCloser: res.Body, idleTimeout: seen.idleTimeout, left: maxAnswer}
	seen.body.timer = time.AfterFunc(seen.idleTimeout, func() { seen.cancel(errIdle) })
	res.Body = seen.body
	return res, nil
}

// The most that is read of an answer, and of one that says no, in bytes.
const (
	maxAnswer  = 16 << 20
	maxRefusal = 64 << 10
)

// errSilence is why a request ends that nothing comes of.
var errIdle = errors.New("nothing came for too long")

// errTooLong is why a request ends that too much comes of.
var errTooLong = errors.New("the answer does not end")

// watched is an answer's body. It ends the request when nothing comes of it for too long, and remembers its last bytes.
type watchedBody struct {
	io.ReadCloser
	idleTimeout time.Duration
	timer       *time.Timer
	left        int
	tail        []byte
}

// doneLine ends a stream.
const doneLine = "data: [DONE]"

func (w *watchedBody) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	w.timer.Reset(w.idleTimeout)
	if err != nil {
		w.timer.Stop()
	}
	if w.left -= n; w.left < 0 {
		return n, errTooLong
	}
	w.tail = append(w.tail, p[:n]...)
	if keep := 4 * len(doneLine); len(w.tail) > keep {
		w.tail = w.tail[len(w.tail)-keep:]
	}
	return n, err
}

func (w *watchedBody) Close() error {
	w.timer.Stop()
	return w.ReadCloser.Close()
}

// saidDone reports whether the last line is [DONE].
func (w *watchedBody) saidDone() bool {
	tail := bytes.TrimSpace(w.tail)
	last := tail[bytes.LastIndexAny(tail, "\r\n")+1:]
	value, ok := bytes.CutPrefix(last, []byte("data:"))
	return ok && string(bytes.TrimSpace(value)) == "[DONE]"
}
