package httpapi

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/google/uuid"

	"lens/agent"
)

// investigator makes the requests for the chat model.
type investigator struct {
	begin func(ctx context.Context, conversation uuid.UUID) (agent.Request, error) // nil: no chat
	log   *slog.Logger
}

// request returns a request without its messages. The turns that it reads are logged with the trace id of r.
func (i investigator) request(r *http.Request, conversation uuid.UUID) (agent.Request, error) {
	if i.begin == nil {
		return agent.Request{}, &problem{Code: codeUnavailable, Message: "No chat model is configured."}
	}
	req, err := i.begin(r.Context(), conversation)
	req.Log = i.log.With(slog.String("trace", recordOf(r).id))
	return req, err
}
