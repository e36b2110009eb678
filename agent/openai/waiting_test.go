package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lens/agent"
	"lens/agent/agenttest"
	"lens/internal/errs"
)

// answers is a transport that replies in turn; the last one repeats.
type answers struct {
	replies []func(*http.Request) *http.Response
	asked   int
}

func (a *answers) RoundTrip(r *http.Request) (*http.Response, error) {
	if a.asked++; r.Context().Err() != nil {
		return nil, r.Context().Err()
	}
	return a.replies[min(a.asked, len(a.replies))-1](r), nil
}

// status replies with an error status.
func status(code int, retryAfter, body string) func(*http.Request) *http.Response {
	return func(r *http.Request) *http.Response {
		h := http.Header{}
		if retryAfter != "" {
			h.Set("Retry-After", retryAfter)
		}
		return &http.Response{StatusCode: code, Header: h, Body: io.NopCloser(strings.NewReader(body)), Request: r}
	}
}

// slowly replies after a wait, one part of the stream at a time.
func slowly(before, between time.Duration, parts ...string) func(*http.Request) *http.Response {
	return func(r *http.Request) *http.Response {
		body := &timedReader{ctx: r.Context(), wait: before, between: between, parts: parts}
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: body, Request: r}
	}
}

type timedReader struct {
	ctx           context.Context
	wait, between time.Duration
	parts         []string
}

func (s *timedReader) Read(p []byte) (int, error) {
	if len(s.parts) == 0 {
		return 0, io.EOF
	}
	select {
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	case <-time.After(s.wait):
	}
	n := copy(p, s.parts[0])
	s.parts[0], s.wait = s.parts[0][n:], 0
	if s.parts[0] == "" {
		s.parts, s.wait = s.parts[1:], s.between
	}
	return n, nil
}

func (s *timedReader) Close() error { return nil }

// heard is what a stream yields: its notices with the time at which they came, its text and its error.
type heard struct {
	notices []string
	text    string
	err     error
	after   time.Duration
}

func hear(t *testing.T, m *Model) heard {
	t.Helper()
	var h heard
	began := time.Now()
	for d, err := range m.Stream(t.Context(), ask()) {
		if h.err = err; d.Notice != nil {
			at := time.Since(began).Round(time.Second)
			h.notices = append(h.notices, fmt.Sprintf("%v %s: %s", at, d.Notice.Code, d.Notice.Message))
			if !d.Notice.Waits() || d.Text != "" || d.Finish != "" {
				t.Errorf("a notice with more than that: %+v", d)
			}
		}
		h.text += d.Text
	}
	h.after = time.Since(began)
	return h
}

func whole(text string) string { return string(agenttest.Reply{Text: text}.SSE()) }

func through(opts Options, replies ...func(*http.Request) *http.Response) (*Model, *answers) {
	a := &answers{replies: replies}
	opts.BaseURL, opts.Key = "http://models.example/v1", "sk-canary"
	return New(&http.Client{Transport: a}, opts), a
}

// A model on a CPU reads a long prompt for minutes before it says anything.
func TestStream_FourMinutesToTheFirstToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, a := through(Options{}, slowly(4*time.Minute, 0, whole("at last")))
		h := hear(t, m)
		if h.err != nil || h.text != "at last" || a.asked != 1 || h.after != 4*time.Minute {
			t.Errorf("got %q, %v after %v", h.text, h.err, h.after)
		}
		var want []string
		for _, after := range []int{5, 10, 20, 30, 60, 120, 180, 240} {
			d := time.Duration(after) * time.Second
			want = append(want, fmt.Sprintf("%v waiting: Waiting for the first token, %d s.", d, after))
		}
		if !slices.Equal(h.notices, want) && !slices.Equal(h.notices, want[:7]) { // the last one is due with the token
			t.Errorf("got %q", h.notices)
		}
	})
}

