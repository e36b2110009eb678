package models

import (
	"context"

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
	opts := ingest.EmbedOptions{Filter: store.Filter{AllBranches: branches}, Progress: progress}
	total.Estimate, total.Turns, err = ingest.Estimate(ctx, st, m.client, opts)
	if !m.isOpenAI() && !m.Builtin() {
		total.Time = 0
	}
	if m.host() == "" {
		total.USD, total.Priced = 0, true
	}
	return total, err
}
