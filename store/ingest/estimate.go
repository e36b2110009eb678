package ingest

import (
	"context"
	"iter"

	"lens/store"
)

// Counter estimates the cost of embedding texts. R is the type of the estimate.
type Counter[R any] interface {
	Estimate(ctx context.Context, texts iter.Seq2[string, error]) (R, error)
	Model() (provider, name string)
}

// Estimate counts the texts that Embed would send, and sends nothing. It counts a repeated text each time, so the
// result is an upper bound.
func Estimate[R any](ctx context.Context, st store.Reader, counter Counter[R], f store.Filter) (R, error) {
	provider, name := counter.Model()
	gen, _, err := generationOf(ctx, st, store.Generation{Provider: provider, Model: name, Recipe: store.Recipe})
	if err != nil {
		var none R
		return none, err
	}
	return counter.Estimate(ctx, pendingTexts(ctx, st, gen.ID, f))
}

// pendingTexts yields the texts to embed, with one page in memory at a time.
func pendingTexts(
	ctx context.Context, st store.Reader, gen store.GenerationID, f store.Filter,
) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for after := store.Ord(0); ; {
			page, err := st.Pending(ctx, gen, f, after, 512)
			if err != nil {
				yield("", err)
				return
			}
			for i := range page {
				if !yield(page[i].EmbeddedText(), nil) {
					return
				}
				after = page[i].Ord
			}
			if len(page) == 0 {
				return
			}
		}
	}
}
