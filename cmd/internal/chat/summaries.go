package chat

import (
	"context"
	"errors"
	"fmt"

	"lens/agent"
	"lens/store"
	"lens/store/ingest"
)

// Summaries lets the chat model summarize the long turns of an archive.
type Summaries struct {
	model   *Model
	archive Archive
}

// Archive opens an archive: for reading, which fails with not_found if there is none, or for writing.
type Archive interface {
	Reading(ctx context.Context) (store.Store, error)
	Writing(ctx context.Context) (store.Store, error)
}

// NewSummaries returns the summaries of an archive. It opens nothing.
func NewSummaries(m *Model, a Archive) *Summaries { return &Summaries{m, a} }

// The types of summaries that front ends need.
type (
	SummarizeOptions = ingest.SummarizeOptions
	SummarizeReport  = ingest.SummarizeReport
)

// SummaryEstimate is what Run would send.
type SummaryEstimate struct {
	Model  string `json:"model"`
	Server string `json:"server"` // host that receives texts; "" if they stay on this machine
	Turns  int    `json:"turns"`
	Tokens int    `json:"tokens"` // tokens sent; each summary adds up to about 150
}

// Estimate counts what Run would send, and sends nothing.
func (s *Summaries) Estimate(ctx context.Context, opts SummarizeOptions) (SummaryEstimate, error) {
	model, err := s.model.Open()
	if err != nil {
		return SummaryEstimate{}, err
	}
	st, err := s.archive.Reading(ctx)
	if err != nil {
		return SummaryEstimate{}, err
	}
	e := SummaryEstimate{Model: model.Name()}
	if host, local := s.model.Host(); !local {
		e.Server = host
	}
	_, err = ingest.Unsummarized(ctx, st, opts, func(t *store.Turn) {
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

// Run summarizes the long turns that have no summary. The report is never nil.
func (s *Summaries) Run(ctx context.Context, opts SummarizeOptions) (*SummarizeReport, error) {
	model, err := s.model.Open()
	if err != nil {
		return new(SummarizeReport), err
	}
	if _, err := s.archive.Reading(ctx); err != nil { // fail rather than create an empty archive
		return new(SummarizeReport), err
	}
	st, err := s.archive.Writing(ctx)
	if err != nil {
		return new(SummarizeReport), err
	}
	return ingest.Summarize(ctx, st, summarizer{model}, opts)
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
