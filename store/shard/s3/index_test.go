package s3_test

import (
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"lens/internal/errs"
	"lens/store"
	"lens/store/shard"
	"lens/store/shard/buckettest"
	"lens/store/shard/s3"
	"lens/store/shard/s3/s3test"
	"lens/store/shard/shardtest"
)

// recorder is a bucket that records the names of the objects read and put.
type recorder struct {
	shard.Bucket
	mu         sync.Mutex
	gets, puts []string
}

func (r *recorder) Get(ctx context.Context, key string, o shard.GetOptions) (*shard.Object, error) {
	r.mu.Lock()
	r.gets = append(r.gets, path.Base(key))
	r.mu.Unlock()
	return r.Bucket.Get(ctx, key, o)
}

func (r *recorder) Put(ctx context.Context, key string, body *io.SectionReader, o shard.PutOptions) (string, error) {
	r.puts = append(r.puts, path.Base(key))
	return r.Bucket.Put(ctx, key, body, o)
}

// got returns the distinct objects read since the previous call.
func (r *recorder) got() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	slices.Sort(r.gets)
	names := slices.Compact(r.gets)
	r.gets = nil
	return names
}

func publish(t *testing.T, from store.Reader, to shard.Bucket, prune bool) *shard.PublishReport {
	t.Helper()
	p, err := shard.Publish(t.Context(), from, to, shard.PublishOptions{ShardBytes: shardtest.Small, Prune: prune})
	must(t, err)
	return p
}

// read opens the index in a bucket, refreshing its manifest with every query.
func read(t *testing.T, b shard.Bucket) *shard.Index {
	t.Helper()
	x := shard.NewIndex(b, cached(t, b, 64<<10), shard.Options{Refresh: -1})
	t.Cleanup(func() { must(t, x.Close()) })
	return x
}

// answer returns the ids and similarities of the nearest records that match a filter.
func answer(t *testing.T, x *shard.Index, f store.Filter) string {
	t.Helper()
	v, release, err := x.View(t.Context(), f)
	must(t, err)
	defer release()
	c, err := v.Catalog(t.Context())
	must(t, err)
	near, err := v.Nearest(t.Context(), shardtest.Query(12_345), f, 20)
	must(t, err)
	var found []string
	for _, n := range near {
		row, _ := c.Row(n.Ord)
		found = append(found, fmt.Sprint(c.ID[row], " ", n.Similarity))
	}
	return strings.Join(found, "\n")
}

var aWeek = store.Filter{Since: shardtest.Day(100), Until: shardtest.Day(107)}

func TestIndex_MatchesFolder(t *testing.T) {
	b, folder := &recorder{Bucket: open(t, s3test.New(t).Address()+"/some/prefix", s3.Options{})}, shard.NewFolder(t.TempDir())
	st := shardtest.Archive(t, shardtest.Records(600))
	p := publish(t, st, b, false)
	publish(t, st, folder, false)
	if p.Shards < 3 || keys(t, b) != keys(t, folder) { // the keys have checksums
		t.Fatalf("%d shards\n%s\n%s", p.Shards, keys(t, b), keys(t, folder))
	}
	far, near := read(t, b), shard.NewIndex(folder, folder, shard.Options{})
	defer near.Close()
	for _, c := range []struct {
		f       store.Filter
		fetched int // the manifest, statistics and shards
	}{
		{store.Filter{Meta: map[string]string{"entity": "planet"}}, 2},
		{aWeek, 2},
		{aWeek, 1},
		{store.Filter{Meta: map[string]string{"entity": "comic"}}, 1 + p.Shards - 1},
		{store.Filter{}, 1},
	} {
		b.got()
		if got, want := answer(t, far, c.f), answer(t, near, c.f); got != want {
			t.Errorf("%+v:\n%s\nwant\n%s", c.f, got, want)
		}
		if got := b.got(); len(got) != c.fetched {
			t.Errorf("%+v: fetched %v, want %d", c.f, got, c.fetched)
		}
	}
}

