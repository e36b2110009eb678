package agent

import (
	"context"
	_ "embed"
	"strings"
	"text/template"
)

//go:embed summarize.md
var summarizeText string

var summarizePrompt = template.Must(template.New("summarize").Parse(summarizeText))

// Limits of a summary: tokens of the exchange that the model is sent, and characters of what may be kept.
const (
	maxExchangeTokens = 12_000
	maxSummaryRunes   = 2_000
)

// Summarize has m say an exchange in a few sentences. Errors are the model's; an answer that is cut short or refused, is empty or
// is far too long is unavailable and wraps ErrNoSummary: half a summary is none.
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
		return "", &Error{
			Code: "unavailable", Op: "agent: summarize", Message: "the model gave no summary that could be kept", Hint: "run this again, or use another model", Err: ErrNoSummary,
		}
	}
	return summary, nil
}

// SummaryPrompt is what Summarize sends: for estimates.
func SummaryPrompt(m Model, user, assistant string) Prompt {
	c := &conversation{model: m, marker: newMarker()}
	var system strings.Builder
	if err := summarizePrompt.Execute(&system, struct{ Marker string }{c.marker}); err != nil {
		panic("agent: summarize.md: " + err.Error()) // only what is compiled in can make it fail
	}
	exchange := "User: " + c.cut(user, maxExchangeTokens/3) + "\nAssistant: " + c.cut(assistant, maxExchangeTokens*2/3)
	return Prompt{Messages: []Message{{Role: System, Text: system.String()}, {Role: User, Text: c.fenced(exchange)}}}
}
