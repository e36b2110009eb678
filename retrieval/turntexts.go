package retrieval

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"lens/internal/lru"
	"lens/retrieval/rank"
	"lens/store"
)

// turnTexts reads the texts of turns, and remembers which of them have what a rule is about.
type turnTexts struct {
	source   Source
	verdicts lru.Cache[versioned, *verdicts]
}

// verdicts are the rows that were checked for a rule, and those that have what it is about.
type verdicts struct {
	mu         sync.Mutex
	known, has rank.Rows
}

// having returns those of rows whose texts have what a rule is about. Texts that were read for the same version of the
// archive are not read again.
func (t *turnTexts) having(ctx context.Context, a *snapshot, rule textRule, rows []int32) ([]int32, error) {
	key := versioned{a.Version, rule.key}
	v, known := t.verdicts.Get(key)
	if !known {
		v = t.verdicts.Add(key, &verdicts{known: rank.NewRows(a.Len()), has: rank.NewRows(a.Len())})
	}
	unread := v.unknown(rows)
	found, err := t.check(ctx, a, unread, rule.has)
	if err != nil {
		return nil, err
	}
	return v.learn(unread, found, rows), nil
}

func (v *verdicts) unknown(rows []int32) (unknown []int32) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, row := range rows {
		if !v.known.Has(row) {
			unknown = append(unknown, row)
		}
	}
	return unknown
}

// learn notes which of the checked rows were found, and returns those of rows that have it.
func (v *verdicts) learn(checked, found, rows []int32) (having []int32) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, row := range checked {
		v.known.Add(row)
	}
	for _, row := range found {
		v.has.Add(row)
	}
	for _, row := range rows {
		if v.has.Has(row) {
			having = append(having, row)
		}
	}
	return having
}

// textsPerRead is how many texts are read at a time.
const textsPerRead = 128

// check returns the rows whose texts pass, in their order. pass is called for several turns at once, in any order, and
// must not keep the texts. Errors: not_found when a turn is gone, see readConsistently.
func (t *turnTexts) check(
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
			return t.each(groupCtx, a, turns, func(i int, user, assistant string) {
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

// each calls see with the texts of rows.
func (t *turnTexts) each(
	ctx context.Context, a *snapshot, rows []int32, see func(i int, user, assistant string),
) error {
	if source, ok := t.source.(store.TextReader); ok {
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
	turns, err := t.source.Turns(ctx, ids)
	for i := range turns {
		see(i, turns[i].UserText, turns[i].AssistantText)
	}
	return err
}
