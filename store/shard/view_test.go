package shard

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store"
	"lens/store/shard/shardtest"
	"lens/store/terms"
)

// filters are applied to an archive and to its shards.
var filters = map[string]store.Filter{
	"everything":   {},
	"an entity":    {Meta: map[string]string{"entity": "comic"}},
	"two keys":     {Meta: map[string]string{"entity": "comic", "urls": "u3"}},
	"an id":        {Meta: map[string]string{"id": "77"}},
	"since":        {Since: shardtest.Day(400)},
	"until":        {Until: shardtest.Day(100)},
	"a window":     {Since: shardtest.Day(100), Until: shardtest.Day(160), Meta: map[string]string{"entity": "story"}},
	"nothing":      {Meta: map[string]string{"entity": "planet"}},
	"before it":    {Until: shardtest.Day(-1)},
	"of documents": {Sources: []store.Source{store.Documents}},
}

func TestView_MatchesArchive(t *testing.T) {
	skipIfShort(t)
	st := shardtest.Archive(t, shardtest.Records(600))
	whole, err := st.Catalog(t.Context())
	must(t, err)
	for name, size := range map[string]int64{"one shard": DefaultShardBytes, "many shards": shardtest.Small} {
		to := folder(t)
		publish(t, st, to, PublishOptions{ShardBytes: size})
		x := NewIndex(to, to, Options{})
		for what, f := range filters {
			t.Run(name+", "+what, func(t *testing.T) { sameAnswers(t, st, whole, x, f) })
		}
		must(t, x.Close())
	}
}

func sameAnswers(t *testing.T, st store.Store, whole *store.Catalog, x *Index, f store.Filter) {
	v, release, err := x.View(t.Context(), f)
	must(t, err)
	defer release()
	c, err := v.Catalog(t.Context())
	must(t, err)
	ids := func(c *store.Catalog, ns []store.Neighbor) (found []string) {
		for _, n := range ns {
			row, _ := c.Row(n.Ord)
			found = append(found, fmt.Sprintf("%s %.17g", c.ID[row], n.Similarity))
		}
		return found
	}
	for seed := range uint64(5) {
		near, err := st.Nearest(t.Context(), shardtest.Query(1000+seed), f, 30)
		must(t, err)
		far, err := v.Nearest(t.Context(), shardtest.Query(1000+seed), f, 30)
		must(t, err)
		if a, b := ids(whole, near), ids(c, far); !slices.Equal(a, b) {
			t.Errorf("nearest:\n%v\n%v", a, b)
		}
		ords := make([]store.Ord, len(far))
		for i, n := range far {
			ords[i] = n.Ord
		}
		sims, err := v.Similarities(t.Context(), shardtest.Query(1000+seed), ords)
		must(t, err)
		for i, n := range far {
			if sims[i] != n.Similarity {
				t.Errorf("similarity %v, %v", sims[i], n.Similarity)
			}
		}
		sameRecords(t, st, c, v, ords)
	}
}

func sameRecords(t *testing.T, st store.Store, c *store.Catalog, v *View, ords []store.Ord) {
	t.Helper()
	if len(ords) == 0 {
		return
	}
	ids := make([]uuid.UUID, len(ords))
	for i, ord := range ords {
		row, _ := c.Row(ord)
		ids[i] = c.ID[row]
	}
	want, err := st.Turns(t.Context(), ids)
	must(t, err)
	got, err := v.Records(t.Context(), ords)
	must(t, err)
	for i := range want {
		want[i].Ord, want[i].Created = ords[i], time.Time{}
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("got %+v, want %+v", got[i], want[i])
		}
	}
}

func TestView_Statistics(t *testing.T) {
	skipIfShort(t)
	st, to := shardtest.Archive(t, shardtest.Records(600)), folder(t)
	publish(t, st, to, PublishOptions{ShardBytes: shardtest.Small})
	x := NewIndex(to, to, Options{})
	defer x.Close()
	words := terms.Query("common word3 word77 number5 neverseen")
	lists, err := st.Postings(t.Context(), words)
	must(t, err)
	v, release, err := x.View(t.Context(), store.Filter{})
	must(t, err)
	defer release()
	far, err := v.Postings(t.Context(), words)
	must(t, err)
	for _, f := range []store.Filter{{}, {Until: shardtest.Day(50)}} {
		part, release, err := x.View(t.Context(), f)
		must(t, err)
		s, err := part.Statistics(t.Context(), words)
		must(t, err)
		for i, p := range lists {
			if s.DocFreqs[i] != len(p.Ords) {
				t.Errorf("%s: %d, want %d", words[i], s.DocFreqs[i], len(p.Ords))
			}
			if total(far[i]) != total(p) || len(far[i].Ords) != len(p.Ords) || !slices.IsSorted(far[i].Ords) {
				t.Errorf("%s: %d in %d, want %d in %d", words[i], total(far[i]), len(far[i].Ords), total(p), len(p.Ords))
			}
		}
		release()
	}
	catalog, err := st.Catalog(t.Context())
	must(t, err)
	if m := v.manifest; m.Records != 600 || m.Length != catalog.TotalLength {
		t.Errorf("%d records, %d terms of %d", m.Records, m.Length, catalog.TotalLength)
	}
}

func total(p store.Postings) (n uint32) {
	for _, count := range p.Counts {
		n += count
	}
	return n
}

func TestViewSimilarities_WithoutVector(t *testing.T) {
	skipIfShort(t)
	st, to := shardtest.Archive(t, shardtest.Records(50)), folder(t)
	publish(t, st, to, PublishOptions{})
	x := NewIndex(to, to, Options{})
	defer x.Close()
	v, release, err := x.View(t.Context(), store.Filter{})
	must(t, err)
	defer release()
	c, _ := v.Catalog(t.Context())
	sims, err := v.Similarities(t.Context(), shardtest.Query(1), c.Ord)
	must(t, err)
	if n := len(slices.DeleteFunc(sims, func(x float64) bool { return !math.IsNaN(x) })); n != 1 {
		t.Errorf("%d have none", n)
	}
	if _, err := v.Nearest(t.Context(), shardtest.Query(1)[:8], store.Filter{}, 3); errs.CodeOf(err) != errs.DimensionMismatch {
		t.Errorf("got %v", err)
	}
}
