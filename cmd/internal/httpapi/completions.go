package httpapi

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"

	"lens/agent"
)

// completionsModel is the model name for OpenAI clients.
const completionsModel = "lens"

const completionsDoc = "The model lens investigates the archive. The answer ends with its sources; " +
	"the member lens has them for programs. finish_reason is length or content_filter if the answer was cut, or may be. " +
	"If the investigation fails, lens has what it found, beside the error or in the last chunk before it. " +
	"Only model, messages, stream and stream_options.include_usage have an effect. " +
	"n must be 1 and content must be text. " +
	"Other parameters (temperature, top_p, max_tokens, stop, seed, tools, tool_choice, response_format, user, …) " +
	"are accepted and ignored."

// completionRoutes let OpenAI clients use the agent as a model.
type completionRoutes struct {
	investigator investigator
	streams      *streams
}

func (s completionRoutes) routes() []route {
	return []route{
		{
			method: http.MethodPost, path: "/v1/chat/completions",
			summary: "Chat completion (OpenAI-compatible)", detail: completionsDoc,
			body: completionsBody{}, stream: true, handle: s.complete,
			replies: []reply{
				{
					http.StatusOK, kindJSON,
					"The answer. With stream: its chunks as server-sent events, ended by [DONE], or by an error if it failed.",
					completion{},
				},
				{http.StatusOK, kindStream, "", nil},
			},
			problems: append([]string{codeProvider}, archiveProblems...),
		},
		{
			method: http.MethodGet, path: "/v1/models", summary: "Models of /v1/chat/completions (only lens)",
			replies: okReply("The list of models.", models{}), handle: fromQuery(nil, listModels),
		},
		{
			method: http.MethodGet, path: "/v1/models/{model}", summary: "The model of /v1/chat/completions",
			parameters: []openAPIParameter{{
				"model", "path", true, "The ID of the model.",
				&jsonschema.Schema{Type: "string", Enum: []any{completionsModel}},
			}},
			replies: okReply("The model.", modelEntry{}), handle: fromQuery(nil, readModel),
			problems: []string{codeNotFound},
		},
	}
}

// complete serves a chat completion.
func (s completionRoutes) complete(w http.ResponseWriter, r *http.Request) error {
	if err := noQuery(r); err != nil {
		return err
	}
	input, err := readCompletions(r)
	if err != nil {
		return err
	}
	messages, err := input.messages()
	if err != nil {
		return err
	}
	req, err := s.investigator.request(r, uuid.Nil)
	if err != nil {
		return err
	}
	req.Messages = messages
	head := completionHead{ID: "chatcmpl-" + uuid.NewString(), Created: time.Now().Unix(), Model: completionsModel}
	if input.Stream {
		out := &completionStream{head: head, usage: input.StreamOptions.IncludeUsage}
		run := func(ctx context.Context) iter.Seq2[agent.Event, error] { return agent.Run(ctx, req) }
		return s.streams.relay(w, r, out, run)
	}
	return s.completeJSON(w, r, head, req)
}

// completeJSON replies once the investigation is over. A client that disconnects cancels it.
func (s completionRoutes) completeJSON(
	w http.ResponseWriter, r *http.Request, head completionHead, req agent.Request,
) error {
	var done agent.Done
	var partial *agent.Partial
	err := s.streams.withSlot(r, func(ctx context.Context, _ context.CancelCauseFunc) error {
		for e, err := range agent.Run(ctx, req) {
			if err != nil {
				return stoppingError(ctx, err)
			}
			switch e := e.(type) {
			case agent.Partial:
				partial = &e
			case agent.Done:
				done = e
				return nil
			}
		}
		return errNoAnswer
	})
	// The request's deadline may have passed.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.streams.timeouts.Stall))
	switch {
	case err != nil && partial != nil:
		return &partialError{err, *partial}
	case err != nil:
		return err
	}
	return send(w, http.StatusOK, head.whole(done))
}

func listModels(*http.Request, nothing) (models, error) {
	return models{"list", []modelEntry{lensModel}}, nil
}

func readModel(r *http.Request, _ nothing) (modelEntry, error) {
	if r.PathValue("model") != completionsModel {
		return modelEntry{}, errUnknownModel
	}
	return lensModel, nil
}
