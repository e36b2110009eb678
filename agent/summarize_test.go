package agent

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestSummarize(t *testing.T) {
	for _, c := range []struct {
		name    string
		message fakeMessage
		want    string
		alone   bool // the summary fails, not the model
	}{
		{"complete", fakeMessage{text: " They asked, it answered.\n"}, "They asked, it answered.", false},
		{"cut short", fakeMessage{text: "They", finish: Length}, "", true},
		{"filtered", fakeMessage{finish: "content_filter"}, "", true},
		{"empty", fakeMessage{text: "  "}, "", true},
		{"too long", fakeMessage{text: strings.Repeat("x", maxSummaryRunes+1)}, "", true},
		{"interrupted", fakeMessage{text: "They", err: ErrBroken}, "", false},
	} {
		got, err := Summarize(context.Background(), &fakeModel{messages: []fakeMessage{c.message}}, "u", "a")
		if got != c.want || (err == nil) != (c.want != "") || c.message.err != nil && !errors.Is(err, c.message.err) || errors.Is(err, ErrNoSummary) != c.alone {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}

func TestSummaryPrompt_LongExchange(t *testing.T) {
	m := &fakeModel{}
	p := SummaryPrompt(m, "a question", strings.Repeat("long ", 50_000))
	said := p.Messages[1].Text
	if len(p.Tools) > 0 || !strings.HasPrefix(said, "<archive-") || !strings.Contains(said, "a question") || m.Tokens(said) > maxExchangeTokens+100 || p.MaxTokens == 0 {
		t.Errorf("%d tokens: %.80s", m.Tokens(said), said)
	}
}
