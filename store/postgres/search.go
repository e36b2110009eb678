package postgres

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/pgvector/pgvector-go"
	"github.com/x448/float16"

	"lens/store"
)

const (
	// indexMinTurns is the number of eligible turns above which the vector index is used. Fewer are
	// compared one by one, which is exact and takes no longer. An archive of so few has no index.
	indexMinTurns = 10_000

	// selective is the divisor of all turns: fewer eligible turns than the quotient are compared one by
	// one, however many they are. The index would visit many times the vectors that it may return, and
	// miss some of those.
	selective = 10

	// minEffort and maxEffort bound hnsw.ef_search, the number of candidates that the index keeps.
	minEffort, maxEffort = 200, 1000
)

// search is one query for near vectors.
type search struct {
	query    []float32
	half     pgvector.HalfVector
	filter   store.Filter
	k        int
	indexMin int // see indexMinTurns

	sketchOf func(*view) *sketch // the sketch for a view; may return nil
}

func (s *Store) newSearch(query []float32, f store.Filter, k int) search {
	return search{
		query:    query,
		half:     pgvector.NewHalfVector(query),
		filter:   f,
		k:        k,
		indexMin: s.indexMin,
		sketchOf: s.sketchOf,
	}
}

// stepRunner runs steps in one transaction, as of the commit of the view that is searched.
type stepRunner func(steps ...step) error

// execute searches the archive of v. scope is the scope of q's filter. The number of eligible turns
// decides the method.
func (q search) execute(ctx context.Context, v *view, scope *store.Scope, run stepRunner) ([]store.Neighbor, error) {
	if err := v.check(q.query); err != nil || q.k <= 0 {
		return nil, err
	}
	n, all := countRows(scope), v.catalog.Len()
	if n > store.ExactWindow {
		found, err := q.bySigns(ctx, v, scope, run)
		if !errors.Is(err, errNoSketch) {
			return found, err
		}
	}
	switch {
	case n*selective < all || v.indexed && n <= q.indexMin:
		return q.fetchExact(v, run, func(limit int) ([]store.Neighbor, error) { return q.among(v, scope, limit, run) })
	case v.indexed:
		found, err := q.byIndex(v, scope, minEffort*all/n, run)
		if err != nil || len(found) == min(q.k, n) {
			return found, err
		}
	}
	return q.fetchExact(v, run, func(limit int) ([]store.Neighbor, error) { return q.scan(v, scope, limit, run) })
}

func countRows(scope *store.Scope) (n int) {
	for range scope.Rows() {
		n++
	}
	return n
}

// fetchExact returns the k best rows of fetch. It asks for more until no omitted row can be among
// them.
func (q search) fetchExact(
	v *view, run stepRunner, fetch func(limit int) ([]store.Neighbor, error),
) ([]store.Neighbor, error) {
	for limit := q.limit(); ; limit *= 2 {
		seen, err := fetch(limit)
		if err != nil {
			return nil, err
		}
		if contenders := q.contenders(seen); len(seen) < limit || len(contenders) < len(seen) {
			return q.best(v, contenders, run)
		}
	}
}

// limit is the number of requested rows: somewhat more than k, since the server's arithmetic orders
// them.
func (q search) limit() int { return q.k + q.k/8 + 16 }

// contenders returns those of seen that can be among the k best. seen has the server's order and
// similarities.
func (q search) contenders(seen []store.Neighbor) []store.Neighbor {
	if len(seen) <= q.k {
		return seen
	}
	threshold := seen[q.k-1].Similarity - 2*errorBound(q.query)
	return slices.DeleteFunc(slices.Clone(seen), func(n store.Neighbor) bool { return n.Similarity < threshold })
}

// best returns the k best of contenders in order, with their exact similarities.
func (q search) best(v *view, contenders []store.Neighbor, run stepRunner) ([]store.Neighbor, error) {
	ords := make([]store.Ord, len(contenders))
	for i, n := range contenders {
		ords[i] = n.Ord
	}
	similarities, err := v.similarities(q.query, ords, run)
	if err != nil {
		return nil, err
	}
	for i, similarity := range similarities {
		contenders[i].Similarity = similarity
	}
	return nearest(contenders, q.k), nil
}

// nearest returns the k best of found in order.
func nearest(found []store.Neighbor, k int) []store.Neighbor {
	slices.SortFunc(found, func(a, b store.Neighbor) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Ord, b.Ord))
	})
	return found[:min(k, len(found))]
}

// among compares the query with the vectors of scope, by tuple id where known, otherwise by turn id.
func (q search) among(v *view, scope *store.Scope, limit int, run stepRunner) ([]store.Neighbor, error) {
	known, unknown := v.tuples.split(v.catalog, scope)
	return q.amongTuples(v, scope, known, unknown, limit, run)
}