// The defaults of a run leave time for such a model in every round.
func TestRun_FourMinutesToEachFirstToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := slowly(4*time.Minute, 0, string(agenttest.Reply{Calls: []agenttest.Call{{Name: "peek"}}}.SSE()))
		again := slowly(4*time.Minute, 0, string(agenttest.Reply{Calls: []agenttest.Call{{Name: "peek"}}}.SSE()))
		m, _ := through(Options{}, slow, again, slowly(4*time.Minute, 0, whole("at last")))
		req := agent.Request{Model: m, Messages: []agent.Message{{Role: agent.User, Text: "When?"}}}
		var kinds []string
		var done agent.Done
		for e, err := range agent.Run(t.Context(), req) {
			if err != nil {
				t.Fatal(err)
			}
			if d, ok := e.(agent.Done); ok {
				done = d
			}
			kinds = append(kinds, e.Kind())
		}
		if !strings.HasPrefix(done.Answer, "at last") || done.Usage.Rounds != 3 || done.Usage.Took != 12*60*1000 {
			t.Errorf("got %+v", done)
		}
		if kinds[0] != "notice" || slices.Index(kinds, "round") < 7 {
			t.Errorf("got %v", kinds)
		}
	})
}

// Comments and the chunk that names the role do not count as a token.
func TestStream_HeartbeatsAreNoToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		role := `data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}` + "\n\n"
		m, _ := through(Options{FirstToken: 3 * time.Minute}, slowly(0, 50*time.Second, role, ": a\n\n", role, ": b\n\n", role))
		h := hear(t, m)
		if errs.CodeOf(h.err) != errs.Unavailable || h.after != 3*time.Minute || len(h.notices) < 6 {
			t.Errorf("got %v after %v, %q", h.err, h.after, h.notices)
		}
		if f := errs.First(h.err); !strings.Contains(f.Message, "no token in 3 min") || !strings.Contains(f.Hint, "LENS_CHAT_FIRST_TOKEN") {
			t.Errorf("says %+v", f)
		}
	})
}

// Between tokens there is another limit, and no notice.
func TestStream_TimeBetweenTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		text := whole("slowly but surely")
		half := strings.LastIndex(text, `data: {"choices"`) // in the middle of the text
		m, _ := through(Options{}, slowly(0, 100*time.Second, text[:half], text[half:]))
		if h := hear(t, m); h.err != nil || h.text != "slowly but surely" || len(h.notices) > 0 {
			t.Errorf("got %q, %v, %q", h.text, h.err, h.notices)
		}
		m, _ = through(Options{IdleTimeout: time.Minute}, slowly(0, 100*time.Second, text[:half], text[half:]))
		h := hear(t, m)
		if !errors.Is(h.err, agent.ErrBroken) || h.after != time.Minute || !strings.Contains(h.err.Error(), "stopped sending") {
			t.Errorf("got %v after %v", h.err, h.after)
		}
	})
}

func TestStream_RateLimitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, a := through(Options{}, status(429, "20", `{"error":{"message":"Limit 3, used 3 by sk-canary"}}`))
		h := hear(t, m)
		if errs.CodeOf(h.err) != errs.RateLimited || a.asked != 11 || h.after < 200*time.Second || h.after > 230*time.Second {
			t.Errorf("got %v after %d requests in %v", h.err, a.asked, h.after)
		}
		first := `0s rate_limited: Rate limited by models.example (HTTP 429, retry after 20 s): "Limit 3, used 3 by [key]".` +
			` Retrying in 2`
		if len(h.notices) != 10 || !strings.HasPrefix(h.notices[0], first) || !strings.HasSuffix(h.notices[0], " s, as it asks (1 of 10).") {
			t.Errorf("%d notices, first %q", len(h.notices), h.notices[0])
		}
	})
}

