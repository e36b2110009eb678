// Package retrieval answers what comes near a text, and when. It is the engine behind every front end: the
// explorer, the command line and the servers call it, and it reads the archive through a Source. Ranking is pure
// and lives in package rank, time bins live in package timebin, so every backend gives the same answers.
//
// The rules are:
//
//   - Filters act inside the search: a narrow window returns the best top_k of that window.
//   - A histogram counts all of the top_k; a list shows the first few of them.
//   - A mode that was requested by name but is unavailable is an error. Where Auto or Hybrid falls back, a Notice
//     says why.
//   - What depends on the query alone (its vector, its keyword scores) is cached, so zooming only selects again.
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

// New returns an engine over source. Without an embedder (nil) every search runs in keyword mode and says so.
func New(source Source, embedder Embedder) *Engine {
	return &Engine{source: source, embedders: newEmbedders(embedder)}
}

// Limit caps concurrent searches at n, first come, first served. Embedding the query does not count against the
// limit. It is meant for sources that search in this process: with as many searches as processors each one finishes
// soonest. Call it before first use.
func (e *Engine) Limit(n int) { e.searching = make(semaphore, n) }

// maxRetries is how often a read is repeated because the archive changed meanwhile.
const maxRetries = 3

// readConsistently runs read with the current snapshot, and again with a newer one when read did not find something
// that a writer has removed meanwhile.
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