func (q search) amongTuples(
	v *view, scope *store.Scope, known pgtype.FlatArray[pgtype.TID], unknown []uuid.UUID, limit int, run stepRunner,
) ([]store.Neighbor, error) {
	found := make(map[uuid.UUID]seenTuple, len(unknown)+limit)
	err := run(tuneAmong(), step{
		sql: queries.Get("NearestAmong"), args: []any{q.half, v.gen, unknown, known, limit},
		scan: func(r row) error {
			found[r.id(0)] = seenTuple{r.tid(1), -r.float(2)}
			return nil
		},
	})
	if err != nil {
		return nil, err
	}
	return nearest(v.tuples.add(v.catalog, scope, found), limit), nil
}

// byIndex searches the vector index. The index continues while the filter leaves too few rows.
func (q search) byIndex(v *view, scope *store.Scope, effort int, run stepRunner) ([]store.Neighbor, error) {
	effort = min(max(effort, minEffort, q.limit()), maxEffort)
	tuned := func(steps ...step) error { return run(append([]step{tuneByIndex(effort)}, steps...)...) }
	seen, err := q.inScope(v, scope, q.limit(), func(limit int) ([]store.Neighbor, error) {
		return q.ranked(v.literal("NearestByIndex"), []any{q.half}, limit, tuned)
	})
	if err != nil {
		return nil, err
	}
	return q.best(v, q.contenders(seen), run)
}

// scan compares the query with all vectors. The server applies the filter.
func (q search) scan(v *view, scope *store.Scope, limit int, run stepRunner) ([]store.Neighbor, error) {
	return q.inScope(v, scope, limit, func(limit int) ([]store.Neighbor, error) {
		return q.ranked(queries.Get("NearestOfAll"), []any{q.half, v.gen}, limit, run)
	})
}

// inScope returns the first limit turns of fetch that are in scope, which fetch returns in order. The server does not
// know facts and ordinals: if the filter has any, inScope drops what they exclude and asks for more, first for as many
// as are needed if the excluded turns are anywhere in the order.
func (q search) inScope(
	v *view, scope *store.Scope, limit int, fetch func(limit int) ([]store.Neighbor, error),
) ([]store.Neighbor, error) {
	known := q.filter
	if known.Meta, known.Ords = nil, nil; len(q.filter.Meta) == 0 && q.filter.Ords == nil {
		return fetch(limit)
	}
	wider := countRows(v.catalog.Scope(known, nil))
	for asked := limit * wider / max(1, countRows(scope)); ; asked *= 2 {
		asked += limit / 8
		seen, err := fetch(asked)
		if err != nil {
			return nil, err
		}
		kept := slices.DeleteFunc(slices.Clone(seen), func(n store.Neighbor) bool {
			row, alive := v.catalog.Row(n.Ord)
			return !alive || row < scope.Lo || row >= scope.Hi || !scope.Contains(row)
		})
		if len(kept) >= limit || len(seen) < asked {
			return kept[:min(limit, len(kept))], nil
		}
	}
}

// ranked runs a statement whose last parameters are the filter and the limit. It sorts the rows, since
// an index in relaxed order may return a few too late.
func (q search) ranked(sql string, args []any, limit int, run stepRunner) (seen []store.Neighbor, err error) {
	f := q.filter
	args = append(args, f.AllBranches, f.Conversation, f.Since, f.Until, f.Sources, limit)
	err = run(step{sql: sql, args: args, scan: func(r row) error {
		seen = append(seen, store.Neighbor{Ord: store.Ord(r.number(0)), Similarity: -r.float(1)})
		return nil
	}})
	return nearest(seen, limit), err
}

// tuneAmong keeps one generic plan for searches among given turns.
func tuneAmong() step { return tune("force_generic_plan", "on", minEffort) }

// tuneByIndex plans for the actual parameters, since the planner must know the limit, and forces the index.
func tuneByIndex(effort int) step { return tune("force_custom_plan", "off", effort) }

func tune(planning, sorting string, effort int) step {
	return step{sql: queries.Get("TuneSearch"), args: []any{planning, sorting, strconv.Itoa(effort)}}
}

// errorBound bounds the difference between the server's similarity of a row and the exact one: the
// loss from rounding the query to halves, by Cauchy-Schwarz at most its length, plus a rounding error
// of 2⁻²⁴ per addition. Rows are of unit length within a thousandth.
func errorBound(query []float32) float64 {
	var loss, norm float64
	for _, x := range query {
		d := float64(x) - float64(float16.Fromfloat32(x).Float32())
		loss += d * d
		norm += float64(x) * float64(x)
	}
	rounding := float64(len(query)+1) * 0x1p-24
	return 1.002 * (math.Sqrt(loss) + rounding*math.Sqrt(norm))
}