func TestStream_RateLimitAsksForLittle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, _ := through(Options{}, status(429, "1", ""))
		h := hear(t, m)
		if first := h.notices[0]; !strings.HasSuffix(first, " s, as it asks (1 of 10).") {
			t.Errorf("first %q", first)
		}
		if last := h.notices[len(h.notices)-1]; !strings.HasSuffix(last, " s, though it asks for 1 s (10 of 10).") {
			t.Errorf("last %q", last)
		}
	})
}

// A wait beyond the caller's deadline is not begun.
func TestStream_RateLimitBeyondTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, a := through(Options{}, status(429, "3600", ""))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		var failed error
		for _, err := range m.Stream(ctx, ask()) {
			failed = err
		}
		if errs.CodeOf(failed) != errs.RateLimited || a.asked != 1 || time.Since(began) > 0 || !strings.Contains(failed.Error(), "retry after 60 min") {
			t.Errorf("got %v after %v", failed, time.Since(began))
		}
	})
}

func TestStream_SaysWhyItRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, _ := through(Options{}, status(502, "", "<html><title>Bad gateway</title>"), slowly(6*time.Second, 0, whole("ok")))
		h := hear(t, m)
		want := []string{
			`0s retrying: models.example is unavailable (HTTP 502): "web page: Bad gateway". Retrying in 1 s (1 of 3).`,
		}
		if h.text != "ok" || len(h.notices) != 2 || h.notices[0] != want[0] || !strings.HasSuffix(h.notices[1], "first token, 5 s.") {
			t.Errorf("got %q, %v, %q", h.text, h.err, h.notices)
		}
	})
}

// A notice goes to clients on other machines, too: it quotes neither a path nor a key.
func TestStream_NoticeHidesPathsAndKeys(t *testing.T) {
	for said, want := range map[string]string{
		"the queue is full, sk-canary":                 `m.example is unavailable (HTTP 503): "the queue is full, [key]". Retrying`,
		"cannot map /home/canary/models/x.gguf":        `m.example is unavailable (HTTP 503). Retrying`,
		`no C:\models\canary.gguf`:                     `m.example is unavailable (HTTP 503). Retrying`,
		"https://canary:canary@m.example/v1/x is busy": `m.example is unavailable (HTTP 503): "https:[key]m.example/v1/x is busy". Retrying`,
	} {
		synctest.Test(t, func(t *testing.T) {
			body, err := json.Marshal(map[string]any{"error": map[string]any{"message": said}})
			if err != nil {
				t.Fatal(err)
			}
			a := &answers{replies: []func(*http.Request) *http.Response{status(503, "", string(body))}}
			m := New(&http.Client{Transport: a}, Options{BaseURL: "http://m.example/v1", Key: "sk-canary"})
			h := hear(t, m)
			if len(h.notices) != 3 {
				t.Errorf("%q: %d notices", said, len(h.notices))
			}
			for _, notice := range h.notices {
				if !strings.Contains(notice, want) || strings.Contains(notice, "canary") {
					t.Errorf("%q: %s, want %s", said, notice, want)
				}
			}
		})
	}
}

