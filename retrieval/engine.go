// Package retrieval finds the turns nearest to a text, and when they happened. It is the engine behind every front
// end: the explorer, the command line and the servers call it, and it reads the archive through a Source. Ranking is
// pure and lives in package rank, time bins live in package timebin, so every backend gives the same answers.
//
// The rules are:
//
//   - Filters act inside the search: a narrow window returns the best top_k of that window.
//   - A histogram counts all of the top_k; a list shows the first few of them.
//   - A mode that was requested by name but is unavailable is an error. Where Auto or Hybrid falls back, a Notice
//     says why.
//   - What depends on the query alone (its vector, its keyword scores) is cached, so zooming does not search again.
package retrieval

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"

	"lens/internal/errs"
)

// Engine answers questions about one archive. It is safe for concurrent use.
type Engine struct {
	source      Source
	embedders   *embedders
	searchSlots *semaphore.Weighted // nil: no limit
	words       *wordIndex
	vectors     *vectorIndex
	titles      *titleIndex
	topics      *topicIndex
	filter      *rowFilter
	revisionOf  RevisionOf

	mu     sync.Mutex
	latest *snapshot
}

// New returns an engine over source. Without an embedder (nil) every search runs in keyword mode and says so.
func New(source Source, embedder Embedder) *Engine {
	words, vectors, titles := newWordIndex(source), &vectorIndex{source: source}, &titleIndex{source: source}
	about := &topicIndex{source: source, making: semaphore.NewWeighted(1)}
	return &Engine{
		source: source, embedders: newEmbedders(embedder), words: words, vectors: vectors, titles: titles, topics: about,
		filter: &rowFilter{
			source: source, words: words, vectors: vectors, titles: titles, topics: about, texts: &turnTexts{source: source},
		},
	}
}

// Limit caps concurrent searches at n, first come, first served. Embedding the query does not count against the
// limit. For sources that search in this process: with one search per processor, each finishes soonest. Call it
// before first use.
func (e *Engine) Limit(n int) { e.searchSlots = semaphore.NewWeighted(int64(n)) }

// NameRevisions makes the results of Retrieve name the revisions of models. Call it before first use.
func (e *Engine) NameRevisions(of RevisionOf) { e.revisionOf = of }

// maxRetries is how many times a read is retried after the archive changed.
const maxRetries = 3

// readConsistently runs read with the current snapshot, and retries with a newer one if read fails with not_found
// because a writer removed something.
func (e *Engine) readConsistently(ctx context.Context, read func(a *snapshot) error) error {
	for attempt := 0; ; attempt++ {
		a, err := e.snapshot(ctx)
		if err != nil {
			return err
		}
		err = read(a)
		if errs.CodeOf(err) != errs.NotFound || attempt == maxRetries {
			return err
		}
		latest, catalogErr := e.source.Catalog(ctx)
		if catalogErr != nil || latest.Version == a.Version {
			return err
		}
	}
}