func TestPublish_UpdateReachesReaders(t *testing.T) {
	b := &recorder{Bucket: open(t, s3test.New(t).Address(), s3.Options{})}
	all := shardtest.Records(600)
	st := shardtest.Archive(t, all)
	publish(t, st, b, false)
	x := read(t, b)
	before, ofWeek := answer(t, x, store.Filter{}), answer(t, x, aWeek)

	b.puts = nil
	if p := publish(t, st, b, false); p.Changed || p.Sent != 0 || len(b.puts) != 0 {
		t.Errorf("published unchanged: %+v, put %v", p, b.puts)
	}
	changed := all[300]
	changed.Vector = shardtest.Query(12_345) // the query's own vector
	shardtest.Put(t, st, []shardtest.Record{changed})
	p := publish(t, st, b, false)
	if p.Generation != 2 || p.Sent != 1 || len(b.puts) != 2 || b.puts[1] != shard.ManifestName { // no text changed, so the statistics did not
		t.Errorf("one record changed: %+v, put %v", p, b.puts)
	}
	b.got()
	after := answer(t, x, store.Filter{})
	first, _, _ := strings.Cut(after, "\n")
	if _, similarity, _ := strings.Cut(first, " "); after == before || similarity < "0.999" {
		t.Errorf("after the change:\n%s\nbefore:\n%s", after, before)
	}
	if got := b.got(); len(got) != 2 { // the manifest, and the shard that changed
		t.Errorf("fetched %v", got)
	}
	if p := publish(t, st, b, true); p.Pruned != 1 || p.Sent != 0 || p.Changed {
		t.Errorf("pruned: %+v", p)
	}
	if got := answer(t, x, aWeek); got != ofWeek {
		t.Errorf("unchanged part:\n%s\nwas\n%s", got, ofWeek)
	}
	verified, err := shard.Verify(t.Context(), b)
	must(t, err)
	if v := verified[0]; len(verified) != 1 || len(v.Faults) != 0 || v.Unused != 0 || v.Generation != 2 || v.Records != 600 || v.Bytes != p.Bytes {
		t.Errorf("verified %+v", verified)
	}
}

func TestIndex_UnreliableNetwork(t *testing.T) {
	address := s3test.New(t).Address()
	faults := []s3test.Fault{{}, {Kind: s3test.Reset}, {}, {After: 20_000, Kind: s3test.Reset}, {}, {}, {Kind: s3test.ResetAfterReply}, {}, {}}
	l := &s3test.Network{Fault: func(nth int) s3test.Fault { return faults[nth%len(faults)] }}
	b := openBy(t, l.Transport(t), address, s3.Options{Attempts: 10})
	st := shardtest.Archive(t, shardtest.Records(300))
	p := publish(t, st, b, false)
	if p.Shards < 2 || p.Sent != p.Shards+1 || !p.Changed {
		t.Errorf("published %+v", p)
	}
	if got, want := answer(t, read(t, b), store.Filter{}), answer(t, read(t, open(t, address, s3.Options{})), store.Filter{}); got != want {
		t.Errorf("over the unreliable network:\n%s\nwant\n%s", got, want)
	}
	if p := publish(t, st, b, true); p.Changed || p.Sent != 0 || p.Pruned != 0 {
		t.Errorf("published again: %+v", p)
	}
}

func TestIndex_FaultsAndRepair(t *testing.T) {
	server := s3test.New(t)
	b := open(t, server.Address(), s3.Options{})
	publish(t, shardtest.Archive(t, shardtest.Records(200)), b, false)
	want, restore := answer(t, read(t, b), store.Filter{}), buckettest.Snapshot(t, b)
	for _, f := range shardtest.Faults() {
		t.Run(f.Name, func(t *testing.T) {
			f.Damage(t, server.Dir)
			x := read(t, b)
			for range 2 {
				_, _, err := x.View(t.Context(), store.Filter{})
				if errs.CodeOf(err) != f.Code || !strings.Contains(fmt.Sprint(err), f.Message) {
					t.Errorf("got %v (%s)", err, errs.CodeOf(err))
				}
			}
			if verified, err := shard.Verify(t.Context(), b); err == nil && len(verified[0].Faults) == 0 || err != nil && errs.CodeOf(err) != f.Code {
				t.Errorf("verified %+v, %v", verified, err)
			}
			restore(t)
			if got := answer(t, x, store.Filter{}); got != want {
				t.Errorf("repaired:\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestPublish_RepairsDamageInS3(t *testing.T) {
	server := s3test.New(t)
	b := &recorder{Bucket: open(t, server.Address(), s3.Options{})}
	st := shardtest.Archive(t, shardtest.Records(200))
	publish(t, st, b, false)
	want := answer(t, read(t, b), store.Filter{})
	for _, f := range shardtest.Faults() {
		if f.Name != "flipped bit" && f.Name != "flipped statistics" { // not visible in length or ETag
			continue
		}
		f.Damage(t, server.Dir)
		b.puts = nil
		if p := publish(t, st, b, false); p.Changed || p.Sent == 0 || p.Sent != len(b.puts) {
			t.Errorf("%s: %+v, put %v", f.Name, p, b.puts)
		}
		if verified, err := shard.Verify(t.Context(), b); err != nil || len(verified[0].Faults) != 0 {
			t.Errorf("%s: %+v, %v", f.Name, verified, err)
		}
		if got := answer(t, read(t, b), store.Filter{}); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", f.Name, got, want)
		}
	}
}
