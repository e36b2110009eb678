package openai_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/retrieval/embed/embedtest"
	"lens/retrieval/embed/openai"
)

func TestEmbed_TransientFaults(t *testing.T) {
	for name, fault := range map[string]embedtest.Fault{
		"a rate limit":                embedtest.RateLimit(30 * time.Millisecond),
		"a rate limit without a time": embedtest.Status(http.StatusTooManyRequests, ""),
		"500":                         embedtest.Status(http.StatusInternalServerError, "server_error"),
		"502":                         embedtest.Status(http.StatusBadGateway, ""),
		"503":                         embedtest.Status(http.StatusServiceUnavailable, ""),
		"408":                         embedtest.Status(http.StatusRequestTimeout, ""),
		"a server that hangs":         embedtest.Hang(),
		"an answer that stalls":       embedtest.Stall(),
		"an answer that breaks off":   embedtest.Truncate(),
		"a connection that is reset":  embedtest.Reset(),
		"a missing vector":            embedtest.Short(),
		"one index for all":           embedtest.SameIndex(),
	} {
		t.Run(name, func(t *testing.T) {
			server := embedtest.New(t, embedtest.Options{})
			server.Fail(fault, fault)
			e := embedder(server, openai.Options{AttemptTimeout: 300 * time.Millisecond})
			wantVectors(t, e, texts(5), 64)
			if got := server.Requests(); got != 3 {
				t.Errorf("%d requests for two faults and an answer", got)
			}
		})
	}
}

func TestEmbed_PermanentFaults(t *testing.T) {
	for name, c := range map[string]struct {
		server embedtest.Options
		faults []embedtest.Fault
		code   errs.Code
		says   string
		hints  string
	}{
		"a wrong key":                 {server: embedtest.Options{Key: "sk-right"}, code: "unavailable", says: "rejected the API key", hints: "OPENAI_API_KEY"},
		"a wrong model":               {server: embedtest.Options{Model: "other"}, code: "unavailable", says: "has no embedding model text-embedding-3-large", hints: "ollama pull"},
		"a model that is not allowed": {faults: []embedtest.Fault{embedtest.Status(http.StatusForbidden, "")}, code: "unavailable", says: "does not allow this key to use", hints: "another model"},
		"an empty account":            {faults: []embedtest.Fault{embedtest.Status(http.StatusTooManyRequests, "insufficient_quota")}, code: "unavailable", says: "no credit left", hints: "add credit"},
	} {
		t.Run(name, func(t *testing.T) {
			server := embedtest.New(t, c.server)
			server.Fail(c.faults...)
			_, err := embedder(server, openai.Options{Key: "sk-wrong"}).Embed(t.Context(), texts(3))
			wantError(t, err, c.code, c.says, c.hints)
			if got := server.Requests(); got != 1 {
				t.Errorf("%d requests", got)
			}
		})
	}
}

func wantError(t *testing.T, err error, code errs.Code, says, hints string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	if got := errs.CodeOf(err); got != code {
		t.Errorf("code %s, want %s", got, code)
	}
	if !strings.Contains(err.Error(), says) {
		t.Errorf("%q does not say %q", err, says)
	}
	if strings.Contains(err.Error(), "sk-") || strings.Contains(err.Error(), "text number") {
		t.Errorf("%q holds a key or a text", err)
	}
	var failure *errs.Error
	if !errors.As(err, &failure) || !strings.Contains(failure.Hint, hints) {
		t.Errorf("the hint of %q does not name %q", err, hints)
	}
}

func TestEmbed_MissingKey(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{Key: "sk-right"})
	_, err := embedder(server, openai.Options{}).EmbedQuery(t.Context(), "a query")
	wantError(t, err, "unavailable", "requires an API key, and none is set", "OPENAI_API_KEY")
}

func TestEmbed_RetryAfter(t *testing.T) {
	for _, asked := range []time.Duration{150 * time.Millisecond, time.Second} { // Retry-After-Ms, Retry-After
		server := embedtest.New(t, embedtest.Options{})
		server.Fail(embedtest.RateLimit(asked))
		started := time.Now()
		wantVectors(t, embedder(server, openai.Options{}), texts(1), 64)
		if waited := time.Since(started); waited < asked {
			t.Errorf("asked to wait %v, came back after %v", asked, waited)
		}
	}
}

func TestEmbed_RateLimitBeyondTimeout(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{})
	server.Fail(embedtest.RateLimit(time.Hour))
	_, err := embedder(server, openai.Options{}).EmbedQuery(t.Context(), "a query")
	wantError(t, err, "rate_limited", "retry after 60 min", "run this again to resume")
}

func TestEmbed_RateLimitsCostNoAttempts(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{})
	server.Fail(slices.Repeat([]embedtest.Fault{embedtest.RateLimit(time.Millisecond)}, 10)...)
	wantVectors(t, embedder(server, openai.Options{MaxAttempts: 2}), texts(2), 64)
}

func TestEmbed_PersistentServerError(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{})
	server.Fail(slices.Repeat([]embedtest.Fault{embedtest.Status(503, "")}, 10)...)
	_, err := embedder(server, openai.Options{MaxAttempts: 4}).Embed(t.Context(), texts(2))
	wantError(t, err, "unavailable", "is unavailable (HTTP 503)", "run this again")
	if got := server.Requests(); got != 4 {
		t.Errorf("%d requests for 4 attempts", got)
	}
}

