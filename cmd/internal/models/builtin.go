package models

import (
	"context"
	"iter"
	"sync"
	"time"

	"lens/retrieval/embed"
	"lens/retrieval/embed/local"
	"lens/retrieval/embed/models"
)

// lazyModel is a model in the models folder, opened when the first vector is needed: most verbs need none.
type lazyModel struct {
	folder models.Folder
	name   string
	budget time.Duration // for measuring a sample

	mu     sync.Mutex
	opened *local.Model
}

func (b *lazyModel) open() (*local.Model, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.opened != nil {
		return b.opened, nil
	}
	var err error
	b.opened, err = b.folder.Open(b.name)
	return b.opened, err
}

func (b *lazyModel) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.opened == nil {
		return nil
	}
	err := b.opened.Close()
	b.opened = nil
	return err
}

// Model implements embed.Embedder.
func (b *lazyModel) Model() (provider, name string) { return builtinProvider, b.name }

const builtinProvider = "local"

// EmbedQuery opens the model if needed.
func (b *lazyModel) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	m, err := b.open()
	if err != nil {
		return nil, err
	}
	return m.EmbedQuery(ctx, text)
}

// Embed opens the model if needed.
func (b *lazyModel) Embed(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	m, err := b.open()
	if err != nil {
		return make([]embed.Embedding, len(texts)), err
	}
	return m.Embed(ctx, texts)
}

// Estimate counts texts, and measures a sample of them for tokens and time: machines, and what else they do, differ
// more than models, and texts of code have twice the tokens of prose. If there are few texts, it embeds all of them.
func (b *lazyModel) Estimate(ctx context.Context, texts iter.Seq2[string, error]) (embed.Estimate, error) {
	total, pieces := embed.Estimate{Priced: true}, newSample()
	for text, err := range texts {
		if err != nil {
			return embed.Estimate{}, err
		}
		total.Texts++
		pieces.add(text)
	}
	if total.Texts == 0 {
		return total, nil
	}
	m, err := b.open()
	if err != nil {
		return embed.Estimate{}, err
	}
	perByte, err := pieces.measure(ctx, m, b.budget)
	if err != nil {
		return embed.Estimate{}, err
	}
	total.Tokens = int(perByte.tokens * float64(pieces.bytes))
	total.Time = time.Duration(perByte.nanoseconds * float64(pieces.bytes))
	return total, nil
}
