package retrieval

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"lens/retrieval/query"
)

// Selected returns the ids of the turns that Peek counts for q, in order of time, the undated last: the top_k with
// words or a turn to resemble, else all that pass. Errors: see Peek.
func (e *Engine) Selected(ctx context.Context, q query.Query) ([]uuid.UUID, error) {
	var ids []uuid.UUID
	err := e.searchFor(ctx, q, func(f *searchResult) error {
		rows := make([]int32, len(f.hits))
		for i, h := range f.hits {
			rows[i] = h.Row
		}
		slices.Sort(rows)
		ids = make([]uuid.UUID, len(rows))
		for i, row := range rows {
			ids[i] = f.ID[row]
		}
		return nil
	})
	return ids, err
}
