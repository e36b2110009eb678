// Package retrieval answers what comes near a text, and when. It is the engine's face: the explorer, the command line and the
// servers ask it, and it asks a Source. Ranking is pure and lives in rank, bins live in timebin; so every backend answers alike.
//
// The rules are:
//
//   - Filters act inside the search: a narrow window returns the best top_k of that window.
//   - A histogram counts all of the top_k, a list shows the first few of them.
//   - A mode that was asked for by name and cannot be had is an error; where Auto or Hybrid must do with less, a Notice says so.
//   - What depends on the query alone (its vector, its keyword scores) is remembered, so that zooming costs a selection.
package retrieval

import (
	"context"
	"sync"

	"lens/store"
)

// Engine answers questions about one archive. It is safe for concurrent use.
type Engine struct {
	source      Source
	embedders   *embedders
	searching   semaphore
	postings    postingCache
	scores      scoreCache
	noiseFloors noiseCache
	titles      titleCache

	mu     sync.Mutex
	latest *snapshot
}

// New returns an engine over source. embedder may be nil: then everything works in keyword mode and says so.
func New(source Source, embedder Embedder) *Engine {
	return &Engine{source: source, embedders: newEmbedders(embedder)}
}

// Limit has at most n peeks searched at the same time, in the order in which they came; what embeds their queries is not waited for in the
// line. It is for sources that search in this process: with as many searches as processors each is done soonest, and none is overtaken by
// later ones. To be called before the engine is used.
func (e *Engine) Limit(n int) { e.searching = make(semaphore, n) }

// maxRetries is how often a read is begun anew because the archive changed under it.
const maxRetries = 3

// readConsistently runs read with the archive as of now, and again when it failed to find what a writer has taken away meanwhile.
func (e *Engine) readConsistently(ctx context.Context, read func(a *snapshot) error) error {
	for race := 0; ; race++ {
		a, err := e.snapshot(ctx)
		if err != nil {
			return err
		}
		err = read(a)
		if store.CodeOf(err) != store.CodeNotFound || race == maxRetries {
			return err
		}
		now, catalogErr := e.source.Catalog(ctx)
		if catalogErr != nil || now.Version == a.Version {
			return err
		}
	}
}
