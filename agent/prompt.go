package agent

import (
	_ "embed"
	"strings"
	"text/template"
	"time"
)

//go:embed prompt.md
var promptText string

var prompt = template.Must(template.New("prompt").Parse(promptText))

// systemPrompt renders prompt.md for this run.
func systemPrompt(req Request, marker string) string {
	now := req.Now
	if now.IsZero() {
		now = time.Now()
	}
	var text strings.Builder
	err := prompt.Execute(&text, struct {
		Today, Marker string
		Turns, Rounds int
	}{now.UTC().Format("Monday, 2006-01-02"), marker, req.Budget.Turns, req.Budget.Rounds})
	if err != nil {
		panic("agent: prompt.md: " + err.Error()) // the embedded template is broken
	}
	return text.String()
}
