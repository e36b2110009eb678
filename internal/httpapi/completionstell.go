package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"lens/agent"
	"lens/internal/cleantext"
)

// models is a list of models as OpenAI has it.
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

// completionHead is what an answer and all its pieces say of themselves.
type completionHead struct {
	ID      string `json:"id"`
	Created int64  `json:"created"`
	Model   string `json:"model"`
}

// completion is a whole answer as OpenAI has it, and its proof.
type completion struct {
	Object string `json:"object"`
	completionHead
	Choices []wholeChoice   `json:"choices"`
	Usage   completionUsage `json:"usage"`
	Lens    proof           `json:"lens"`
}

type wholeChoice struct {
	Index   int          `json:"index"`
	Message wholeMessage `json:"message"`
	Finish  finishReason `json:"finish_reason"`
}

type wholeMessage struct {
	Role    agent.Role `json:"role"`
	Content string     `json:"content"`
}

// completionUsage counts every model call of the investigation.
type completionUsage struct {
	agent.Tokens
	Total int `json:"total_tokens"`
}

func usageOf(u agent.Usage) completionUsage {
	return completionUsage{u.Tokens, u.Prompt + u.Completion}
}

// proof is what an answer rests on: agent.Done, without what the protocol has a place for.
type proof struct {
	Evidence  bool             `json:"evidence"`
	Citations []agent.Citation `json:"citations"`
	Turns     []string         `json:"cited_turn_ids"`
	Removed   []string         `json:"removed"`
	Quotes    []agent.Quote    `json:"quotes"`
	Histogram any              `json:"histogram"`
	Trace     []agent.Step     `json:"trace"`
	Model     string           `json:"model"` // that investigated
}

func proofOf(d agent.Done) proof {
	return proof{d.Evidence, d.Citations, d.Turns, d.Removed, d.Quotes, d.Histogram, d.Trace, d.Model}
}

func (h completionHead) whole(d agent.Done, finish finishReason) completion {
	return completion{
		Object: "chat.completion", completionHead: h, Usage: usageOf(d.Usage), Lens: proofOf(d),
		Choices: []wholeChoice{{Message: wholeMessage{agent.Assistant, d.Answer + sources(d.Citations)}, Finish: finish}},
	}
}

// finishReason is why an answer ends.
type finishReason string

const finishStop finishReason = "stop"

// after returns the reason once e has happened.
func (f finishReason) after(e agent.Event) finishReason {
	if n, ok := e.(agent.Notice); ok {
		switch n.Code {
		case "cut_short":
			return "length"
		case "filtered":
			return "content_filter"
		}
	}
	return f
}

// sourcesHead begins the footnotes of an answer.
const sourcesHead = "\n\nSources:\n"

// sources are the footnotes of an answer; "" without citations.
func sources(cited []agent.Citation) string {
	if len(cited) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(sourcesHead)
	for _, c := range cited {
		when := "undated"
		if c.Time != nil {
			when = c.Time.UTC().Format(time.DateOnly)
		}
		fmt.Fprintf(&b, "\n- [%d] %s, %s (turn %s)", c.N, when, literally.Replace(cleantext.Line(c.Title)), c.TurnID)
	}
	return b.String()
}

// literally keeps a title, which anybody may have written, from being anything but words to a renderer of Markdown: no image, no link, no tag.
var literally = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "[", `\[`, "]", `\]`, "!", `\!`, "<", `\<`, ">", `\>`, "|", `\|`, "$", `\$`, "&", `\&`,
)

// withoutSources takes the footnotes off an answer that a client sends back.
func withoutSources(answer string) string {
	if at := strings.LastIndex(answer, sourcesHead); at >= 0 {
		return answer[:at]
	}
	return answer
}

// openAIError is a problem as OpenAI has it, with the id that is in the log.
type openAIError struct {
	Error openAIFailure `json:"error"`
}

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
	return openAIError{openAIFailure{Message: f.Message, Type: kind, Code: f.Code, TraceID: f.TraceID}}
}
