package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"lens/store"
)

func TestScope_YieldsMatchesInTimeOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		conversations := []uuid.UUID{{1}, {2}}
		from := map[uuid.UUID]store.Source{conversations[0]: store.ChatGPT, conversations[1]: store.Documents}
		var rows []store.CatalogRow
		for i := range rapid.IntRange(0, 40).Draw(t, "rows") {
			conversation := rapid.SampledFrom(conversations).Draw(t, "conversation")
			rows = append(rows, store.CatalogRow{
				Ord:          store.Ord(i + 1),
				ID:           uuid.UUID{15: byte(i)},
				Conversation: conversation,
				Source:       from[conversation],
				Position:     int32(i),
				Flags:        store.Flag(rapid.IntRange(0, 3).Draw(t, "flags")),
				Time:         rapid.Int64Range(0, 10).Draw(t, "time"),
				Undated:      rapid.Bool().Draw(t, "undated"),
			})
		}
		c := store.NewCatalog(1, rows)
		sources := [][]store.Source{nil, {store.ChatGPT}, {store.Documents, store.Claude}, {store.Claude}}
		f := store.Filter{
			AllBranches:  rapid.Bool().Draw(t, "all branches"),
			Conversation: rapid.SampledFrom(append(conversations, uuid.Nil, uuid.UUID{3})).Draw(t, "only"),
			Since:        rapid.SampledFrom([]time.Time{{}, time.UnixMicro(3)}).Draw(t, "since"),
			Until:        rapid.SampledFrom([]time.Time{{}, time.UnixMicro(8)}).Draw(t, "until"),
			Sources:      rapid.SampledFrom(sources).Draw(t, "sources"),
		}
		ord := rapid.Custom(func(t *rapid.T) store.Ord {
			return store.Ord(rapid.IntRange(1, 60).Draw(t, "ord")) // some are dead
		})
		if rapid.Bool().Draw(t, "only some") {
			f.Ords = new(store.OrdSet)
			f.Ords.Add(rapid.SliceOf(ord).Draw(t, "ords")...)
		}
		var facts []store.Postings
		for range rapid.IntRange(0, 2).Draw(t, "facts") {
			ords := rapid.SliceOfDistinct(ord, rapid.ID).Draw(t, "ords")
			slices.Sort(ords)
			facts = append(facts, store.Postings{Ords: ords})
		}
		var want []uuid.UUID
		for i := range c.Len() {
			if matches(c, i, f, facts) {
				want = append(want, c.ID[i])
			}
		}
		size := rapid.IntRange(1, 9).Draw(t, "size")
		var got []uuid.UUID
		for batch := range c.Scope(f, facts).Batches(size) {
			if len(batch) == 0 || len(batch) > size || len(got)%size != 0 {
				t.Fatalf("a batch of %d turns after %d, want at most %d", len(batch), len(got), size)
			}
			got = append(got, batch...)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

// matches restates the meaning of a filter independently of Scope.
func matches(c *store.Catalog, row int, f store.Filter, facts []store.Postings) bool {
	for _, list := range facts {
		if !slices.Contains(list.Ords, c.Ord[row]) {
			return false
		}
	}
	if f.Ords != nil && !f.Ords.Has(c.Ord[row]) {
		return false
	}
	at, dated := time.UnixMicro(c.Time[row]), row < c.Dated
	return (f.AllBranches || c.Flags[row]&store.FlagOnPath != 0) &&
		(len(f.Sources) == 0 || slices.Contains(f.Sources, c.Sources[c.SourceOf[c.Conversation[row]]])) &&
		(f.Conversation == uuid.Nil || c.Conversations[c.Conversation[row]] == f.Conversation) &&
		(f.Since.IsZero() || dated && !at.Before(f.Since)) && (f.Until.IsZero() || dated && at.Before(f.Until))
}
