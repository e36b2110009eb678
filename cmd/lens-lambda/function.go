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

	"lens/cmd/internal/app"
	"lens/cmd/internal/httpapi"
	"lens/cmd/internal/published"
	"lens/internal/errs"
)

// function answers invocations. It is safe for concurrent use.
type function struct {
	handler  http.Handler
	key      string // added to requests that the gateway has authorized; "": clients must send one
	log      *slog.Logger
	stopping context.Context // canceled when the process must end
	running  sync.WaitGroup  // invocations
}

var _ lambda.Handler = (*function)(nil)

// newFunction returns a function that answers from index. If no keys are configured it generates one, so that only
// requests that the gateway has authorized are accepted.
func newFunction(stopping context.Context, a *app.App, index *published.Index) (*function, error) {
	f := &function{log: a.Logs.JSON(os.Stderr), stopping: stopping}
	keys := a.Config().APIKeys
	if len(keys) == 0 {
		f.key = rand.Text()
		keys = []string{f.key}
	}
	server, err := httpapi.New(httpapi.Options{
		Engine:    func(context.Context) (httpapi.Engine, error) { return nil, errNoArchive },
		Ready:     index.Check,
		Retriever: index,
		Explain:   errs.ForClient, Keys: keys, Version: version, Log: f.log,
	})
	f.handler = server
	return f, err
}

// errNoArchive is the error of every route that reads an archive.
var errNoArchive = &errs.Error{
	Code: errs.NotFound, Op: "index", Message: "this server has no archive; only /retrieve is available",
}

// errNotGatewayRequest rejects a payload that does not come from a client. Lambda reports it to the sender.
var errNotGatewayRequest = errors.New("the payload is not an API Gateway request")

// Invoke implements lambda.Handler. For a gateway's request it never returns an error, which Lambda would report in its
// own form.
func (f *function) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	f.running.Add(1)
	defer f.running.Done()
	e, err := parsePayload(payload)
	if err != nil {
		return nil, err
	}
	trace := ""
	if known, ok := lambdacontext.FromContext(ctx); ok {
		trace = known.AwsRequestID
	}
	ctx, cancel := f.withDeadline(ctx)
	defer cancel()
	a := f.respond(ctx, e, trace)
	text, err := a.encode(e.version2)
	if err == nil && len(text) > maxResponse {
		const message = "The response exceeds the size limit of AWS Lambda. Request fewer chunks with k."
		text, err = errorResponse(http.StatusRequestEntityTooLarge, "TOO_LARGE", message, trace).encode(e.version2)
	}
	return text, err
}

// maxResponse is Lambda's limit for a response in bytes.
const maxResponse = 6 << 20

// respond runs the handler on the request of an event.
func (f *function) respond(ctx context.Context, e *event, trace string) (a *response) {
	defer func() {
		if fault := recover(); fault != nil {
			f.log.Error("panic",
				slog.String("trace", trace),
				slog.String("fault", fmt.Sprintf("%T", fault)),
				slog.String("stack", string(debug.Stack())))
			a = errorResponse(http.StatusInternalServerError, "INTERNAL", "internal error", trace)
		}
	}()
	r, err := e.request(ctx)
	if err != nil {
		return errorResponse(http.StatusBadRequest, "INVALID_ARGUMENT", "The body is not valid base64.", trace)
	}
	if trace != "" {
		r.Header.Set("X-Request-Id", trace)
	}
	if f.key != "" && e.authorized {
		r.Header.Set("Authorization", "Bearer "+f.key)
	}
	a = &response{header: http.Header{}}
	f.handler.ServeHTTP(a, r)
	return a
}

// withDeadline returns a context that ends early enough to still send an error, and when the process must end.
func (f *function) withDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	end := time.Now().Add(time.Hour)
	if deadline, ok := ctx.Deadline(); ok {
		end = deadline.Add(-min(time.Until(deadline)/10, time.Second))
	}
	ctx, cancel := context.WithDeadline(ctx, end)
	unregister := context.AfterFunc(f.stopping, cancel)
	return ctx, func() { unregister(); cancel() }
}

// wait waits until no invocation is running, but at most d.
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
