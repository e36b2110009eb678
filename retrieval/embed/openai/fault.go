package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"lens/internal/errs"
	"lens/internal/provider"
)

const op = "openai: embed"

// fault is why an attempt failed. err is what the user sees of it. After a provider.BadRequest the rejected text is
// looked for.
type fault struct {
	kind    provider.Kind
	err     error
	after   time.Duration
	tooLong bool // the server says that a rejected text is too long
}

// classify turns the library's error into a fault. ctx is the context of all attempts.
func (e *Embedder) classify(ctx context.Context, err error, reply *replyInfo) *fault {
	switch {
	case ctx.Err() != nil && !errors.Is(context.Cause(ctx), errRetryTimeout):
		return &fault{kind: provider.Permanent, err: ctx.Err()}
	case reply.status == 0:
		return e.unreachable(err)
	case reply.status < 300:
		return e.unreadable(err)
	}
	return e.rejected(reply, provider.ErrorBodyOf(err))
}

// unreachable is the fault of a request without an answer: refused, reset, timed out.
func (e *Embedder) unreachable(err error) *fault {
	failure := &errs.Error{
		Code: errs.Unavailable, Op: op, Message: "cannot reach " + e.server.Host, Err: err,
		Hint: "check that the server is running and that OPENAI_BASE_URL is correct, then run this again to resume",
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errRetryTimeout) {
		failure.Message, failure.Err = e.server.Host+" did not answer in time", nil
	}
	return &fault{kind: provider.Transient, err: failure}
}

// unreadable is the fault of an answer that is cut off or malformed. A server that sends numbers although base64
// was requested is asked for numbers from then on.
func (e *Embedder) unreadable(err error) *fault {
	var mistyped *json.UnmarshalTypeError
	if errors.As(err, &mistyped) {
		e.floats.Store(true)
	}
	return e.malformed("it is cut off or is not embeddings JSON")
}

func (e *Embedder) malformed(how string) *fault {
	return &fault{kind: provider.Transient, err: &errs.Error{
		Code: errs.Unavailable, Op: op, Message: fmt.Sprintf("cannot read the answer from %s: %s", e.server.Host, how),
		Hint: "check that OPENAI_BASE_URL names an OpenAI-compatible server and that the model is an embedding model",
	}}
}

// refusesAllError is the error for a server that has rejected everything so far.
func (e *Embedder) refusesAllError(f *fault) error {
	return &errs.Error{
		Code: errs.Invalid, Op: op, Message: "every text so far failed",
		Hint: fmt.Sprintf("check that %s is an embedding model and supports the requested dimensions", e.opts.Model),
		Err:  f.err,
	}
}
