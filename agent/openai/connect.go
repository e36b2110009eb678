package openai

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	api "github.com/sashabaranov/go-openai"

	"lens/agent"
	"lens/internal/provider"
	"lens/internal/retry"
)

// open retries until an answer begins, an error is permanent, or attempts or time run out. Waiting for a rate
// limit does not count as an attempt.
func (m *Model) open(
	ctx context.Context, p agent.Prompt, seen *reply,
) (*api.ChatCompletionStream, error) {
	request := m.request(p)
	otherLimit := false // the other parameter was tried
	made := retry.Attempts{Max: m.opts.Attempts, First: m.opts.Backoff}
	for {
		*seen = reply{idleTimeout: seen.idleTimeout, cancel: seen.cancel}
		idle := time.AfterFunc(m.opts.IdleTimeout, func() { seen.cancel(errIdle) })
		stream, err := m.client.CreateChatCompletionStream(ctx, request)
		idle.Stop()
		if err == nil {
			if otherLimit {
				m.limit.Store(limitOf(request))
			}
			return stream, nil
		}
		f := m.classify(ctx, err, seen, request)
		if f.noUsage && request.StreamOptions != nil {
			m.withoutUsage.Store(true)
			request.StreamOptions = nil
			continue
		}
		if f.noLimit && !otherLimit {
			otherLimit = true
			setLimit(&request, limitOf(request).other(), p.MaxTokens)
			continue
		}
		if !f.kind.Temporary() || !made.Again(ctx, f.kind == provider.Transient, f.after) {
			return nil, preferCancellation(ctx, f.err)
		}
	}
}

// preferCancellation returns ctx's error if the caller canceled, instead of the failure that this caused.
func preferCancellation(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errIdle) {
		return ctx.Err()
	}
	return err
}

// reply records what the client library does not return of an answer.
type reply struct {
	idleTimeout time.Duration
	cancel      context.CancelCauseFunc
	status      int // 0: no answer
	after       time.Duration
	body        *watchedBody
}

// done reports whether the server has sent [DONE].
func (r *reply) done() bool { return r.body != nil && r.body.saidDone() }

type replyKey struct{}

// recordingDoer sends the library's requests, records each reply and watches its body.
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
	if res.StatusCode >= 400 { // the library reads it without closing it
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

// Limits of an answer and of an error body, in bytes.
const (
	maxAnswer  = 16 << 20
	maxRefusal = 64 << 10
)

// errIdle is the cause when a request ends because no data arrives.
var errIdle = errors.New("no data for too long")

// errTooLong is the cause when an answer exceeds maxAnswer.
var errTooLong = errors.New("the answer is too long")

// watchedBody is an answer's body. It cancels the request when no data arrives for too long, and keeps the
// last bytes.
type watchedBody struct {
	io.ReadCloser
	idleTimeout time.Duration
	timer       *time.Timer
	left        int
	tail        []byte
}

// doneLine ends a complete stream.
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
