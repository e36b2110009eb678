package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"

	"lens/internal/boot"
	"lens/internal/httpapi"
)

// function answers invocations. It is safe for concurrent use.
type function struct {
	handler  http.Handler
	key      string // given to requests that a gateway vouches for; "": they must bring one
	log      *slog.Logger
	stopping context.Context // over when the process is to end
	running  sync.WaitGroup  // invocations
}

var _ lambda.Handler = (*function)(nil)

// newFunction returns one over an index. Where no keys are configured nobody knows one, and only who a gateway vouches for is let in.
func newFunction(stopping context.Context, l *boot.Lens, shelf *boot.Shelf) (*function, error) {
	f := &function{log: l.LogTo(os.Stderr), stopping: stopping}
	keys := l.Config().APIKeys
	if len(keys) == 0 {
		f.key = rand.Text()
		keys = []string{f.key}
	}
	server, err := httpapi.New(httpapi.Options{
		Engine:   func(context.Context) (httpapi.Engine, error) { return indexed{shelf}, nil },
		Retriever: indexed{shelf}.retriever,
		Explain:   explain, Keys: keys, Version: version, Log: f.log,
	})
	f.handler = server
	return f, err
}

// errNoEvent is what a payload is refused with: its author is no client, and hears it from Lambda.
var errNoEvent = errors.New("this is no request of an API Gateway")

// Invoke implements lambda.Handler. The answer to a request is never an error, which Lambda would tell in words of its own.
func (f *function) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	f.running.Add(1)
	defer f.running.Done()
	e, err := parseEvent(payload)
	if err != nil {
		return nil, err
	}
	trace := ""
	if known, ok := lambdacontext.FromContext(ctx); ok {
		trace = known.AwsRequestID
	}
	ctx, cancel := f.within(ctx)
	defer cancel()
	a := f.answer(ctx, e, trace)
	text, err := a.encode(e.second)
	if err == nil && len(text) > maxAnswer {
		text, err = refusal(http.StatusRequestEntityTooLarge, "TOO_LARGE", "The answer is larger than a function may give. Ask for fewer chunks, by k.", trace).encode(e.second)
	}
	return text, err
}

// maxAnswer is how many bytes Lambda takes for an answer.
const maxAnswer = 6 << 20

// answer has the request of an event answered.
func (f *function) answer(ctx context.Context, e *event, trace string) (a *answer) {
	defer func() {
		if fault := recover(); fault != nil {
			f.log.Error("panic", slog.String("trace", trace), slog.String("fault", fmt.Sprintf("%T", fault)), slog.String("stack", string(debug.Stack())))
			a = refusal(http.StatusInternalServerError, "INTERNAL", "internal error", trace)
		}
	}()
	r, err := e.request(ctx)
	if err != nil {
		return refusal(http.StatusBadRequest, "INVALID_ARGUMENT", "The body is not the base64 that it is said to be.", trace)
	}
	if trace != "" {
		r.Header.Set("X-Request-Id", trace)
	}
	if f.key != "" && e.vouched {
		r.Header.Set("Authorization", "Bearer "+f.key)
	}
	a = &answer{header: http.Header{}}
	f.handler.ServeHTTP(a, r)
	return a
}

// within returns a context that is over while there is still time to say so, and when the process is to end.
func (f *function) within(ctx context.Context) (context.Context, context.CancelFunc) {
	end := time.Now().Add(time.Hour)
	if deadline, ok := ctx.Deadline(); ok {
		end = deadline.Add(-min(time.Until(deadline)/10, time.Second))
	}
	ctx, cancel := context.WithDeadline(ctx, end)
	forget := context.AfterFunc(f.stopping, cancel)
	return ctx, func() { forget(); cancel() }
}

// wait waits until no invocation is under way, but no longer than d.
func (f *function) wait(d time.Duration) {
	none := make(chan struct{})
	go func() {
		f.running.Wait()
		close(none)
	}()
	select {
	case <-none:
	case <-time.After(d):
	}
}
