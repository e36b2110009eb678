package openai

import (
	"context"
	"iter"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"lens/retrieval/embed"
)

// Estimate counts what embedding texts would cost, on all cores and without sending anything. An error is ctx's or
// the first that texts yields.
func (e *Embedder) Estimate(ctx context.Context, texts iter.Seq2[string, error]) (embed.Estimate, error) {
	group, ctx := errgroup.WithContext(ctx)
	queue := make(chan string, 64)
	group.Go(func() error {
		defer close(queue)
		return feed(ctx, queue, texts)
	})
	sums := make([]embed.Estimate, runtime.GOMAXPROCS(0))
	for i := range sums {
		group.Go(func() error {
			for text := range queue {
				e.add(&sums[i], text)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return embed.Estimate{}, err
	}
	return e.total(sums), nil
}

func feed(ctx context.Context, queue chan<- string, texts iter.Seq2[string, error]) error {
	for text, err := range texts {
		if err != nil {
			return err
		}
		select {
		case queue <- text:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (e *Embedder) add(sum *embed.Estimate, text string) {
	if isEmpty(text) {
		return
	}
	it := e.prepare(0, text, e.opts.MaxTokens)
	sum.Texts++
	sum.Tokens += it.tokens
	if it.truncated {
		sum.Truncated++
	}
}

func (e *Embedder) total(sums []embed.Estimate) embed.Estimate {
	all := embed.Estimate{Exact: e.model.exact, Priced: e.model.usd > 0}
	for _, s := range sums {
		all.Texts += s.Texts
		all.Tokens += s.Tokens
		all.Truncated += s.Truncated
	}
	all.Requests = max(ceilDiv(all.Texts, e.opts.MaxInputs), ceilDiv(all.Tokens, maxRequestTokens))
	all.USD = float64(all.Tokens) / 1e6 * e.model.usd
	if rate := e.model.tokensPerMinute; rate > 0 {
		all.Time = time.Duration(float64(all.Tokens) / float64(rate) * float64(time.Minute))
	}
	return all
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
