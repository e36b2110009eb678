package agent

import (
	"context"
	_ "embed"
	"strings"
	"text/template"

	"lens/internal/errs"
)

//go:embed summarize.md
var summarizeText string

var summarizePrompt = template.Must(template.New("summarize").Parse(summarizeText))

// Limits of a summary: tokens of the exchange that is sent, tokens of the reply with its thoughts, and characters of
// the result.
const (
	maxExchangeTokens = 12_000
	maxSummaryTokens  = 4_096
	maxSummaryRunes   = 2_000
)

// Summarize asks m for a summary of an exchange in a few sentences. Errors are the model's. An answer that is
// cut short, filtered, empty or far too long is unavailable and wraps ErrNoSummary.
func Summarize(ctx context.Context, m Model, user, assistant string) (string, error) {
	var text strings.Builder
	var finish Finish
	for d, err := range m.Stream(ctx, SummaryPrompt(m, user, assistant)) {
		if err != nil {
			return "", err
		}
		if d.DiscardText {
			text.Reset()
		}
		text.WriteString(d.Text)
		finish = d.Finish
	}
	summary := strings.TrimSpace(text.String())
	if finish != Stop || summary == "" || len([]rune(summary)) > maxSummaryRunes {
		return "", &errs.Error{
			Code: errs.Unavailable, Op: "agent: summarize", Message: "the model returned no usable summary",
			Hint: "run this again, or use another model", Err: ErrNoSummary,
		}
	}
	return summary, nil
}

// SummaryPrompt returns the prompt that Summarize sends; estimates use it too.
func SummaryPrompt(m Model, user, assistant string) Prompt {
	c := &conversation{model: m, marker: newMarker()}
	var system strings.Builder
	if err := summarizePrompt.Execute(&system, struct{ Marker string }{c.marker}); err != nil {
		panic("agent: summarize.md: " + err.Error()) // the embedded template is broken
	}
	exchange := "User: " + c.cut(user, maxExchangeTokens/3) + "\nAssistant: " + c.cut(assistant, maxExchangeTokens*2/3)
	return Prompt{
		Messages:  []Message{{Role: System, Text: system.String()}, {Role: User, Text: c.fenced(exchange)}},
		MaxTokens: maxSummaryTokens,
	}
}
