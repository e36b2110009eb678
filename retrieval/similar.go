package retrieval

import (
	"context"
	"fmt"

	"lens/retrieval/query"
)

// maxSimilar is how many turns a least similarity lets through: the nearest.
const maxSimilar = 2000

// keepSimilar drops the rows that are less similar to the query than its filter demands.
func (r *rowFilter) keepSimilar(ctx context.Context, f *searchResult) error {
	least := f.asked.Filter.MinSimilarity
	if least == nil || f.plan.vector == nil || f.plan.mode == query.Keyword {
		return nil
	}
	near, err := r.vectors.nearest(ctx, f, maxSimilar)
	if err != nil {
		return err
	}
	var rows []int32
	for _, n := range near {
		if n.Similarity >= *least {
			rows = append(rows, n.Row)
		}
	}
	if len(rows) == maxSimilar {
		f.note(fmt.Sprintf("More turns are that similar: the nearest %d count.", maxSimilar))
	}
	f.keepOnly(rows)
	f.filter.Ords = f.ords()
	return nil
}
