package shard

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lens/store"
	"lens/store/shard/shardtest"
)

// The expected results are ranked record by record: filters must apply before anything is cut, for any shards.
func TestView_FilteredRecall(t *testing.T) {
	skipIfShort(t)
	all := shardtest.Records(600)
	st, to := shardtest.Archive(t, all), folder(t)
	publish(t, st, to, PublishOptions{ShardBytes: shardtest.Small})
	x := NewIndex(to, to, Options{})
	defer x.Close()
	rapid.Check(t, func(t *rapid.T) {
		f := drawFilter(t)
		q, k := shardtest.Query(rapid.Uint64Range(0, 2000).Draw(t, "query")), rapid.IntRange(1, 60).Draw(t, "k")
		v, release, err := x.View(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		defer release()
		near, err := v.Nearest(t.Context(), q, f, k)
		if err != nil {
			t.Fatal(err)
		}
		ords := make([]store.Ord, len(near))
		for i, n := range near {
			ords[i] = n.Ord
		}
		turns, err := v.Records(t.Context(), ords)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range turns {
			got = append(got, scored(turns[i].Chunk.ID, near[i].Similarity))
		}
		if want := exactly(all, q, f, k); !slices.Equal(got, want) {
			t.Fatalf("%+v, the %d nearest:\n%s\nwant\n%s", f, k, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// drawFilter draws any combination of an entity, an id, a list element and times, which need not occur in any record.
func drawFilter(t *rapid.T) (f store.Filter) {
	meta := map[string]string{}
	for key, values := range map[string]*rapid.Generator[string]{
		"entity": rapid.SampledFrom(append([]string{"planet"}, shardtest.Entities...)),
		"id":     rapid.Map(rapid.IntRange(0, 650), func(n int) string { return fmt.Sprint(n) }),
		"urls":   rapid.SampledFrom([]string{"u0", "u3", "u6", "u7"}),
	} {
		if rapid.IntRange(0, 2).Draw(t, "by "+key) == 0 {
			meta[key] = values.Draw(t, key)
		}
	}
	if len(meta) > 0 {
		f.Meta = meta
	}
	if rapid.Bool().Draw(t, "from a time on") {
		f.Since = shardtest.Day(rapid.IntRange(-5, 605).Draw(t, "since"))
	}
	if rapid.Bool().Draw(t, "up to a time") {
		f.Until = shardtest.Day(rapid.IntRange(-5, 605).Draw(t, "until"))
	}
	return f
}

// exactly ranks every matching record.
func exactly(all []shardtest.Record, q []float32, f store.Filter, k int) []string {
	type one struct {
		id         string
		similarity float64
	}
	var found []one
	for _, r := range all {
		if r.Vector == nil || !matches(r, f) {
			continue
		}
		unit, err := store.Unit(r.Vector)
		if err != nil {
			panic(err)
		}
		found = append(found, one{r.ID, store.Dot(q, store.Halves(unit))})
	}
	slices.SortFunc(found, func(a, b one) int { return cmp.Compare(b.similarity, a.similarity) })
	var best []string
	for _, o := range found[:min(k, len(found))] {
		best = append(best, scored(o.id, o.similarity))
	}
	return best
}

func scored(id string, similarity float64) string { return fmt.Sprintf("%s %.17g", id, similarity) }

// matches defines the filter: an undated record never matches a filter with times.
func matches(r shardtest.Record, f store.Filter) bool {
	if !f.Since.IsZero() || !f.Until.IsZero() {
		at, err := time.Parse(time.RFC3339, r.Modified)
		if err != nil || at.Before(f.Since) || !f.Until.IsZero() && !at.Before(f.Until) {
			return false
		}
	}
	for key, value := range f.Meta {
		switch key {
		case "entity":
			if r.Meta["entity"] != value {
				return false
			}
		case "id":
			if r.ID != value {
				return false
			}
		case "urls":
			if !slices.Contains(r.Meta["urls"].([]string), value) {
				return false
			}
		}
	}
	return true
}
