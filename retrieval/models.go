package retrieval

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"lens/store"
)

// What filters can find, for completion.

// Models returns the models that answered turns of the archive, sorted.
func (e *Engine) Models(ctx context.Context) ([]string, error) { return e.source.Models(ctx) }

// Tags returns the tags of the archive's documents and chunks, sorted.
func (e *Engine) Tags(ctx context.Context) ([]string, error) { return e.source.Tags(ctx) }

// Sources returns the services that the archive's conversations are from, that of most of them first. Errors: see Peek.
func (e *Engine) Sources(ctx context.Context) ([]string, error) {
	return e.origins(ctx, func(s store.Source) string { return string(s.Service()) })
}

// Kinds returns what the turns of the archive are, what most of its conversations have first. Errors: see Peek.
func (e *Engine) Kinds(ctx context.Context) ([]string, error) {
	return e.origins(ctx, func(s store.Source) string { return string(s.Kind()) })
}

// origins returns what name says of the sources of conversations, the most frequent first.
func (e *Engine) origins(ctx context.Context, name func(store.Source) string) ([]string, error) {
	a, err := e.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	count := map[string]int{}
	for _, source := range a.SourceOf {
		count[name(a.Sources[source])]++
	}
	return slices.SortedFunc(maps.Keys(count), func(x, y string) int {
		return cmp.Or(count[y]-count[x], cmp.Compare(x, y))
	}), nil
}

// CompleteTitle returns up to limit titles of conversations in which begun's words follow each other, the last of which
// may be the beginning of a longer one: first the titles that begin so, each group with the latest first. Without a
// word, it returns the latest titles. Errors: see Peek.
func (e *Engine) CompleteTitle(ctx context.Context, begun string, limit int) ([]string, error) {
	var found []string
	err := e.readConsistently(ctx, func(a *snapshot) error {
		t, err := e.titles.load(ctx, a)
		if err == nil {
			found = t.complete(a.Catalog, begun, limit)
		}
		return err
	})
	return found, err
}
