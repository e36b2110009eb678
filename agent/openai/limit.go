package openai

import (
	"lens/internal/lazyregexp"
)

// limitParameter is the name under which the output limit is sent. OpenAI's reasoning models refuse the older name,
// servers that check what they read (Mistral) the newer one.
type limitParameter string

const (
	maxTokens           limitParameter = "max_tokens"
	maxCompletionTokens limitParameter = "max_completion_tokens"
)

// other returns the other name.
func (l limitParameter) other() limitParameter {
	if l == maxTokens {
		return maxCompletionTokens
	}
	return maxTokens
}

// reasoning matches the names of OpenAI's reasoning models, with or without the provider that a router puts before
// them: o3-mini, gpt-5, openai/gpt-5.1.
var reasoning = lazyregexp.New(`^(.*/)?(o[1-9]|gpt-[5-9])([.-]|$)`)

// limitParameterOf returns the name that a model most likely takes.
func limitParameterOf(model string) limitParameter {
	if reasoning().MatchString(model) {
		return maxCompletionTokens
	}
	return maxTokens
}

// thoughts are the tokens that OpenAI advises to reserve for the thoughts of its reasoning models ("Reasoning models",
// OpenAI's guides: at least 25,000).
const thoughts = 25_000

// outputLimit returns the limit to send for a message of at most tokens, 0 for none.
func (m *Model) outputLimit(tokens int) int {
	if tokens > 0 && limitParameterOf(m.opts.Model) == maxCompletionTokens {
		return tokens + thoughts
	}
	return tokens
}

// setLimit writes an output limit under a name, 0 for none.
func setLimit(r *chatRequest, name limitParameter, tokens int) {
	r.MaxTokens, r.MaxCompletionTokens = 0, 0
	if name == maxCompletionTokens {
		r.MaxCompletionTokens = tokens
	} else {
		r.MaxTokens = tokens
	}
}

// limitOf returns the name under which a request has its limit, "" for none.
func limitOf(r chatRequest) limitParameter {
	switch {
	case r.MaxCompletionTokens != 0:
		return maxCompletionTokens
	case r.MaxTokens != 0:
		return maxTokens
	}
	return ""
}

// sentLimit returns the output limit of a request, 0 for none.
func sentLimit(r chatRequest) int { return max(r.MaxTokens, r.MaxCompletionTokens) }
