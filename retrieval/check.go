package retrieval

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"lens/store"
)

// textsPerRead is how many texts are read at a time.
const textsPerRead = 128

// check returns the rows whose texts pass, in their order. pass is called for several turns at once, in any order, and
// must not keep the texts. Errors: not_found when a turn is gone, see readConsistently.
func (e *Engine) check(
	ctx context.Context, a *snapshot, rows []int32, pass func(user, assistant string) bool,
) ([]int32, error) {
	order := make([]int32, len(rows)) // by ordinal, which is how stores keep turns
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(x, y int32) int { return cmp.Compare(a.Ord[rows[x]], a.Ord[rows[y]]) })
	passed := make([]bool, len(rows))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for page := range slices.Chunk(order, textsPerRead) {
		if groupCtx.Err() != nil {
			break
		}
		group.Go(func() error {
			turns := make([]int32, len(page))
			for i, at := range page {
				turns[i] = rows[at]
			}
			return e.eachText(groupCtx, a, turns, func(i int, user, assistant string) {
				passed[page[i]] = pass(user, assistant)
			})
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var left []int32
	for i, row := range rows {
		if passed[i] {
			left = append(left, row)
		}
	}
	return left, nil
}

// eachText calls see with the texts of rows.
func (e *Engine) eachText(
	ctx context.Context, a *snapshot, rows []int32, see func(i int, user, assistant string),
) error {
	if source, ok := e.source.(store.TextReader); ok {
		ords := make([]store.Ord, len(rows))
		for i, row := range rows {
			ords[i] = a.Ord[row]
		}
		return source.EachText(ctx, ords, see)
	}
	ids := make([]uuid.UUID, len(rows))
	for i, row := range rows {
		ids[i] = a.ID[row]
	}
	turns, err := e.source.Turns(ctx, ids)
	for i := range turns {
		see(i, turns[i].UserText, turns[i].AssistantText)
	}
	return err
}
