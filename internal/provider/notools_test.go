package provider

import "testing"

// The sentences are those of the servers.
func TestErrorBody_NoTools(t *testing.T) {
	for _, c := range []struct {
		server, message string
		want            bool
	}{
		{"Ollama", "registry.ollama.ai/library/deepseek-r1:latest does not support tools", true},
		{"llama.cpp", "tools param requires --jinja flag", true},
		{"llama.cpp, choice", "tool_choice param requires --jinja flag", true},
		{"vLLM", `"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`, true},
		{"OpenRouter", "No endpoints found that support tool use. To learn more about provider routing, visit: " +
			"https://openrouter.ai/docs/provider-routing", true},
		{"OpenRouter, later", `No endpoints found that support tool use. Try disabling "peek".`, true},
		{"DeepInfra", "Tool calling is not supported for model: mistralai/Mistral-Small-24B-Instruct-2501", true},
		{"Groq", "`tool calling` is not supported with this model", true},
		{"OpenAI", "Unsupported parameter: 'tools' is not supported with this model.", true},
		{"Azure", "Unrecognized request argument supplied: tools", true},
		{"Azure, several", "Unrecognized request arguments supplied: tool_choice, tools", true},
		{"Mistral", "Function calling is not enabled for this model", true},
		{"Gemini", "Function calling is not enabled for models/gemma-3-27b-it", true},
		{"DeepSeek", "deepseek-reasoner does not support Function Calling", true},
		{"Bedrock", "This model doesn't support tool use.", true},
		{"Bedrock, streams", "This model doesn't support tool use in streaming mode.", true},
		{"FastAPI", `{"detail":[{"type":"extra_forbidden","loc":["body","tools"],"msg":"Extra inputs are not permitted"}]}`, true},

		{"OpenAI, a schema", "Invalid schema for function 'peek': In context=('properties', 'bin'), 'default' is not permitted.", false},
		{"OpenAI, a member of a schema", "Invalid value: 'tools[0].function.strict' is not supported.", false},
		{"OpenAI, too many", "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with " +
			"length 200 instead.", false},
		{"OpenAI, order of messages", "Invalid parameter: messages with role 'tool' must be a response to a preceeding message " + //nolint:misspell // OpenAI's
			"with 'tool_calls'.", false},
		{"OpenAI, a call without a result", "An assistant message with 'tool_calls' must be followed by tool messages responding " +
			"to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1", false},
		{"OpenAI, the other protocol", "Function tools with reasoning_effort are not supported for gpt-5.4 in " +
			"/v1/chat/completions. Please use /v1/responses instead.", false},
		{"OpenAI, parallel", "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.", false},
		{"Llama 3", "This model only supports single tool-calls at once!", false},
		{"several calls", "Parallel tool calls are not supported", false},
		{"several calls of a model", "This model does not support parallel tool calls", false},
		{"Groq, a call", "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.", false},
		{"Groq, another tool", "tool call validation failed: attempted to call tool 'find' which was not in request.tools", false},
		{"Anthropic", "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12", false},
		{"Anthropic, a result", "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1", false},
		{"llama.cpp, arguments", "Failed to parse tool call arguments as JSON", false},
		{"Mistral, ids", "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.", false},
		{"OpenRouter, choice", "No endpoints found that support the provided 'tool_choice' value.", false},
		{"DeepSeek, choice", "deepseek-reasoner does not support this tool_choice", false},
		{"a schema of a tool", "tools[0].function.parameters does not support oneOf", false},
		{"a server without memory", "CUDA out of memory while running tool parser", false},
	} {
		body := ReadErrorBody([]byte(c.message), "")
		if got := body.NoTools(); got != c.want {
			t.Errorf("%s: %v, want %v: %q", c.server, got, c.want, c.message)
		}
	}
}