func TestEmbed_RefusedConnection(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	dials := 0
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		dials++
		return new(net.Dialer).DialContext(ctx, network, addr)
	}}}
	e := openai.New(client, openai.Options{BaseURL: "http://sk-secret@" + address + "/v1", MaxAttempts: 3, Backoff: 1})
	_, err = e.EmbedQuery(t.Context(), "a query")
	wantError(t, err, "unavailable", "cannot reach "+address, "OPENAI_BASE_URL")
	if dials != 3 {
		t.Errorf("%d dials for 3 attempts", dials)
	}
}

func TestEmbed_BatchTimeout(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{})
	server.Fail(slices.Repeat([]embedtest.Fault{embedtest.Hang()}, 10)...)
	e := embedder(server, openai.Options{AttemptTimeout: 400 * time.Millisecond, BatchTimeout: time.Second})
	_, err := e.Embed(t.Context(), texts(1))
	wantError(t, err, "unavailable", "did not answer in time", "running")
	if errors.Is(err, context.DeadlineExceeded) {
		t.Error("the embedder's own deadline is reported as the caller's")
	}
	if got := server.Requests(); got < 2 || got > 3 {
		t.Errorf("%d tries of 400 ms within a second", got)
	}
}

func TestEmbed_CanceledWhileWaiting(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{})
	server.Fail(embedtest.RateLimit(30 * time.Second))
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	got, err := embedder(server, openai.Options{}).Embed(ctx, texts(2))
	if code := errs.CodeOf(err); code != errs.RateLimited && code != errs.Unavailable {
		t.Errorf("code %s: %v", code, err)
	}
	if got[0].Err == nil || got[1].Err == nil {
		t.Error("texts without vectors carry no error")
	}
	server.Fail(embedtest.Hang())
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := embedder(server, openai.Options{}).EmbedQuery(ctx, "a query"); !errors.Is(err, context.Canceled) {
		t.Errorf("after canceling got %v", err)
	}
}

func TestEmbed_RejectedText(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{Refuse: func(text string) bool { return strings.HasSuffix(text, " 3") || strings.HasSuffix(text, " 17") }})
	e := embedder(server, openai.Options{})
	got, err := e.Embed(t.Context(), texts(32))
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range got {
		if bad := i == 3 || i == 17; bad != (g.Err != nil) || bad == (g.Values != nil) {
			t.Errorf("text %d: error %v, %d values", i, g.Err, len(g.Values))
		}
	}
	wantError(t, got[3].Err, "invalid", "rejected a text (HTTP 400, invalid_input)", "")
	if got := server.Requests(); got > 24 {
		t.Errorf("%d requests to find 2 of 32", got)
	}
}

func TestEmbed_TextTooLongForServer(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{TooLong: func(text string) bool { return len(text) > 2000 }})
	e := embedder(server, openai.Options{Model: "all-minilm"})
	got, err := e.Embed(t.Context(), []string{"short", strings.Repeat(" word", 1200), "another"})
	if err != nil {
		t.Fatal(err)
	}
	if got[1].Err != nil || !got[1].Truncated || got[1].Tokens != 300 || got[1].Text != strings.Repeat(" word", 300) {
		t.Errorf("error %v, truncated %v, %d tokens", got[1].Err, got[1].Truncated, got[1].Tokens)
	}
	if got[0].Truncated || got[2].Truncated || got[0].Err != nil || got[2].Err != nil {
		t.Error("the other texts were affected")
	}
}

func TestEmbed_ServerRejectsEverything(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{Refuse: func(string) bool { return true }})
	_, err := embedder(server, openai.Options{MaxInputs: 64}).Embed(t.Context(), texts(1000))
	wantError(t, err, "invalid", "every text so far failed", "is an embedding model")
	if got := server.Requests(); got > 100 {
		t.Errorf("%d requests", got)
	}
}

func TestEmbed_NonFiniteVector(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{})
	server.Fail(embedtest.NotANumber(1))
	got, err := embedder(server, openai.Options{}).Embed(t.Context(), texts(3))
	if err != nil || got[0].Err != nil || got[1].Err == nil || got[1].Values != nil || got[2].Err != nil {
		t.Errorf("%v; %v, %v, %v", err, got[0].Err, got[1].Err, got[2].Err)
	}
}

func TestEmbed_DimensionMismatch(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{})
	e := embedder(server, openai.Options{})
	wantVectors(t, e, texts(2), 64)
	server.Fail(embedtest.WrongDim())
	_, err := e.Embed(t.Context(), texts(2))
	wantError(t, err, "dimension_mismatch", "expected vectors with 64 dimensions, got 63", "same model")

	server.Fail(embedtest.WrongDim())
	_, err = embedder(server, openai.Options{Dimensions: 64}).EmbedQuery(t.Context(), "a query")
	wantError(t, err, "dimension_mismatch", "expected vectors with 64 dimensions, got 63", "same model")
}

func TestEmbed_PartialResult(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{})
	server.Fail(embedtest.Answer(), embedtest.Status(http.StatusInternalServerError, ""))
	e := embedder(server, openai.Options{MaxInputs: 2, Concurrency: 1, MaxAttempts: 1})
	got, err := e.Embed(t.Context(), texts(6))
	wantError(t, err, "unavailable", "is unavailable (HTTP 500)", "run this again to resume")
	for i, g := range got {
		if early := i < 2; early != (g.Values != nil) || early == (g.Err != nil) {
			t.Errorf("text %d: %d values, error %v", i, len(g.Values), g.Err)
		}
	}
}
