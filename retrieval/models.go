package retrieval

import "context"

// Models returns the models that answered turns of the archive, sorted: what the filter by model can find.
func (e *Engine) Models(ctx context.Context) ([]string, error) { return e.source.Models(ctx) }
