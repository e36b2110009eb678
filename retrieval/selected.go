package retrieval

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"lens/retrieval/query"
)

// Selection is what Peek counts for a query.
type Selection struct {
	IDs      []uuid.UUID // of turns, in order of time, the undated last
	Notice   string      // this, and the rest, as Peek has it
	LeftOut  string
	Coverage Coverage
}

// Selected returns the turns that Peek counts for q: the top_k with words or a turn to resemble, else all that pass.
// Errors: see Peek.
func (e *Engine) Selected(ctx context.Context, q query.Query) (Selection, error) {
	var selected Selection
	err := e.searchFor(ctx, q, func(f *searchResult) error {
		rows := make([]int32, len(f.hits))
		for i, h := range f.hits {
			rows[i] = h.Row
		}
		slices.Sort(rows)
		selected = Selection{make([]uuid.UUID, len(rows)), f.notice(), f.leftOut(), f.coverage()}
		for i, row := range rows {
			selected.IDs[i] = f.ID[row]
		}
		return nil
	})
	return selected, err
}
