package offline

import (
	"context"
	"crypto/rand"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"lens/agent"
	"lens/retrieval/offline"
)

//go:embed writer.md
var writerPrompt string

const (
	writeTime   = time.Minute
	writeTokens = 4096 // of the answer, with the model's thoughts
	sourceBytes = 6000 // of each side of a source that are sent to the model
)

// modelWriter lets a chat model on loopback write an answer. The citation filter removes citations of turns that the
// model has not read.
type modelWriter struct{ model agent.Model }

// Write implements offline.Writer.
func (w *modelWriter) Write(
	ctx context.Context, prompt string, sources []offline.Source,
) (text string, cited []int, err error) {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	turns := make([]*agent.Turn, len(sources))
	for i, s := range sources {
		turns[i] = &agent.Turn{ID: s.ID, Title: s.Title, Time: s.Citation.Modified, User: s.User, Assistant: s.Assistant}
	}
	marker := rand.Text()
	asked := agent.Prompt{Answer: true, MaxTokens: writeTokens, Messages: []agent.Message{
		{Role: agent.System, Text: strings.ReplaceAll(writerPrompt, "{{.}}", marker)},
		{Role: agent.User, Text: fenced(sources, marker) + "\n\nQuestion: " + prompt},
	}}
	finished := false
	for delta, err := range w.model.Stream(ctx, asked) {
		if err != nil {
			return "", nil, err
		}
		text += delta.Text
		finished = finished || delta.Finish == agent.Stop
	}
	if !finished {
		return "", nil, agent.ErrBroken
	}
	text, verdict := agent.FilterAnswer(strings.TrimSpace(text), turns)
	return text, verdict.Cited, nil
}

// fenced puts the sources between random markers, which no source can contain.
func fenced(sources []offline.Source, marker string) string {
	var b strings.Builder
	for i, s := range sources {
		fmt.Fprintf(&b, "[%d] %s\n<<%s\n%s\n\n%s\n%s>>\n\n",
			i+1, s.Citation, marker, beginning(s.User), beginning(s.Assistant), marker)
	}
	return b.String()
}

func beginning(text string) string {
	if len(text) <= sourceBytes {
		return text
	}
	return strings.ToValidUTF8(text[:sourceBytes], "") + " […]"
}
