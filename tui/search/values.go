package search

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/internal/lru"
	"lens/tui/async"
	"lens/tui/ui"
)

// Values has the values of filters that depend on the archive. See retrieval.Engine.
type Values interface {
	Sources(ctx context.Context) ([]string, error)
	Kinds(ctx context.Context) ([]string, error)
	Models(ctx context.Context) ([]string, error)
	Tags(ctx context.Context) ([]string, error)
	TopicNames(ctx context.Context) ([]string, error)
	CompleteTitle(ctx context.Context, begun string, limit int) ([]string, error)
}

// vocabulary asks for such values, and keeps them.
type vocabulary struct {
	ui     *ui.Context
	source Values // nil until the archive is open
	pause  time.Duration
	known  lru.Cache[valueKey, []string]
	asking async.Latest[valueKey]
}

// valueKey names values of the archive: its sources, kinds, models, tags and topics, or the titles that go on as one
// begins.
type valueKey struct{ filter, begun string }

// valuesMsg delivers values. An error leaves them unknown.
type valuesMsg struct {
	number int
	key    valueKey
	values []string
	err    error
}

func newVocabulary(c *ui.Context, pause time.Duration) vocabulary {
	return vocabulary{ui: c, pause: pause, known: lru.Cache[valueKey, []string]{Limit: 32}}
}

// valuesOf returns what to ask the archive for to complete a filter's value; false for nothing.
func valuesOf(filter, typed string) (valueKey, bool) {
	switch filter {
	case "source", "kind", "model", "tag", "topic":
		return valueKey{filter: filter}, true
	case "title":
		return valueKey{filter, unquoted(typed)}, true
	}
	return valueKey{}, false
}

// unquoted returns a typed value without the quotation mark that it begins with.
func unquoted(typed string) string { return strings.TrimLeft(typed, "\"“”„") }

// Requests asks for the values of the filter at the cursor.
func (b *Bar) Requests() tea.Cmd {
	c := b.completion()
	if c.filter == "" || c.chosen >= 0 {
		return nil
	}
	key, ok := valuesOf(c.filter, b.line.Text()[c.from:b.line.Cursor()])
	if !ok {
		return nil
	}
	return b.completer.vocabulary.request(key)
}

// request asks for values that are not known, after a pause, during which it can be superseded at no cost.
func (v *vocabulary) request(key valueKey) tea.Cmd {
	if _, known := v.known.Get(key); known || v.source == nil {
		return nil
	}
	ctx, number, ok := v.asking.Ask(v.ui.Ctx, key, v.ui.Now())
	if !ok {
		return nil
	}
	source, pause := v.source, v.pause
	return v.ui.Tasks.Command(func() tea.Msg {
		if !async.Wait(ctx, pause) {
			return nil
		}
		msg := valuesMsg{number: number, key: key}
		switch key.filter {
		case "source":
			msg.values, msg.err = source.Sources(ctx)
		case "kind":
			msg.values, msg.err = source.Kinds(ctx)
		case "model":
			msg.values, msg.err = source.Models(ctx)
		case "tag":
			msg.values, msg.err = source.Tags(ctx)
		case "topic":
			msg.values, msg.err = source.TopicNames(ctx)
		case "title":
			msg.values, msg.err = source.CompleteTitle(ctx, key.begun, mostCandidates)
		}
		if ctx.Err() != nil {
			return nil
		}
		return msg
	})
}

func (v *vocabulary) handle(msg valuesMsg) {
	if !v.asking.Accept(msg.number) || msg.err != nil {
		return
	}
	for i := range msg.values {
		msg.values[i] = ui.Line(msg.values[i])
	}
	v.known.Put(msg.key, msg.values)
}
