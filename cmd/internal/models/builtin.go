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

// Estimate counts texts. If the model's speed has been measured, it also estimates tokens and time from the number of
// bytes, since counting tokens is slow itself.
func (b *lazyModel) Estimate(_ context.Context, texts iter.Seq2[string, error]) (embed.Estimate, error) {
	total, bytes := embed.Estimate{Priced: true}, 0
	for text, err := range texts {
		if err != nil {
			return embed.Estimate{}, err
		}
		total.Texts++
		bytes += len(text)
	}
	if speed, ok := b.folder.Speed(b.name); ok {
		turns := float64(bytes) / float64(speed.Bytes)
		total.Tokens = int(turns * float64(speed.Tokens))
		total.Time = time.Duration(turns / speed.Turns * float64(time.Second))
	}
	return total, nil
}
