package boot

import (
	"context"
	"iter"
	"sync"
	"time"

	"lens/retrieval/embed"
	"lens/retrieval/embed/local"
	"lens/retrieval/embed/models"
)

// builtin is a model of the models' folder. It is opened when a vector is first needed: most verbs need none.
type builtin struct {
	folder models.Folder
	name   string

	mu     sync.Mutex
	opened *local.Model
}

func (b *builtin) open() (*local.Model, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.opened != nil {
		return b.opened, nil
	}
	var err error
	b.opened, err = b.folder.Open(b.name)
	return b.opened, err
}

func (b *builtin) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.opened == nil {
		return nil
	}
	err := b.opened.Close()
	b.opened = nil
	return err
}

// Model is that of local.Model.
func (b *builtin) Model() (provider, name string) { return builtinProvider, b.name }

const builtinProvider = "local"

// EmbedQuery opens the model where needed.
func (b *builtin) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	m, err := b.open()
	if err != nil {
		return nil, err
	}
	return m.EmbedQuery(ctx, text)
}

// Embed opens the model where needed.
func (b *builtin) Embed(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	m, err := b.open()
	if err != nil {
		return make([]embed.Embedding, len(texts)), err
	}
	return m.Embed(ctx, texts)
}

// Estimate counts texts. Where the model's speed has been measured it says about how many tokens they have and how long they take, going by
// their bytes: to count tokens takes long itself.
func (b *builtin) Estimate(_ context.Context, texts iter.Seq2[string, error]) (embed.Estimate, error) {
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
