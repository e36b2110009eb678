package provider

import (
	"regexp"

	"lens/internal/lazyregexp"
)

// toolCalling is how refusals name tools as something that a model can or cannot do. A schema (tools[0].function), a
// message with the role tool and a single call are something else.
const toolCalling = "['\"`]?(?:tools|tool[ -]?(?:use|calls|calling)|function[ -]?(?:calls|calling))['\"`]?"

// afterIt ends the name, so that tools[0] and tools.0 are not tools.
const afterIt = `(?:[^\w\[.]|\.\s|\.?$)`

// notTools are the ways in which servers say that they or their models take no tools.
var notTools = []func() *regexp.Regexp{
	lazyregexp.New(`(?:does not|doesn't|do not|don't|cannot) (?:yet )?support ` + toolCalling + afterIt), // Ollama
	lazyregexp.New(`(?:^|[^\w ]|\b(?:parameter|error|invalid|of|that|the|using):? )\s*` + toolCalling +
		` (?:(?:is|are) )?(?:not (?:currently |yet )?(?:supported|enabled|available|allowed)|unsupported)`), // Groq
	lazyregexp.New(`no (?:endpoints|providers|models) found that support tool`),                       // OpenRouter
	lazyregexp.New(`(?:tools param|tool_choice param) requires --jinja`),                              // llama.cpp
	lazyregexp.New(`tool choice requires --enable-auto-tool-choice`),                                  // vLLM
	lazyregexp.New(`unrecognized request arguments? supplied:[\w, ]*\b(?:tools|functions)(?:,|\s|$)`), // Azure
	lazyregexp.New(`"tools"\],"msg":"extra inputs are not permitted"`),                                // FastAPI
}

// NoTools reports whether a refusal says that the model, or the server as it was started, takes no tools: in the words
// of Ollama, llama.cpp, vLLM, OpenRouter, Groq, DeepInfra, DeepSeek, Mistral, Gemini, Bedrock, OpenAI and Azure. Other
// refusals of requests with tools are about a schema, a call or a result.
func (b ErrorBody) NoTools() bool {
	for _, says := range notTools {
		if says().MatchString(b.text) {
			return true
		}
	}
	return false
}
