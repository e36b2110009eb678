package sqlite

import (
	"context"
	"math"
	"slices"

	"lens/store"
	"lens/store/vecindex"
)

// dense answers vector queries as of one commit: from the index file (base) and the vectors added
// since (tail).
type dense struct {
	catalog *store.Catalog
	gen     generation
	state   indexState
	base    part
	tail    part
}

// generation is the active generation, as of one commit.
type generation struct {
	id      store.GenerationID
	dim     int
	changed int64 // see the schema
	last    int64 // seq of the last vector
	stamp   int64 // creation time of that vector
}

var _ store.VectorSearcher = (*Store)(nil)

// latest is later than every version: a search as of it looks which is the latest.
const latest = math.MaxInt64

// Nearest implements store.Reader.
func (s *Store) Nearest(ctx context.Context, query []float32, f store.Filter, k int) ([]store.Neighbor, error) {
	return s.NearestAt(ctx, latest, query, f, k)
}

// NearestAt implements store.VectorSearcher.
func (s *Store) NearestAt(
	ctx context.Context, at int64, query []float32, f store.Filter, k int,
) (found []store.Neighbor, err error) {
	for {
		facts, version, err := s.facts(ctx, f)
		if err != nil {
			return nil, err
		}
		moved := false
		err = s.withDense(ctx, "nearest", max(at, version), func(d *dense) error {
			if err := d.checkQuery(query); err != nil {
				return err
			}
			if moved = version != 0 && version != d.catalog.Version; moved {
				return nil
			}
			found, err = d.nearest(ctx, query, f, d.catalog.Scope(f, facts), k)
			return err
		})
		if err != nil || !moved {
			return found, err
		}
	}
}

// facts returns the postings of f's facts and the version of the archive that they belong to; 0 if f
// has none.
func (s *Store) facts(ctx context.Context, f store.Filter) (facts []store.Postings, version int64, err error) {
	if len(f.Meta) == 0 {
		return nil, 0, nil
	}
	err = s.read(ctx, "facts", func(c *conn) error {
		if version, err = c.number("Counter", "version"); err != nil {
			return err
		}
		facts, err = s.factsIn(c, f)
		return err
	})
	return facts, version, err
}

// Similarities implements store.Reader.
func (s *Store) Similarities(ctx context.Context, query []float32, ords []store.Ord) ([]float64, error) {
	return s.SimilaritiesAt(ctx, latest, query, ords)
}

// SimilaritiesAt implements store.VectorSearcher.
func (s *Store) SimilaritiesAt(
	ctx context.Context, at int64, query []float32, ords []store.Ord,
) (similarities []float64, err error) {
	err = s.withDense(ctx, "similarities", at, func(d *dense) error {
		if err := d.checkQuery(query); err != nil {
			return err
		}
		similarities, err = d.similarities(query, ords)
		return err
	})
	return similarities, err
}

func (d *dense) checkQuery(query []float32) error {
	return store.CheckQuery("sqlite: search", query, d.gen.dim)
}

func (d *dense) nearest(
	ctx context.Context, query []float32, f store.Filter, scope *store.Scope, k int,
) ([]store.Neighbor, error) {
	var found []store.Neighbor
	for _, p := range []part{d.base, d.tail} {
		some, err := p.index.Search(ctx, query, p.window(f, scope), k)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	slices.SortFunc(found, vecindex.CompareNeighbors)
	return found[:min(max(k, 0), len(found))], nil
}

// similarities returns the inner products of query and the vectors of turns, NaN for those without one.
func (d *dense) similarities(query []float32, ords []store.Ord) ([]float64, error) {
	similarities := make([]float64, len(ords))
	for i := range similarities {
		similarities[i] = math.NaN()
	}
	for _, p := range []part{d.base, d.tail} {
		rows, places := p.findAll(d.catalog, ords)
		found := make([]float64, len(rows))
		if err := p.index.Similarities(found, query, rows); err != nil {
			return nil, err
		}
		for i, place := range places {
			similarities[place] = found[i]
		}
	}
	return similarities, nil
}
