package retrieval

import "context"

// What filters can find, for completion.

// Models returns the models that answered turns of the archive, sorted.
func (e *Engine) Models(ctx context.Context) ([]string, error) { return e.source.Models(ctx) }

// Tags returns the tags of the archive's documents and chunks, sorted.
func (e *Engine) Tags(ctx context.Context) ([]string, error) { return e.source.Tags(ctx) }

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
