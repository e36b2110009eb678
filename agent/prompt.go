package agent

import (
	_ "embed"
	"strings"
	"text/template"
	"time"
)

var (
	//go:embed prompt.md
	promptText string

	//go:embed one_pass.md
	onePassText string

	promptTemplate  = template.Must(template.New("prompt.md").Parse(promptText))
	onePassTemplate = template.Must(template.New("one_pass.md").Parse(onePassText))
)

// systemPrompt renders prompt.md for this run.
func systemPrompt(req Request, marker string) string { return render(promptTemplate, req, marker) }

// onePassPrompt renders one_pass.md for this run: all that a model without tools needs to know, and short enough for a
// small context.
func onePassPrompt(req Request, marker string) string { return render(onePassTemplate, req, marker) }

func render(prompt *template.Template, req Request, marker string) string {
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
		panic("agent: " + prompt.Name() + ": " + err.Error()) // the embedded template is broken
	}
	return text.String()
}
