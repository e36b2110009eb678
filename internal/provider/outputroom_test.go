package provider

import "testing"

// The sentences are those of the servers.
func TestErrorBody_OutputRoom(t *testing.T) {
	for _, c := range []struct {
		server, message string
		want            int // instead of 8,192
	}{
		{"OpenAI", "This model's maximum context length is 8192 tokens. However, you requested 8256 tokens (64 in the messages, " +
			"8192 in the completion). Please reduce the length of the messages or completion.", 8128},
		{"OpenAI, with tools", "This model's maximum context length is 8192 tokens. However, you requested 9192 tokens (800 in the " +
			"messages, 200 in the functions, and 8192 in the completion). Please reduce the length of the messages, functions, or " +
			"completion.", 7192},
		{"OpenAI, a fixed maximum", "max_tokens is too large: 8192. This model supports at most 4096 completion tokens, whereas you " +
			"provided 8192.", 4096},
		{"OpenAI, only the input", "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 " +
			"tokens. Please reduce the length of the messages.", 0},
		{"OpenAI, no room", "This model's maximum context length is 8192 tokens. However, you requested 16184 tokens (7992 in the " +
			"messages, 8192 in the completion). Please reduce the length of the messages or completion.", 0},
		{"OpenAI, the other parameter", "Unsupported parameter: 'max_tokens' is not supported with this model. Use " +
			"'max_completion_tokens' instead.", 0},
		{"OpenAI, a small account", "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 10000, " +
			"Requested 12192. The input or output tokens must be reduced in order to run successfully.", 6000},
		{"OpenAI, busy", "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 9192. Please " +
			"try again in 6s.", 0},
		{"vLLM, 2024", "This model's maximum context length is 8192 tokens. However, you requested 9192 tokens (1000 in the " +
			"messages, 8192 in the completion). Please reduce the length of the messages or completion.", 7192},
		{"vLLM, 2025", "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 8192 " +
			"tokens and your request has 2435 input tokens (8192 > 8192 - 2435).", 5757},
		{"vLLM, 2026", "This model's maximum context length is 8192 tokens. However, you requested 8192 output tokens and your " +
			"prompt contains at least 1 input tokens, for a total of at least 8193 tokens. Please reduce the length of the input " +
			"prompt or the number of requested output tokens. (parameter=input_tokens, value=1)", 2048},
		{"vLLM, a tiny window", "This model's maximum context length is 512 tokens. However, you requested 8192 output tokens and " +
			"your prompt contains at least 1 input tokens, for a total of at least 8193 tokens.", 0},
		{"llama-cpp-python", "This model's maximum context length is 8192 tokens, however you requested 9282 tokens (1090 in your " +
			"prompt; 8192 for the completion). Please reduce your prompt; or completion length.", 7102},
		{"OpenRouter", "This endpoint's maximum context length is 8192 tokens. However, you requested about 9192 tokens (800 of text " +
			"input, 200 of tool input, 8192 in the output). Please reduce the length of either one.", 7192},
		{"Text Generation Inference", "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8192. Given: 1192 " +
			"`inputs` tokens and 8192 `max_new_tokens`", 7000},
		{"Groq", "`max_tokens` must be less than or equal to `4000`, the maximum value for `max_tokens` is less than the " +
			"`context_window` for this model", 4000},
		{"Groq, a small account", "Request too large for model `llama-3.1-8b-instant` in organization `org_x` on tokens per minute " +
			"(TPM): Limit 6000, Requested 9192, please reduce your message size and try again.", 5000},
		{"DeepSeek", "Invalid max_tokens value, the valid range of max_tokens is [1, 4096]", 4096},
		{"Qwen", "Range of max_tokens should be [1, 2000]", 2000},
		{"Doubao", "The parameter `max_completion_tokens` specified in the request are not valid: integer above maximum value, " +
			"expected a value <= 4096, but got 8192 instead.", 4096},
		{"Anthropic", "max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens for claude-3-opus", 4096},
		{"llama.cpp, only the input", "request (14429 tokens) exceeds the available context size (8192 tokens), try increasing it", 0},
		{"Ollama, only the input", "prompt too long; exceeded max context length by 17 tokens", 0},
		{"a number without end", "max_tokens: this model's maximum context length is 99999999999999999999999 tokens", 0},
		{"a greater maximum", "max_tokens must be less than or equal to 32768", 0},
		{"another refusal", "messages must not be empty", 0},
	} {
		body := ReadErrorBody([]byte(c.message), "")
		if got := body.OutputRoom(8192); got != c.want {
			t.Errorf("%s: got %d, want %d", c.server, got, c.want)
		}
		if got := body.OutputRoom(0); got != 0 {
			t.Errorf("%s: got %d where no limit was sent", c.server, got)
		}
	}
}
