package openai

import (
	"fmt"

	"lens/internal/errs"
	"lens/internal/provider"
)

// rejected is the fault of an answer with an error status.
func (e *Embedder) rejected(reply *replyInfo, body provider.ErrorBody) *fault {
	const ollamaNaN = "unsupported value: nan" // Ollama's 500 for a text whose vector is not finite
	if body.TooLong(reply.status) || body.Contains(ollamaNaN) {
		return e.refusal(reply.status, body)
	}
	r := e.server.Refusal(reply.status, reply.after, body)
	if r.Kind == provider.BadRequest {
		return e.refusal(reply.status, body)
	}
	return &fault{kind: r.Kind, after: reply.after, err: r.Error(op)}
}

// refusal is the fault of a text, or something else in the request, that the server rejects. A server that has not
// yet answered in base64 may be rejecting that.
func (e *Embedder) refusal(status int, body provider.ErrorBody) *fault {
	why := fmt.Sprintf("HTTP %d", status)
	if !body.TooLong(status) && !e.served.Load() && e.floats.CompareAndSwap(false, true) {
		return e.malformed(why)
	}
	if body.Code != "" {
		why += ", " + body.Code
	}
	return &fault{kind: provider.BadRequest, tooLong: body.TooLong(status), err: &errs.Error{
		Code: errs.Invalid, Op: op, Message: fmt.Sprintf("%s rejected a text (%s)", e.server.Host, why),
	}}
}
