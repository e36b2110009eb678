package openai

import (
	"cmp"
	"context"
	"iter"
	"strings"

	api "github.com/sashabaranov/go-openai"

	"lens/agent"
)

// report is what a request tells its consumer.
type report struct {
	delta agent.Delta
	err   error
	asked bool // a request was sent: the wait for its first token begins
	over  bool // that wait is over, and another one begins
	fault any  // of a panic
}

// Stream implements agent.Model. A goroutine asks the server, so that the consumer hears how long it has been waiting;
// it ends with the stream.
func (m *Model) Stream(ctx context.Context, p agent.Prompt) iter.Seq2[agent.Delta, error] {
	return func(yield func(agent.Delta, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		reports, left := make(chan report), make(chan struct{})
		defer func() {
			close(left)
			cancel(nil)
			for range reports { // until the goroutine has ended
				continue
			}
		}()
		go func() {
			defer close(reports)
			send := func(r report) bool {
				select {
				case reports <- r:
					return true
				case <-left:
					return false
				}
			}
			defer func() {
				if fault := recover(); fault != nil {
					send(report{fault: fault})
				}
			}()
			m.answer(ctx, cancel, p, send)
		}()
		relay(reports, yield)
	}
}

// relay yields what a request reports and, while it waits for the first token, how long it has.
func relay(reports <-chan report, yield func(agent.Delta, error) bool) {
	wait := newWaitClock()
	defer wait.stop()
	for {
		select {
		case r, more := <-reports:
			switch {
			case !more:
				return
			case r.fault != nil:
				panic(r.fault)
			case r.asked:
				wait.start()
				continue
			}
			wait.stop()
			if r.over {
				continue
			}
			if !yield(r.delta, r.err) || r.err != nil {
				return
			}
		case <-wait.timer.C:
			notice := wait.notice()
			if !yield(agent.Delta{Notice: &notice}, nil) {
				return
			}
		}
	}
}

// assembly makes deltas from the chunks of a message.
type assembly struct {
	begin func() // is called at the first token
	send  func(report) bool

	calls    toolCalls
	thinking thinkingFilter
	end      agent.Delta
	begun    bool
	done     bool // the server said that nothing follows
	left     bool // the consumer has gone
}

// add takes the next chunk. It returns false when the consumer has gone.
func (a *assembly) add(c chunk) bool {
	a.done = a.done || c.done
	if c.Usage != nil {
		a.end.Tokens = agent.Tokens{Prompt: c.Usage.Prompt, Completion: c.Usage.Completion}
	}
	var text, thought string
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue
		}
		if !a.begun && (choice.Finish != "" || !choice.Delta.isEmpty()) {
			a.begun = true
			a.begin()
		}
		text += string(choice.Delta.Content)
		thought += cmp.Or(choice.Delta.ReasoningContent, choice.Delta.Reasoning) // some servers send both
		for _, call := range choice.Delta.ToolCalls {
			a.calls.add(call)
		}
		if choice.Finish != "" {
			a.end.Finish = finishOf(choice.Finish)
		}
	}
	if !a.begun {
		return true
	}
	said, discard := a.thinking.write(text)
	if a.thinking.isOpen() {
		thought += text
	}
	a.left = !a.send(report{delta: agent.Delta{Text: said, Thought: thought, DiscardText: discard}})
	return !a.left
}

// close sends the end of the message.
func (a *assembly) close() {
	a.end.Calls = a.calls.complete()
	a.end.Text, a.end.DiscardText = a.thinking.close()
	a.send(report{delta: a.end})
}

// finishOf translates a finish_reason: OpenAI's, or what servers and routers pass on from other APIs.
func finishOf(reason string) agent.Finish {
	switch strings.ToLower(reason) {
	case "stop", "eos", "eos_token", "end", "end_turn", "stop_sequence", "complete", "completed",
		"tool_calls", "tool_call", "tool_use", "function_call":
		return agent.Stop
	case "length", "model_length", "max_tokens", "max_output_tokens", "max_length": // OpenAI, Mistral, Anthropic, Gemini
		return agent.Length
	case "content_filter", "content_filtered", "safety", "recitation", "refusal", "sensitive": // Gemini, Anthropic, GLM
		return agent.Filtered
	}
	return agent.Unknown
}

// chatRequest is the body of a request. The library's type would have all parameters, and refuses some models.
type chatRequest struct {
	Model               string                      `json:"model"`
	Messages            []api.ChatCompletionMessage `json:"messages"`
	MaxTokens           int                         `json:"max_tokens,omitempty"`
	MaxCompletionTokens int                         `json:"max_completion_tokens,omitempty"`
	Stream              bool                        `json:"stream"`
	StreamOptions       *api.StreamOptions          `json:"stream_options,omitempty"`
	Tools               []api.Tool                  `json:"tools,omitempty"`
	ToolChoice          string                      `json:"tool_choice,omitempty"`
}

// request translates a prompt for the API.
func (m *Model) request(p agent.Prompt) chatRequest {
	r := chatRequest{Model: m.opts.Model, Messages: messagesOf(p.Messages), Stream: true}
	if !m.withoutUsage.Load() {
		r.StreamOptions = &api.StreamOptions{IncludeUsage: true}
	}
	setLimit(&r, m.limit.Load().(limitParameter), m.outputLimit(p.MaxTokens))
	for _, s := range p.Tools {
		r.Tools = append(r.Tools, api.Tool{Type: api.ToolTypeFunction, Function: &api.FunctionDefinition{
			Name: s.Name, Description: s.Description, Parameters: s.Schema,
		}})
	}
	if m.singleCalls.Load() {
		r.Messages = oneCallAMessage(r.Messages)
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
