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
	"lens/tui"
)

// private is what a person typed while Lens ran. The log never gets it, whatever error brings it in.
type private struct {
	mu    sync.Mutex
	texts []string // the latest last
}

// mostPrivate is how many texts are remembered: who types fast searches for every few letters.
const mostPrivate = 500

func (p *private) hide(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if text != "" && !slices.Contains(p.texts, text) {
		p.texts = append(p.texts, text)
		p.texts = p.texts[max(0, len(p.texts)-mostPrivate):]
	}
}

// all returns what is hidden, the longest first.
func (p *private) all() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return withWords(p.texts)
}

// withWords returns texts and the words in them, as they were typed and in lower case, as a search takes them; the longest first, so that
// none is hidden in part.
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

// hidingEngine hides what the explorer is asked.
type hidingEngine struct {
	tui.Engine
	*private
}

func (e hidingEngine) Peek(ctx context.Context, query string, opts retrieval.PeekOptions) (*retrieval.Peek, error) {
	e.hide(query)
	return e.Engine.Peek(ctx, query, opts)
}

func (e hidingEngine) Suggest(ctx context.Context, query string) (string, error) {
	e.hide(query)
	return e.Engine.Suggest(ctx, query)
}

// hiding returns a chat whose questions are hidden.
func (p *private) hiding(chat tui.Chat) tui.Chat {
	if investigate := chat.Investigate; investigate != nil {
		chat.Investigate = func(ctx context.Context, messages []agent.Message) iter.Seq2[agent.Event, error] {
			for _, m := range messages {
				if m.Role == agent.User {
					p.hide(m.Text)
				}
			}
			return investigate(ctx, messages)
		}
	}
	return chat
}
