package httpapi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"lens/agent"
	"lens/internal/cleantext"
)

// models is OpenAI's list of models.
type models struct {
	Object string       `json:"object"`
	Data   []modelEntry `json:"data"`
}

type modelEntry struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
}

// lensModel is the one model.
var lensModel = modelEntry{completionsModel, "model", 0, "lens"}

// refine implements refiner.
func (models) refine(s *jsonschema.Schema) { s.Properties["object"].Enum = []any{"list"} }

// refine implements refiner.
func (modelEntry) refine(s *jsonschema.Schema) { s.Properties["object"].Enum = []any{"model"} }

// completionHead is common to an answer and its chunks.
type completionHead struct {
	ID      string `json:"id"`
	Created int64  `json:"created"`
	Model   string `json:"model"`
}

// completion is OpenAI's chat completion with Lens's evidence.
type completion struct {
	Object string `json:"object"`
	completionHead
	Choices []wholeChoice   `json:"choices"`
	Usage   completionUsage `json:"usage"`
	Lens    evidence        `json:"lens"`
}

type wholeChoice struct {
	Index   int              `json:"index"`
	Message wholeMessage     `json:"message"`
	Finish  completionFinish `json:"finish_reason"`
}

type wholeMessage struct {
	Role    agent.Role `json:"role"`
	Content string     `json:"content"`
}

// completionFinish is a finish_reason of OpenAI's API. It has no word for an answer that may be cut, which clients must
// not take for whole.
type completionFinish string

const (
	completionStopped  completionFinish = "stop"
	completionCut      completionFinish = "length"
	completionFiltered completionFinish = "content_filter"
)

var completionFinishes = []completionFinish{completionStopped, completionCut, completionFiltered}

func completionFinishOf(f agent.Finish) completionFinish {
	switch f {
	case agent.Stop:
		return completionStopped
	case agent.Filtered:
		return completionFiltered
	}
	return completionCut
}

// completionUsage adds up all model calls of the investigation.
type completionUsage struct {
	agent.Tokens
	Total int `json:"total_tokens"`
}

func usageOf(u agent.Usage) completionUsage {
	return completionUsage{u.Tokens, u.Prompt + u.Completion}
}

// evidence is what an answer rests on: agent.Done without its text and usage.
type evidence struct {
	Finish    agent.Finish     `json:"finish_reason"`
	Truncated bool             `json:"truncated"`
	Evidence  bool             `json:"evidence"`
	Report    bool             `json:"report"`
	Sources   []agent.Citation `json:"sources"`
	Citations []agent.Citation `json:"citations"`
	Turns     []string         `json:"cited_turn_ids"`
	Read      []string         `json:"read_turn_ids"`
	Chunks    []string         `json:"cited_chunk_ids"`
	Removed   []string         `json:"removed"`
	Quotes    []agent.Quote    `json:"quotes"`
	Histogram any              `json:"histogram"`
	Trace     []agent.Step     `json:"trace"`
	Model     string           `json:"model"` // the model that investigated
}

func evidenceOf(d agent.Done) evidence {
	return evidence{
		Finish: d.Finish, Truncated: d.Truncated, Evidence: d.Evidence, Report: d.Report,
		Sources: d.Sources, Citations: d.Citations, Turns: d.Turns,
		Read: d.Read, Chunks: d.Chunks, Removed: d.Removed, Quotes: d.Quotes, Histogram: d.Histogram, Trace: d.Trace,
		Model: d.Model,
	}
}

func (h completionHead) whole(d agent.Done) completion {
	return completion{
		Object: "chat.completion", completionHead: h, Usage: usageOf(d.Usage), Lens: evidenceOf(d),
		Choices: []wholeChoice{{
			Message: wholeMessage{agent.Assistant, d.Answer + sources(referencesOf(d))}, Finish: completionFinishOf(d.Finish),
		}},
	}
}

// referencesOf returns the turns that an answer cites, or that a report names.
func referencesOf(d agent.Done) []agent.Citation { return slices.Concat(d.Citations, d.Sources) }

// sourcesHeading begins the footnotes of an answer.
const sourcesHeading = "\n\nSources:\n"

// sources returns the footnotes of an answer; "" without citations.
func sources(cited []agent.Citation) string {
	if len(cited) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(sourcesHeading)
	for _, c := range cited {
		when := "undated"
		if c.Time != nil {
			when = c.Time.UTC().Format(time.DateOnly)
		}
		title := escapeMarkdown.Replace(cleantext.Line(c.Title))
		fmt.Fprintf(&b, "\n- [%d] %s, %s (turn %s)", c.N, when, title, c.TurnID)
	}
	return b.String()
}

// escapeMarkdown makes a Markdown renderer show a title as plain text: titles are untrusted and could contain images,
// links or tags.
var escapeMarkdown = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "[", `\[`, "]", `\]`, "!", `\!`,
	"<", `\<`, ">", `\>`, "|", `\|`, "$", `\$`, "&", `\&`,
)

// withoutSources removes the footnotes from an answer that a client sends back.
func withoutSources(answer string) string {
	if at := strings.LastIndex(answer, sourcesHeading); at >= 0 {
		return answer[:at]
	}
	return answer
}

// openAIError is OpenAI's error shape, with the trace id that is in the log.
type openAIError struct {
	Error openAIFailure  `json:"error"`
	Lens  *agent.Partial `json:"lens,omitempty"` // what there is of the answer, if the investigation failed
}

// partialError is the error of an investigation, with what there is of the answer.
type partialError struct {
	error
	partial agent.Partial
}

func (e *partialError) Unwrap() error { return e.error }

type openAIFailure struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    string  `json:"code"`
	TraceID string  `json:"trace_id"`
}

// speaksOpenAI reports whether errors of a path have OpenAI's shape.
func speaksOpenAI(path string) bool { return strings.HasPrefix(path, "/v1/") }

func openAIErrorOf(f agent.Failure) openAIError {
	kind := "invalid_request_error"
	switch status := statusOf[f.Code]; {
	case status == http.StatusTooManyRequests:
		kind = "rate_limit_error"
	case status == http.StatusUnauthorized:
		kind = "authentication_error"
	case status >= http.StatusInternalServerError:
		kind = "api_error"
	}
	return openAIError{Error: openAIFailure{
		Message: strings.TrimSpace(f.Message + " " + f.Hint), Type: kind, Code: f.Code, TraceID: f.TraceID,
	}}
}
