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

// oneCallAMessage returns the conversation with at most one call in a message, each followed by its result.
func oneCallAMessage(messages []api.ChatCompletionMessage) []api.ChatCompletionMessage {
	results := map[string]api.ChatCompletionMessage{}
	for _, m := range messages {
		if m.ToolCallID != "" {
			results[m.ToolCallID] = m
		}
	}
	var all []api.ChatCompletionMessage
	for _, m := range messages {
		if m.ToolCallID != "" {
			continue // it follows its call
		}
		calls := m.ToolCalls
		m.ToolCalls = calls[:min(1, len(calls))]
		all = append(all, m)
		for i, call := range calls {
			if i > 0 {
				all = append(all, api.ChatCompletionMessage{Role: m.Role, ToolCalls: calls[i : i+1]})
			}
			if result, ok := results[call.ID]; ok {
				all = append(all, result)
			}
		}
	}
	return all
}