// llama.cpp answers so while it reads the model's file, which takes longer than a few attempts.
func TestStream_LoadingModel(t *testing.T) {
	refusal := status(503, "", `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`)
	loadingFor := func(d time.Duration, then func(*http.Request) *http.Response) func(*http.Request) *http.Response {
		loaded := time.Now().Add(d)
		return func(r *http.Request) *http.Response {
			if time.Now().Before(loaded) {
				return refusal(r)
			}
			return then(r)
		}
	}
	says := func(t *testing.T, notices []string, after ...int) {
		t.Helper()
		ok := len(notices) == len(after)
		for i := 0; ok && i < len(after); i++ {
			if i == 0 {
				ok = notices[0] == "0s waiting: models.example is loading the model."
				continue
			}
			var at string
			var loaded int
			_, err := fmt.Sscanf(notices[i], "%s waiting: models.example is loading the model, %d s.", &at, &loaded)
			ok = err == nil && loaded >= after[i] && loaded < after[i]+5
		}
		if !ok {
			t.Errorf("got %q, want notices after %d", notices, after)
		}
	}
	t.Run("for four minutes", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			m, _ := through(Options{}, loadingFor(4*time.Minute, slowly(time.Second, 0, whole("ok"))))
			h := hear(t, m)
			if h.err != nil || h.text != "ok" || h.after < 4*time.Minute || h.after > 4*time.Minute+6*time.Second {
				t.Errorf("got %q, %v after %v", h.text, h.err, h.after)
			}
			says(t, h.notices, 0, 5, 10, 20, 30, 60, 120, 180)
		})
	})
	t.Run("for longer than a first token may take", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			m, _ := through(Options{FirstToken: time.Minute}, refusal)
			h := hear(t, m)
			f := errs.First(h.err)
			if f.Code != errs.Unavailable || f.Message != "models.example did not load the model in 60 s" ||
				!strings.Contains(f.Hint, "LENS_CHAT_FIRST_TOKEN") || h.after > time.Minute || h.after < 55*time.Second {
				t.Errorf("got %+v after %v", f, h.after)
			}
			says(t, h.notices, 0, 5, 10, 20, 30)
		})
	})
	t.Run("and then no token", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			m, _ := through(Options{FirstToken: time.Minute}, loadingFor(40*time.Second, slowly(time.Hour, 0, "")))
			h := hear(t, m)
			if f := errs.First(h.err); !strings.Contains(f.Message, "no token in 60 s") || h.after != time.Minute {
				t.Errorf("got %+v after %v", f, h.after)
			}
		})
	})
	t.Run("and then failures, of which none was counted before", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			m, _ := through(Options{}, loadingFor(time.Minute, status(502, "", "")))
			h := hear(t, m)
			if last := h.notices[len(h.notices)-1]; !strings.Contains(last, "(3 of 3)") {
				t.Errorf("got %q", last)
			}
		})
	})
	t.Run("as long as the server asks", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			asks := status(503, "8", `{"error":{"message":"Loading model"}}`)
			m, a := through(Options{}, asks, asks, asks, slowly(0, 0, whole("ok")))
			h := hear(t, m)
			if h.text != "ok" || a.asked != 4 || h.after < 24*time.Second {
				t.Errorf("got %q after %d requests in %v", h.text, a.asked, h.after)
			}
			says(t, h.notices, 0, 8, 16)
		})
	})
	t.Run("until the caller's deadline", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			m, _ := through(Options{}, refusal)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			var failed error
			for _, err := range m.Stream(ctx, ask()) {
				failed = err
			}
			if !errors.Is(failed, context.DeadlineExceeded) {
				t.Errorf("got %v", failed)
			}
		})
	})
}

// A consumer that leaves during a wait leaves nothing behind: synctest fails if a goroutine stays.
func TestStream_LeaveWhileItWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, reply := range []func(*http.Request) *http.Response{
			slowly(time.Hour, 0, whole("late")), status(429, "30", ""), slowly(0, time.Hour, whole("begun")[:400], "x"),
		} {
			m, _ := through(Options{}, reply)
			for range m.Stream(t.Context(), ask()) {
				break
			}
			ctx, cancel := context.WithTimeout(t.Context(), 7*time.Second)
			var failed error
			for _, err := range m.Stream(ctx, ask()) {
				failed = err
			}
			cancel()
			if failed == nil {
				t.Error("ends without an error")
			}
		}
	})
}

// A panic reaches the consumer, who may recover, and not the process.
func TestStream_Panic(t *testing.T) {
	m, _ := through(Options{}, func(*http.Request) *http.Response { panic("canary") })
	defer func() {
		if fault := recover(); fault != "canary" {
			t.Errorf("recovered %v", fault)
		}
	}()
	hear(t, m)
}
