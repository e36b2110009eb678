package models

import (
	"context"
	"iter"

	"lens/retrieval/embed"
	"lens/store"
	"lens/store/ingest"
)

// Estimate estimates the cost of Run, and sends nothing. It reads and counts every text and reports progress, which may
// be nil. The time is known only for OpenAI and built-in models; a server on this machine costs
// nothing.
func (e *Embedding) Estimate(
	ctx context.Context, branches bool, progress func(ingest.Progress),
) (embed.Estimate, error) {
	coverage, err := e.Coverage(ctx, branches)
	if err != nil {
		return embed.Estimate{}, err
	}
	m, err := e.models.mustOpen()
	if err != nil {
		return embed.Estimate{}, err
	}
	st, err := e.archive.Reading(ctx)
	if err != nil {
		return embed.Estimate{}, err
	}
	counter := progressCounter{client: m, total: int64(coverage.Pending), progress: progress}
	total, err := ingest.Estimate(ctx, st, counter, store.Filter{AllBranches: branches})
	if !m.isOpenAI() && !m.Builtin() {
		total.Time = 0
	}
	if m.host() == "" {
		total.USD, total.Priced = 0, true
	}
	return total, err
}

// progressCounter is a model that reports how many texts it has counted.
type progressCounter struct {
	client
	total    int64
	progress func(ingest.Progress) // may be nil
}

// Estimate reports progress at the first text and then every 256 texts.
func (c progressCounter) Estimate(ctx context.Context, texts iter.Seq2[string, error]) (embed.Estimate, error) {
	if c.progress == nil {
		return c.client.Estimate(ctx, texts)
	}
	return c.client.Estimate(ctx, func(yield func(string, error) bool) {
		now := ingest.Progress{Total: c.total}
		for text, err := range texts {
			if now.Done%256 == 0 {
				c.progress(now)
			}
			if !yield(text, err) {
				return
			}
			now.Done++
		}
	})
}
