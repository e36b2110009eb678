package app

import (
	"context"
	"iter"
	"net/url"

	"lens/retrieval/embed"
	"lens/store"
	"lens/store/ingest"
)

// EstimateEmbedding estimates the cost of Embed, and sends nothing. It reads and counts every text and reports progress
// to tell, which may be nil. The time is known only for OpenAI and built-in models; a server on this machine costs
// nothing.
func (l *App) EstimateEmbedding(ctx context.Context, branches bool, tell func(Progress)) (Estimate, error) {
	standing, err := l.Standing(ctx, branches)
	if err != nil {
		return Estimate{}, err
	}
	m, err := l.mustHaveModel()
	if err != nil {
		return Estimate{}, err
	}
	st, err := l.reading(ctx)
	if err != nil {
		return Estimate{}, err
	}
	heard := audible{counter: m.counter, total: int64(standing.Pending), tell: tell}
	e, err := ingest.Estimate(ctx, st, heard, store.Filter{AllBranches: branches})
	if !m.isOpenAI() && !m.isBuiltin() {
		e.Time = 0
	}
	if m.host() == "" {
		e.USD, e.Priced = 0, true
	}
	return e, err
}

// isOpenAI reports whether texts go to OpenAI itself, not to another server with the same API.
func (m *model) isOpenAI() bool {
	theirs, err := url.Parse(openAI)
	return err == nil && m.host() == theirs.Host
}

// audible is a counter that reports progress.
type audible struct {
	counter
	total int64
	tell  func(Progress)
}

// Estimate reports progress at the first text and then every 256 texts.
func (a audible) Estimate(ctx context.Context, texts iter.Seq2[string, error]) (embed.Estimate, error) {
	if a.tell == nil {
		return a.counter.Estimate(ctx, texts)
	}
	return a.counter.Estimate(ctx, func(yield func(string, error) bool) {
		now := Progress{Total: a.total}
		for text, err := range texts {
			if now.Done%256 == 0 {
				a.tell(now)
			}
			if !yield(text, err) {
				return
			}
			now.Done++
		}
	})
}
