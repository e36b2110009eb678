package openai

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"time"

	api "github.com/sashabaranov/go-openai"
)

// longestBackoff bounds the wait between two tries when the server has not named one.
const longestBackoff = 20 * time.Second

// open asks until an answer begins, the fault is one that stays, or tries or time run out. Waiting for a rate limit is no try.
func (m *Model) open(ctx context.Context, request api.ChatCompletionRequest, seen *reply) (*api.ChatCompletionStream, error) {
	failures, waits := 0, 0
	for {
		*seen = reply{silence: seen.silence, cancel: seen.cancel}
		silence := time.AfterFunc(m.opts.Silence, func() { seen.cancel(errSilence) })
		stream, err := m.client.CreateChatCompletionStream(ctx, request)
		silence.Stop()
		if err == nil {
			return stream, nil
		}
		f := m.classify(ctx, err, seen, len(request.Tools) > 0)
		if f.kind == simpler && request.StreamOptions != nil {
			m.silentUsage.Store(true)
			request.StreamOptions = nil
			continue
		}
		if f.kind == transient {
			failures++
		}
		waits++
		passes := f.kind == transient || f.kind == limited
		if !passes || failures >= m.opts.Attempts || !wait(ctx, max(stretched(f.after), m.backoff(waits))) {
			return nil, wished(ctx, f.err)
		}
	}
}

// wished prefers the caller's wish to stop over what it brought about.
func wished(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errSilence) {
		return ctx.Err()
	}
	return err
}

// backoff returns the n-th wait: doubling from Options.Backoff, of which a random half is spared.
func (m *Model) backoff(n int) time.Duration {
	d := min(m.opts.Backoff<<min(n-1, 16), longestBackoff)
	return d/2 + rand.N(d/2+1)
}

// stretched adds up to a tenth to a wait that the server named: later for jitter, never sooner.
func stretched(d time.Duration) time.Duration { return d + rand.N(d/10+1) }

// wait sleeps for d. It says false, at once, when ctx would be over by then.
func wait(ctx context.Context, d time.Duration) bool {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= d {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// reply is what the client library does not hand on of an answer.
type reply struct {
	silence time.Duration
	cancel  context.CancelCauseFunc
	status  int // 0: none came
	after   time.Duration
	body    *watched
}

// done reports whether the server has said [DONE].
func (r *reply) done() bool { return r.body != nil && r.body.saidDone() }

type replyKey struct{}

// doer sends the library's requests, notes the reply of each, and watches what is read of it.
type doer struct{ client *http.Client }

func (d *doer) Do(r *http.Request) (*http.Response, error) {
	res, err := d.client.Do(r)
	if err != nil {
		var located *url.Error // repeats the URL, which may hold a secret
		if errors.As(err, &located) {
			err = located.Err
		}
		return nil, err
	}
	seen, ok := r.Context().Value(replyKey{}).(*reply)
	if !ok {
		return res, nil
	}
	seen.status, seen.after = res.StatusCode, retryAfter(res.Header, time.Now())
	if res.StatusCode >= 400 { // the library reads it and leaves it open
		words, _ := io.ReadAll(io.LimitReader(res.Body, maxRefusal))
		_ = res.Body.Close()
		res.Body = io.NopCloser(bytes.NewReader(words))
		return res, nil
	}
	seen.body = &watched{ReadCloser: res.Body, silence: seen.silence, left: maxAnswer}
	seen.body.timer = time.AfterFunc(seen.silence, func() { seen.cancel(errSilence) })
	res.Body = seen.body
	return res, nil
}

// The most that is read of an answer, and of one that says no, in bytes.
const (
	maxAnswer  = 16 << 20
	maxRefusal = 64 << 10
)

// errSilence is why a request ends that nothing comes of.
var errSilence = errors.New("nothing came for too long")

// errTooLong is why a request ends that too much comes of.
var errTooLong = errors.New("the answer does not end")

// watched is an answer's body. It ends the request when nothing comes of it for too long, and remembers its last bytes.
type watched struct {
	io.ReadCloser
	silence time.Duration
	timer   *time.Timer
	left    int
	tail    []byte
}

// doneLine ends a stream.
const doneLine = "data: [DONE]"

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	w.timer.Reset(w.silence)
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

func (w *watched) Close() error {
	w.timer.Stop()
	return w.ReadCloser.Close()
}

// saidDone reports whether the last line is [DONE].
func (w *watched) saidDone() bool {
	tail := bytes.TrimSpace(w.tail)
	last := tail[bytes.LastIndexAny(tail, "\r\n")+1:]
	value, ok := bytes.CutPrefix(last, []byte("data:"))
	return ok && string(bytes.TrimSpace(value)) == "[DONE]"
}

// retryAfter reads how long the server asks to wait: milliseconds in OpenAI's retry-after-ms, else seconds or a date (RFC 9110,
// 10.2.3). 0 for none, or for one that makes no sense.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return inFuture(ms / 1000)
	}
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		return inFuture(seconds)
	}
	if date, err := http.ParseTime(value); err == nil {
		return inFuture(date.Sub(now).Seconds())
	}
	return 0
}

// inFuture bounds a wait to 0..24 hours, NaN to 0.
func inFuture(seconds float64) time.Duration {
	if !(seconds > 0) {
		return 0
	}
	return time.Duration(min(seconds, 24*60*60) * float64(time.Second))
}
