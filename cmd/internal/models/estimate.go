package models

import (
	"context"
	"fmt"

	"lens/retrieval/embed"
	"lens/store"
	"lens/store/ingest"
)

// Estimate says what Run would do and cost.
type Estimate struct {
	embed.Estimate     // of the texts, each counted once
	Turns          int // that would get a vector
}

// Estimate estimates the cost of Run, and sends nothing. It reads and counts every text and reports progress, which may
// be nil. The time is known only for OpenAI and built-in models; a server on this machine costs
// nothing.
func (e *Embedding) Estimate(
	ctx context.Context, branches bool, progress func(ingest.Progress),
) (total Estimate, err error) {
	m, err := e.models.mustOpen()
	if err != nil {
		return total, err
	}
	st, err := e.archive.Reading(ctx)
	if err != nil {
		return total, err
	}
	opts, err := e.options(ctx, st, m, branches, progress)
	if err != nil {
		return total, err
	}
	return m.estimate(ctx, st, opts)
}

// estimate estimates the cost of an embedding run with m.
func (e *Embedder) estimate(
	ctx context.Context, st store.Reader, opts ingest.EmbedOptions,
) (total Estimate, err error) {
	total.Estimate, total.Turns, err = ingest.Estimate(ctx, st, e.client, opts)
	if !e.isOpenAI() && !e.Builtin() {
		total.Time = 0
	}
	if e.host() == "" {
		total.USD, total.Priced = 0, true
	}
	return total, err
}

// price words what an embedding run with m would send and cost.
func (e *Embedder) price(ctx context.Context, st store.Reader, opts ingest.EmbedOptions) (string, error) {
	total, err := e.estimate(ctx, st, opts)
	text := fmt.Sprintf("%d turns, about %d tokens, ", total.Turns, total.Tokens)
	switch {
	case !total.Priced:
		text += "price unknown"
	case total.USD == 0:
		text += "no cost"
	default:
		text += fmt.Sprintf("$%.2f", total.USD)
	}
	return text, err
}
