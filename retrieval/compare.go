package retrieval

import (
	"context"
	"time"

	"lens/retrieval/query"
)

// MaxCompared is how many queries Compare takes.
const MaxCompared = 10

// Compare runs one Peek per query over the same bins, which cover the matches and the occurrences of all. It takes 1 to
// 10 queries, each with its own filter. Errors: see Peek.
func (e *Engine) Compare(ctx context.Context, queries []query.Query) (*Comparison, error) {
	if len(queries) == 0 || len(queries) > MaxCompared {
		return nil, invalid("compare", "", "%d queries given, must be 1 to %d", len(queries), MaxCompared)
	}
	requests := make([]request, len(queries))
	for i, q := range queries {
		var err error
		if requests[i], err = newRequest(q); err != nil {
			return nil, err
		}
	}
	var c *Comparison
	err := e.readConsistently(ctx, func(a *snapshot) (err error) {
		c, err = e.compare(ctx, a, requests)
		return err
	})
	return c, err
}

func (e *Engine) compare(ctx context.Context, a *snapshot, requests []request) (*Comparison, error) {
	results := make([]*searchResult, len(requests))
	var shown dateRange
	for i, r := range requests {
		f, err := e.search(ctx, a, r)
		if err != nil {
			return nil, err
		}
		results[i], shown = f, shown.with(f.shown())
	}
	c := new(Comparison)
	c.Notice, c.LeftOut = noticesOf(results...)
	for _, f := range results {
		started := time.Now()
		p, err := e.buildPeek(ctx, f, shown)
		if err != nil {
			return nil, err
		}
		p.Timing.Total = p.Timing.Embed + p.Timing.Search + milliseconds(time.Since(started))
		c.Bin, c.Peeks = p.Histogram.Bin, append(c.Peeks, p)
	}
	return c, nil
}
