package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"lens/internal/provider"
	"lens/retrieval/embed"
)

const op = "openai: embed"

// kind says what a fault asks for.
type kind int

const (
	permanent kind = iota // giving up
	transient             // trying again
	limited               // trying again, no sooner than told
	refusal               // finding the text that is refused
)

// fault is why an attempt failed. err is what a person gets to see of it.
type fault struct {
	kind    kind
	err     error
	after   time.Duration
	tooLong bool // a refused text is said to be too long
}

func (f *fault) isTransient() bool { return f.kind == transient || f.kind == limited }

// classify turns the library's error into a fault. ctx is that of all attempts.
func (e *Embedder) classify(ctx context.Context, err error, reply *replyInfo) *fault {
	switch {
	case ctx.Err() != nil && !errors.Is(context.Cause(ctx), errRetryTimeout):
		return &fault{kind: permanent, err: ctx.Err()}
	case reply.status == 0:
		return e.unreachable(err)
	case reply.status < 300:
		return e.unreadable(err)
	}
	return e.rejected(reply, provider.ErrorBodyOf(err))
}

// unreachable is for a request that got no answer: refused, reset, timed out.
func (e *Embedder) unreachable(err error) *fault {
	failure := &embed.Error{
		Code: "unavailable", Op: op, Message: e.server.Host + " cannot be reached", Err: err,
		Hint: "check that the server runs and that OPENAI_BASE_URL names it; then run this again, it goes on where it stopped",
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errRetryTimeout) {
		failure.Message, failure.Err = e.server.Host+" does not answer in time", nil
	}
	return &fault{kind: transient, err: failure}
}

// unreadable is for an answer that breaks off or is not what was asked for. A server that sends numbers where base64 was asked for is
// asked for numbers from then on.
func (e *Embedder) unreadable(err error) *fault {
	var mistyped *json.UnmarshalTypeError
	if errors.As(err, &mistyped) {
		e.floats.Store(true)
	}
	return e.malformed("it breaks off or is not JSON of the embeddings API")
}

func (e *Embedder) malformed(how string) *fault {
	return &fault{kind: transient, err: &embed.Error{
		Code: "unavailable", Op: op, Message: fmt.Sprintf("the answer of %s cannot be used: %s", e.server.Host, how),
		Hint: "check that OPENAI_BASE_URL names an OpenAI-compatible server and the model is an embedding model",
	}}
}

// refusesAllError is what refusals add up to when nothing else has come.
func (e *Embedder) refusesAllError(f *fault) error {
	return &embed.Error{
		Code: "invalid", Op: op, Message: fmt.Sprintf("%s refuses every text so far", e.server.Host),
		Hint: fmt.Sprintf("check that %s is an embedding model and that the dims asked for exist", e.opts.Model), Err: f.err,
	}
}
