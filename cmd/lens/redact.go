package main

import (
	"context"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode"

	"lens/agent"
	"lens/retrieval"
	"lens/retrieval/query"
	tui "lens/tui/app"
)

// redactor holds the texts that the user typed while Lens ran. They never reach the log, even inside an error.
type redactor struct {
	mu    sync.Mutex
	texts []string // the latest last
}

// maxRedacted is how many texts are remembered: while the user types, every few letters start a search.
const maxRedacted = 500

func (r *redactor) hide(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if text != "" && !slices.Contains(r.texts, text) {
		r.texts = append(r.texts, text)
		r.texts = r.texts[max(0, len(r.texts)-maxRedacted):]
	}
}

// all returns the hidden texts and their words, the longest first.
func (r *redactor) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return withWords(r.texts)
}

// withWords returns texts and their words, as typed and in lower case, as a search uses them. The longest come first,
// so that no text is redacted only in part.
func withWords(texts []string) []string {
	var all []string
	for _, text := range texts {
		for _, part := range append(strings.FieldsFunc(text, notOfWord), text) {
			all = append(all, part, strings.ToLower(part))
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(all)
}

func notOfWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }

// redactedEngine hides the queries of the explorer.
type redactedEngine struct {
	tui.Engine
	*redactor
}

// hideQuery hides what a query says.
func (r *redactor) hideQuery(q query.Query) {
	for _, text := range append(slices.Concat(q.Phrases, q.Without, q.Filter.Strings()), q.Text) {
		r.hide(text)
	}
}

func (e redactedEngine) Peek(ctx context.Context, q query.Query) (*retrieval.Peek, error) {
	e.hideQuery(q)
	return e.Engine.Peek(ctx, q)
}

func (e redactedEngine) Browse(
	ctx context.Context, q query.Query, opts retrieval.BrowseOptions,
) (*retrieval.BrowseResult, error) {
	e.hideQuery(q)
	return e.Engine.Browse(ctx, q, opts)
}

func (e redactedEngine) Suggest(ctx context.Context, text string) (string, error) {
	e.hide(text)
	return e.Engine.Suggest(ctx, text)
}

// hiding returns a chat that hides its questions.
func (r *redactor) hiding(chat tui.Chat) tui.Chat {
	if chat.Investigator != nil {
		chat.Investigator = redactedInvestigator{chat.Investigator, r}
	}
	return chat
}

// redactedInvestigator hides the questions to the chat model.
type redactedInvestigator struct {
	of interface {
		Investigate(ctx context.Context, messages []agent.Message) iter.Seq2[agent.Event, error]
	}
	*redactor
}

func (i redactedInvestigator) Investigate(
	ctx context.Context, messages []agent.Message,
) iter.Seq2[agent.Event, error] {
	for _, m := range messages {
		if m.Role == agent.User {
			i.hide(m.Text)
		}
	}
	return i.of.Investigate(ctx, messages)
}
