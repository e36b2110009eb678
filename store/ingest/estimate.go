package ingest

import (
	"context"
	"iter"
	"time"

	"lens/store"
)

// Counter estimates the cost of embedding texts. R is the type of the estimate.
type Counter[R any] interface {
	Estimate(ctx context.Context, texts iter.Seq2[string, error]) (R, error)
	Model() (provider, name string)
}

// Estimate counts the texts that Embed would send with the same options, each once, and sends nothing. turns is how
// many would get a vector.
func Estimate[R any](
	ctx context.Context, st store.Reader, counter Counter[R], opts EmbedOptions,
) (cost R, turns int, err error) {
	provider, name := counter.Model()
	gen, _, err := generationOf(ctx, st,
		store.Generation{Provider: provider, Model: name, Recipe: store.Recipe, Prefixes: opts.Prefixes})
	if err != nil {
		return cost, 0, err
	}
	total, err := st.CountPending(ctx, gen.ID, opts.Filter)
	if err != nil {
		return cost, 0, err
	}
	p := pendingTexts{
		st: st, gen: gen.ID, filter: opts.Filter, prefix: opts.Prefixes.Document, seen: make(map[store.Hash]struct{}),
		meter: meter{report: opts.Progress, started: time.Now(), now: Progress{Total: int64(total)}},
	}
	cost, err = counter.Estimate(ctx, p.each(ctx))
	p.meter.done()
	return cost, int(p.meter.now.Done), err
}

// pendingTexts are the texts to embed in a generation.
type pendingTexts struct {
	st     store.Reader
	gen    store.GenerationID // 0: a new one
	filter store.Filter
	prefix string // before each text
	seen   map[store.Hash]struct{}
	meter  meter // counts the turns
}

// each yields the texts, each once and without those that have a vector, with one page in memory at a time.
func (p *pendingTexts) each(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for after := store.Ord(0); ; {
			page, err := p.st.Pending(ctx, p.gen, p.filter, after, 512)
			if err != nil {
				yield("", err)
				return
			}
			if len(page) == 0 {
				return
			}
			after = page[len(page)-1].Ord
			texts, err := p.unseen(ctx, page)
			if err != nil {
				yield("", err)
				return
			}
			for _, text := range texts {
				if !yield(p.prefix+text, nil) {
					return
				}
			}
			p.meter.now.Done += int64(len(page))
			p.meter.tick()
		}
	}
}

// unseen returns the texts of turns that have no vector, without those that it has returned before.
func (p *pendingTexts) unseen(ctx context.Context, turns []store.Turn) (texts []string, err error) {
	var contents []store.Hash
	for i := range turns {
		text := turns[i].EmbeddedText()
		hash := store.ContentHash(text)
		if _, again := p.seen[hash]; !again {
			p.seen[hash] = struct{}{}
			texts, contents = append(texts, text), append(contents, hash)
		}
	}
	if p.gen == 0 {
		return texts, nil
	}
	vectors, err := p.st.VectorsOfTexts(ctx, p.gen, contents)
	if err != nil {
		return nil, err
	}
	missing := texts[:0]
	for i, text := range texts {
		if vectors[i] == nil {
			missing = append(missing, text)
		}
	}
	return missing, nil
}
