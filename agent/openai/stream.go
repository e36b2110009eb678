package openai

import (
	"context"
	"errors"
	"io"
	"iter"

	api "github.com/sashabaranov/go-openai"

	"lens/agent"
)

// Stream implements agent.Model.
func (m *Model) Stream(ctx context.Context, p agent.Prompt) iter.Seq2[agent.Delta, error] {
	return func(yield func(agent.Delta, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		seen := &reply{idleTimeout: m.opts.IdleTimeout, cancel: cancel}
		stream, err := m.open(context.WithValue(ctx, replyKey{}, seen), p, seen)
		if err != nil {
			yield(agent.Delta{}, err)
			return
		}
		defer stream.Close()
		m.read(ctx, stream, seen, yield)
	}
}

// read yields the deltas of a message, and its end.
func (m *Model) read(
	ctx context.Context, stream *api.ChatCompletionStream, seen *reply, yield func(agent.Delta, error) bool,
) {
	var calls toolCalls
	var thinking thinkingFilter
	var end agent.Delta
	for {
		chunk, err := stream.Recv()
		if err != nil {
			if end.Finish == "" && seen.done() && errors.Is(err, io.EOF) {
				end.Finish = agent.Stop
			}
			if end.Finish == "" {
				yield(agent.Delta{}, m.interrupted(ctx, err))
				return
			}
			end.Calls = calls.complete()
			end.Text, end.DiscardText = thinking.close()
			yield(end, nil)
			return
		}
		if chunk.Usage != nil {
			end.Tokens = agent.Tokens{Prompt: chunk.Usage.PromptTokens, Completion: chunk.Usage.CompletionTokens}
		}
		var text string
		for _, choice := range chunk.Choices {
			if choice.Index != 0 {
				continue
			}
			text += choice.Delta.Content
			for _, call := range choice.Delta.ToolCalls {
				calls.add(call)
			}
			if choice.FinishReason != "" {
				end.Finish = finishOf(choice.FinishReason)
			}
		}
		said, discard := thinking.write(text)
		if !yield(agent.Delta{Text: said, DiscardText: discard}, nil) {
			return
		}
	}
}

func finishOf(reason api.FinishReason) agent.Finish {
	switch reason {
	case api.FinishReasonLength:
		return agent.Length
	case api.FinishReasonContentFilter:
		return agent.Filtered
	}
	return agent.Stop
}

// request translates a prompt for the API.
func (m *Model) request(p agent.Prompt) api.ChatCompletionRequest {
	r := api.ChatCompletionRequest{Model: m.opts.Model, Messages: messagesOf(p.Messages)}
	if !m.withoutUsage.Load() {
		r.StreamOptions = &api.StreamOptions{IncludeUsage: true}
	}
	setLimit(&r, m.limit.Load().(limitParameter), p.MaxTokens)
	for _, s := range p.Tools {
		r.Tools = append(r.Tools, api.Tool{Type: api.ToolTypeFunction, Function: &api.FunctionDefinition{
			Name: s.Name, Description: s.Description, Parameters: s.Schema,
		}})
	}
	if p.Answer && len(p.Tools) > 0 {
		r.ToolChoice = "none"
	}
	return r
}

func messagesOf(messages []agent.Message) []api.ChatCompletionMessage {
	all := make([]api.ChatCompletionMessage, len(messages))
	for i, m := range messages {
		all[i] = api.ChatCompletionMessage{Role: string(m.Role), Content: m.Text, ToolCallID: m.Call}
		for _, c := range m.Calls {
			all[i].ToolCalls = append(all[i].ToolCalls, api.ToolCall{
				ID: c.ID, Type: api.ToolTypeFunction, Function: api.FunctionCall{Name: c.Name, Arguments: c.Arguments},
			})
		}
	}
	return all
}
