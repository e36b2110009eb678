package postgres

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pgvector/pgvector-go"
	"github.com/x448/float16"

	"lens/store"
)

// generation is the active generation, as of one commit.
type generation struct {
	id  store.GenerationID
	dim int
}

// Nearest implements store.Reader.
//
// The server knows the query only in halves, and adds up in 32 bits; so its order is right but for rows that are very close to each
// other. It is asked for some more than k, and for more still as long as one that it left out could be among the k best.
func (s *Store) Nearest(ctx context.Context, query []float32, f store.Filter, k int) (found []store.Neighbour, err error) {
	err = s.snapshot(ctx, "nearest", func(c *conn) error {
		g, err := c.activeGeneration(ctx, query)
		if err != nil || k <= 0 {
			return err
		}
		found, err = c.nearest(ctx, g, query, f, k)
		return err
	})
	return found, err
}

func (c *conn) nearest(ctx context.Context, g generation, query []float32, f store.Filter, k int) ([]store.Neighbour, error) {
	slack := slack(query)
	for limit := k + k/4 + 16; ; limit *= 2 {
		found, last, err := c.candidates(ctx, g, query, f, limit)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(found, nearer)
		if len(found) < limit || last+slack < found[k-1].Similarity {
			return found[:min(k, len(found))], nil
		}
	}
}

// candidates returns the best limit rows in the server's eyes, with their true similarities, and the server's of the last of them.
func (c *conn) candidates(ctx context.Context, g generation, query []float32, f store.Filter, limit int) (found []store.Neighbour, last float64, err error) {
	var halves []byte
	args := []any{pgvector.NewHalfVector(query), g.id, f.AllBranches, f.Conversation, f.Since, f.Until, limit}
	err = c.each(ctx, "Nearest", args, func(r row) error {
		halves = r.halves(halves[:0], 2)
		found = append(found, store.Neighbour{Ord: store.Ord(r.number(0)), Similarity: store.Dot(query, halves)})
		last = -r.float(1)
		return nil
	})
	return found, last, err
}

// nearer orders neighbours by descending similarity, ties by ascending Ord.
func nearer(a, b store.Neighbour) int {
	return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Ord, b.Ord))
}

// slack bounds how far the server's similarity of a row can be from the true one: what the query loses as halves, which by
// Cauchy-Schwarz cannot weigh more than its length, and a rounding error of 2⁻²⁴ an addition. Rows are of unit length, to a thousandth.
func slack(query []float32) float64 {
	var loss, norm float64
	for _, x := range query {
		d := float64(x) - float64(float16.Fromfloat32(x).Float32())
		loss += d * d
		norm += float64(x) * float64(x)
	}
	rounding := float64(len(query)+1) * 0x1p-24
	return 1.002 * (math.Sqrt(loss) + rounding*math.Sqrt(norm))
}

// Similarities implements store.Reader.
func (s *Store) Similarities(ctx context.Context, query []float32, ords []store.Ord) (similarities []float64, err error) {
	err = s.snapshot(ctx, "similarities", func(c *conn) error {
		g, err := c.activeGeneration(ctx, query)
		if err != nil {
			return err
		}
		known, err := c.similarities(ctx, g, query, ords)
		if err != nil {
			return err
		}
		similarities = make([]float64, len(ords))
		for i, ord := range ords {
			similarity, there := known[ord]
			if !there {
				similarity = math.NaN()
			}
			similarities[i] = similarity
		}
		return nil
	})
	return similarities, err
}

func (c *conn) similarities(ctx context.Context, g generation, query []float32, ords []store.Ord) (map[store.Ord]float64, error) {
	wanted := make([]int64, len(ords))
	for i, ord := range ords {
		wanted[i] = int64(ord)
	}
	var halves []byte
	known := make(map[store.Ord]float64, len(ords))
	err := c.each(ctx, "VectorsByOrd", []any{g.id, wanted}, func(r row) error {
		halves = r.halves(halves[:0], 1)
		known[store.Ord(r.number(0))] = store.Dot(query, halves)
		return nil
	})
	return known, err
}

// activeGeneration returns the generation that query is asked of, which must be of its dimension.
func (c *conn) activeGeneration(ctx context.Context, query []float32) (g generation, err error) {
	err = c.each(ctx, "ActiveGeneration", nil, func(r row) error {
		g = generation{store.GenerationID(r.number(0)), r.int(1)}
		return nil
	})
	switch {
	case err != nil:
		return g, err
	case g.id == 0:
		return g, &store.Error{
			Code: store.CodeNotFound, Op: "postgres: search", Message: "the archive has no vectors yet",
			Hint: "Embed it first, or search by keywords.",
		}
	case len(query) != g.dim:
		return g, &store.Error{
			Code: store.CodeDimensionMismatch, Op: "postgres: search",
			Message: fmt.Sprintf("the query has %d dimensions, the archive's vectors %d", len(query), g.dim),
			Hint:    "Query with the model that the archive was embedded with, or embed it again.",
		}
	}
	return g, nil
}
