package openai

import (
	"slices"

	api "github.com/sashabaranov/go-openai"
)

// Some models may call one tool in a message: the templates of Llama 3 and of models made from it refuse a conversation
// with more, though nothing keeps the model from writing them. Such a message is sent as several.

// refusesParallel are the words of servers that refuse several calls in one message.
var refusesParallel = []string{"single tool-call", "single tool call", "one tool call", "parallel tool call"}

// hasParallelCalls reports whether a message has more than one call.
func hasParallelCalls(messages []api.ChatCompletionMessage) bool {
	return slices.ContainsFunc(messages, func(m api.ChatCompletionMessage) bool { return len(m.ToolCalls) > 1 })
}

// oneCallAMessage returns the conversation with at most one call in a message, each followed by its result. The results
// of a message stand right behind it, in any order. Ids may repeat, even within a message.
func oneCallAMessage(messages []api.ChatCompletionMessage) []api.ChatCompletionMessage {
	var all []api.ChatCompletionMessage
	for len(messages) > 0 {
		m, rest := messages[0], messages[1:]
		n := slices.IndexFunc(rest, func(m api.ChatCompletionMessage) bool { return m.ToolCallID == "" })
		if n < 0 {
			n = len(rest)
		}
		results := slices.Clone(rest[:n])
		messages = rest[n:]
		calls := m.ToolCalls
		m.ToolCalls = calls[:min(1, len(calls))]
		all = append(all, m)
		for i, call := range calls {
			if i > 0 {
				all = append(all, api.ChatCompletionMessage{Role: m.Role, ToolCalls: calls[i : i+1]})
			}
			at := slices.IndexFunc(results, func(r api.ChatCompletionMessage) bool { return r.ToolCallID == call.ID })
			if at >= 0 {
				all = append(all, results[at])
				results = slices.Delete(results, at, at+1)
			}
		}
	}
	return all
}
