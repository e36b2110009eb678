package app

import (
	"context"
	"errors"
	"fmt"

	"lens/agent"
	"lens/cmd/internal/network"
	"lens/store"
	"lens/store/ingest"
)

// SummarizeReport is the report of Summarize.
type SummarizeReport = ingest.SummarizeReport

// SummarizeOptions says what to summarize. The zero value is usable.
type SummarizeOptions struct {
	Longer   int // a turn is long if its reply has more characters; 0: 4,000
	Limit    int // maximum number of turns; 0: all
	Progress func(Progress)
}

func (o SummarizeOptions) ingest() ingest.SummarizeOptions {
	return ingest.SummarizeOptions{Longer: o.Longer, Limit: o.Limit, Progress: o.Progress}
}

// SummaryEstimate is what Summarize would send.
type SummaryEstimate struct {
	Model  string `json:"model"`
	Server string `json:"server"` // host that receives texts; "" if they stay on this machine
	Turns  int    `json:"turns"`
	Tokens int    `json:"tokens"` // tokens sent; each summary adds up to about 150
}

// EstimateSummaries counts what Summarize would send, and sends nothing.
func (l *App) EstimateSummaries(ctx context.Context, opts SummarizeOptions) (SummaryEstimate, error) {
	model, err := l.ChatModel()
	if err != nil {
		return SummaryEstimate{}, err
	}
	st, err := l.Reading(ctx)
	if err != nil {
		return SummaryEstimate{}, err
	}
	e := SummaryEstimate{Model: model.Name()}
	if host := network.Hostname(l.cfg.Chat.URL()); !network.IsLoopback(host) {
		e.Server = host
	}
	_, err = ingest.Unsummarized(ctx, st, opts.ingest(), func(t *store.Turn) {
		if opts.Limit > 0 && e.Turns >= opts.Limit {
			return
		}
		e.Turns++
		for _, m := range agent.SummaryPrompt(model, t.UserText, t.AssistantText).Messages {
			e.Tokens += model.Tokens(m.Text)
		}
	})
	return e, err
}

// Summarize lets the chat model summarize the long turns that have no summary. The report is never nil.
func (l *App) Summarize(ctx context.Context, opts SummarizeOptions) (*SummarizeReport, error) {
	model, err := l.ChatModel()
	if err != nil {
		return new(SummarizeReport), err
	}
	if _, err := l.Reading(ctx); err != nil { // fail rather than create an empty archive
		return new(SummarizeReport), err
	}
	st, err := l.Writing(ctx)
	if err != nil {
		return new(SummarizeReport), err
	}
	return ingest.Summarize(ctx, st, summarizer{model}, opts.ingest())
}

// summarizer adapts a chat model to ingest.Summarizer.
type summarizer struct{ agent.Model }

// Summarize implements ingest.Summarizer.
func (s summarizer) Summarize(ctx context.Context, user, assistant string) (string, error) {
	summary, err := agent.Summarize(ctx, s.Model, user, assistant)
	if errors.Is(err, agent.ErrNoSummary) {
		err = fmt.Errorf("%w: %w", ingest.ErrNoSummary, err)
	}
	return summary, err
}
