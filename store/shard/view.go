package shard

import (
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"lens/store"
	"lens/store/vecindex"
)

// View presents the shards of an index that may match a filter as one archive, with consecutive ordinals. It
// is safe for concurrent use until it is released.
type View struct {
	manifest   *Manifest
	statistics *shard
	shards     []*shard
	bases      []store.Ord // offset of each shard's ordinals
	catalog    *store.Catalog
}

func newView(m *Manifest, statistics *shard, shards []*shard) *View {
	v := &View{manifest: m, statistics: statistics, shards: shards, bases: make([]store.Ord, len(shards))}
	var rows []store.CatalogRow
	base := store.Ord(0)
	for i, s := range shards {
		v.bases[i] = base
		rows = appendRows(rows, s.catalog, base)
		base += store.Ord(s.catalog.Len())
	}
	v.catalog = store.NewCatalog(m.Generation, rows)
	return v
}

// appendRows adds the rows of a shard's catalog.
func appendRows(rows []store.CatalogRow, c *store.Catalog, base store.Ord) []store.CatalogRow {
	positions := make([]int32, c.Len())
	for row, prev := range c.Prev {
		if prev < 0 {
			for n := int32(0); row >= 0; n++ {
				positions[row], row = n, int(c.Next[row])
			}
		}
	}
	for row := range c.Len() {
		of := c.Conversation[row]
		rows = append(rows, store.CatalogRow{
			Ord: c.Ord[row] + base, ID: c.ID[row], Conversation: c.Conversations[of], Source: c.Sources[c.SourceOf[of]],
			Position: positions[row], Flags: c.Flags[row], Length: c.Length[row], Time: c.Time[row], Undated: row >= c.Dated,
		})
	}
	return rows
}

// Generation describes how the vectors were made.
func (v *View) Generation() store.Generation {
	m := v.manifest
	g := store.Generation{
		Provider: m.Model.Provider, Model: m.Model.ID, Dim: m.Model.Dims, Recipe: m.Model.Recipe, Active: true,
		Prefixes: store.Prefixes{Query: m.Model.QueryPrefix, Document: m.Model.DocumentPrefix},
	}
	for i := range m.Shards {
		g.Vectors += m.Shards[i].Vectors
	}
	return g
}

// Catalog returns the catalog of all turns in the view.
func (v *View) Catalog(context.Context) (*store.Catalog, error) { return v.catalog, nil }

// Statistics returns term statistics of the whole index, beyond the view.
func (v *View) Statistics(ctx context.Context, terms []string) (*store.Statistics, error) {
	found, err := v.statistics.records.Postings(ctx, terms)
	if err != nil {
		return nil, err
	}
	s := &store.Statistics{Records: v.manifest.Records, Length: v.manifest.Length, DocFreqs: make([]int, len(terms))}
	for i, p := range found {
		if len(p.Counts) > 0 {
			s.DocFreqs[i] = int(p.Counts[0]) // see collector.statistics
		}
	}
	return s, nil
}

// Postings implements store.Reader.
func (v *View) Postings(ctx context.Context, terms []string) ([]store.Postings, error) {
	parts := make([][]store.Postings, len(v.shards))
	err := v.forEachShard(func(i int, s *shard) (err error) {
		parts[i], err = s.records.Postings(ctx, terms)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	lists := make([]store.Postings, len(terms))
	for j := range lists {
		lists[j] = v.joinPostings(parts, j)
	}
	return lists, nil
}

// joinPostings concatenates the postings of the j-th term in all shards.
func (v *View) joinPostings(parts [][]store.Postings, j int) (all store.Postings) {
	n := 0
	for _, part := range parts {
		n += len(part[j].Ords)
	}
	all.Ords, all.Counts = make([]store.Ord, 0, n), make([]uint32, 0, n)
	for i, part := range parts {
		for _, ord := range part[j].Ords {
			all.Ords = append(all.Ords, ord+v.bases[i])
		}
		all.Counts = append(all.Counts, part[j].Counts...)
	}
	return all
}

// Nearest implements store.Reader.
func (v *View) Nearest(ctx context.Context, query []float32, f store.Filter, k int) ([]store.Neighbor, error) {
	if err := store.CheckQuery("shard: nearest", query, v.manifest.Model.Dims); err != nil {
		return nil, err
	}
	parts := make([][]store.Neighbor, len(v.shards))
	err := v.forEachShard(func(i int, s *shard) (err error) {
		parts[i], err = s.nearest(ctx, query, v.within(i, f), k)
		return err
	})
	if err != nil {
		return nil, err
	}
	var found []store.Neighbor
	for i, part := range parts {
		for _, n := range part {
			found = append(found, store.Neighbor{Ord: n.Ord + v.bases[i], Similarity: n.Similarity})
		}
	}
	slices.SortFunc(found, vecindex.CompareNeighbors)
	return found[:min(max(k, 0), len(found))], nil
}

// within returns f for the i-th shard, which has ordinals of its own.
func (v *View) within(i int, f store.Filter) store.Filter {
	if f.Ords == nil {
		return f
	}
	own := new(store.OrdSet)
	for _, ord := range v.shards[i].catalog.Ord {
		if f.Ords.Has(ord + v.bases[i]) {
			own.Add(ord)
		}
	}
	f.Ords = own
	return f
}

// Similarities implements store.Reader.
func (v *View) Similarities(_ context.Context, query []float32, ords []store.Ord) (similarities []float64, err error) {
	if err := store.CheckQuery("shard: similarities", query, v.manifest.Model.Dims); err != nil {
		return nil, err
	}
	similarities = make([]float64, len(ords))
	for i, ord := range ords {
		s, local := v.locate(ord)
		if similarities[i], err = v.shards[s].similarity(query, local); err != nil {
			return nil, err
		}
	}
	return similarities, nil
}

// Records returns the turns of ords, which belong to the view's catalog, in their order.
func (v *View) Records(ctx context.Context, ords []store.Ord) ([]store.Turn, error) {
	ids, places := make([][]uuid.UUID, len(v.shards)), make([][]int, len(v.shards))
	for i, ord := range ords {
		s, local := v.locate(ord)
		if row, ok := v.shards[s].catalog.Row(local); ok {
			ids[s], places[s] = append(ids[s], v.shards[s].catalog.ID[row]), append(places[s], i)
		}
	}
	turns := make([]store.Turn, len(ords))
	for s := range v.shards {
		if len(ids[s]) == 0 {
			continue
		}
		some, err := v.shards[s].records.Turns(ctx, ids[s])
		if err != nil {
			return nil, err
		}
		for i, at := range places[s] {
			turns[at], turns[at].Ord, turns[at].Created = some[i], ords[at], time.Time{} // shards do not record it
		}
	}
	return turns, nil
}

// locate returns the shard of a turn and its ordinal there.
func (v *View) locate(ord store.Ord) (shard int, local store.Ord) {
	i, found := slices.BinarySearch(v.bases, ord-1)
	if !found {
		i--
	}
	return i, ord - v.bases[i]
}

// forEachShard calls ask for all shards, as many at once as there are processors.
func (v *View) forEachShard(ask func(i int, s *shard) error) error {
	if len(v.shards) == 1 {
		return ask(0, v.shards[0])
	}
	var all errgroup.Group
	all.SetLimit(runtime.GOMAXPROCS(0))
	for i, s := range v.shards {
		all.Go(func() error { return ask(i, s) })
	}
	return all.Wait()
}
