package httpapi

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/google/uuid"

	"lens/agent"
)

// completionsModel is what the investigator is called by clients that speak OpenAI's protocol.
const completionsModel = "lens"

const completionsDoc = "The model lens investigates the archive. The answer ends with its sources; the member lens has them " +
	"for programs. What counts is model, messages, stream and stream_options.include_usage; n must be 1, content must be text. Everything else is accepted and does " +
	"nothing, such as temperature, top_p, max_tokens, stop, seed, tools, tool_choice, response_format and user."

func (s *Server) completionsRoutes() []route {
	return []route{
		{
			method: http.MethodPost, path: "/v1/chat/completions", summary: "A chat completion as OpenAI has it", detail: completionsDoc, body: completionsBody{}, stream: true, handle: s.complete,
			replies: []reply{
				{http.StatusOK, kindJSON, "The answer, or with stream its pieces as server-sent events: [DONE] is the last word of a whole one, an error of a broken one.", completion{}},
				{http.StatusOK, kindStream, "", nil},
			},
			problems: append([]string{codeProvider}, ofArchive...),
		},
		{
			method: http.MethodGet, path: "/v1/models", summary: "The models of /v1/chat/completions: lens", handle: s.models,
			replies: answers("A list of one.", models{}),
		},
	}
}

// complete answers a chat completion.
func (s *Server) complete(w http.ResponseWriter, r *http.Request) error {
	if err := noQuery(r); err != nil {
		return err
	}
	ask, err := readCompletions(r)
	if err != nil {
		return err
	}
	messages, err := ask.messages()
	if err != nil {
		return err
	}
	req, err := s.investigation(r, uuid.Nil)
	if err != nil {
		return err
	}
	req.Messages = messages
	head := completionHead{ID: "chatcmpl-" + uuid.NewString(), Created: time.Now().Unix(), Model: completionsModel}
	if ask.Stream {
		out := &completionStream{head: head, usage: ask.StreamOptions.IncludeUsage}
		return s.relay(w, r, out, func(ctx context.Context) iter.Seq2[agent.Event, error] { return agent.Run(ctx, req) })
	}
	return s.completeWhole(w, r, head, req)
}

// completeWhole answers once the investigation is over. A client that goes away cancels it.
func (s *Server) completeWhole(w http.ResponseWriter, r *http.Request, head completionHead, req agent.Request) error {
	var done agent.Done
	finish := finishStop
	err := s.answering(r, func(ctx context.Context, _ context.CancelCauseFunc) error {
		for e, err := range agent.Run(ctx, req) {
			if err != nil {
				return brokenOff(ctx, err)
			}
			finish = finish.after(e)
			if d, ok := e.(agent.Done); ok {
				done = d
				return nil
			}
		}
		return errNoAnswer
	})
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.opts.Timeouts.Stall)) // that of the request may be over
	if err != nil {
		return err
	}
	return send(w, http.StatusOK, head.whole(done, finish))
}

func (s *Server) models(w http.ResponseWriter, r *http.Request) error {
	if err := noQuery(r); err != nil {
		return err
	}
	return send(w, http.StatusOK, models{"list", []modelEntry{{completionsModel, "model", 0, "lens"}}})
}
