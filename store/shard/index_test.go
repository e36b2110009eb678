package shard

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/store"
	"lens/store/shard/shardtest"
)

// watchedFiles records the requested files and counts the open ones.
type watchedFiles struct {
	Files
	mu        sync.Mutex
	requested []string
	open      atomic.Int32
	hold      chan struct{} // nil: requests do not wait
}

func (w *watchedFiles) File(ctx context.Context, o Ref) (string, func(), error) {
	w.mu.Lock()
	w.requested = append(w.requested, o.Key[strings.LastIndexByte(o.Key, '/')+1:])
	w.mu.Unlock()
	if w.hold != nil {
		select {
		case <-w.hold:
		case <-ctx.Done():
			return "", nil, ctx.Err()
		}
	}
	path, release, err := w.Files.File(ctx, o)
	if err == nil {
		w.open.Add(1)
	}
	return path, func() { w.open.Add(-1); release() }, err
}

func (w *watchedFiles) shards() (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, key := range w.requested {
		if strings.HasPrefix(key, "shard-") {
			n++
		}
	}
	return n
}

func TestIndex_SkipsShardsThatCannotMatch(t *testing.T) {
	skipIfShort(t)
	st, to := shardtest.Archive(t, shardtest.Records(600)), folder(t)
	p := publish(t, st, to, PublishOptions{ShardBytes: shardtest.Small})
	for what, most := range map[string]int{"nothing": 0, "before it": 0, "an id": 0, "until": p.Shards / 2, "a window": p.Shards / 2, "an entity": p.Shards} {
		files := &watchedFiles{Files: to}
		x := NewIndex(to, files, Options{})
		f := filters[what]
		if what == "an id" { // too many ids to list: only the time excludes shards
			f.Until = shardtest.Day(0)
		}
		_, release, err := x.View(t.Context(), f)
		must(t, err)
		release()
		if got := files.shards(); got > most || most == p.Shards && got != most {
			t.Errorf("%s: fetched %d of %d shards", what, got, p.Shards)
		}
		must(t, x.Close())
		if files.open.Load() != 0 {
			t.Errorf("%s: %d files were not released", what, files.open.Load())
		}
	}
}

func TestIndex_SharesAndClosesShards(t *testing.T) {
	st, to := shardtest.Archive(t, shardtest.Records(250)), folder(t)
	p := publish(t, st, to, PublishOptions{ShardBytes: shardtest.Small / 2})
	files := &watchedFiles{Files: to}
	x := NewIndex(to, files, Options{MaxIdleBytes: 1})
	defer x.Close()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			_, release, err := x.View(t.Context(), store.Filter{})
			if err != nil {
				t.Error(err)
				return
			}
			release()
		})
	}
	all.Wait()
	if files.open.Load() != 0 {
		t.Errorf("%d files are open", files.open.Load())
	}
	unlimited := &watchedFiles{Files: to}
	y := NewIndex(to, unlimited, Options{})
	defer y.Close()
	for range 3 {
		_, release, err := y.View(t.Context(), store.Filter{})
		must(t, err)
		release()
	}
	if unlimited.shards() != p.Shards {
		t.Errorf("%d fetches of %d shards", unlimited.shards(), p.Shards)
	}
}

func TestIndex_CanceledQueryDoesNotAffectOthers(t *testing.T) {
	st, to := shardtest.Archive(t, shardtest.Records(100)), folder(t)
	publish(t, st, to, PublishOptions{})
	files := &watchedFiles{Files: to, hold: make(chan struct{})}
	x := NewIndex(to, files, Options{})
	defer x.Close()
	ctx, cancel := context.WithCancel(t.Context())
	gaveUp, got := make(chan error, 1), make(chan error, 1)
	go func() {
		_, _, err := x.View(ctx, store.Filter{})
		gaveUp <- err
	}()
	for files.shards() == 0 { // until the fetch has begun
		time.Sleep(time.Millisecond)
	}
	go func() {
		_, release, err := x.View(t.Context(), store.Filter{})
		if err == nil {
			release()
		}
		got <- err
	}()
	cancel()
	if err := <-gaveUp; errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("got %v", err)
	}
	close(files.hold)
	must(t, <-got)
}

func TestIndex_NewGeneration(t *testing.T) {
	skipIfShort(t)
	all := shardtest.Records(400)
	st, to := shardtest.Archive(t, all[:300]), folder(t)
	publish(t, st, to, PublishOptions{ShardBytes: shardtest.Small})
	files := &watchedFiles{Files: to}
	for _, age := range []time.Duration{-1, time.Hour} { // refreshed, or used until a shard is missing
		x := NewIndex(to, files, Options{Refresh: age})
		_, release, err := x.View(t.Context(), store.Filter{Until: shardtest.Day(1)})
		must(t, err)
		release()
		shardtest.Put(t, st, all[300:350])
		publish(t, st, to, PublishOptions{ShardBytes: shardtest.Small, Prune: true})
		v, release, err := x.View(t.Context(), store.Filter{})
		must(t, err)
		c, _ := v.Catalog(t.Context())
		if want := len(catalogOf(t, st).ID); c.Len() != want {
			t.Errorf("refreshed after %s: %d records, want %d", age, c.Len(), want)
		}
		release()
		must(t, x.Close())
		all = append(slices.Clone(all[:300]), shardtest.Records(450)[400:]...)
	}
	if files.open.Load() != 0 {
		t.Errorf("%d files are open", files.open.Load())
	}
}

func catalogOf(t *testing.T, st store.Store) *store.Catalog {
	c, err := st.Catalog(t.Context())
	must(t, err)
	return c
}

func TestIndex_Faults(t *testing.T) {
	skipIfShort(t)
	published := folder(t)
	publish(t, shardtest.Archive(t, shardtest.Records(200)), published, PublishOptions{ShardBytes: shardtest.Small})
	for _, f := range shardtest.Faults() {
		t.Run(f.Name, func(t *testing.T) {
			b := copyOf(t, published)
			f.Damage(t, b.dir)
			x := NewIndex(b, b, Options{})
			defer x.Close()
			_, _, err := x.View(t.Context(), store.Filter{})
			if errs.CodeOf(err) != f.Code || !strings.Contains(fmt.Sprint(err), f.Message) {
				t.Errorf("got %v (%s)", err, errs.CodeOf(err))
			}
			all, err := Verify(t.Context(), b)
			if f.Name == "no index" {
				if errs.CodeOf(err) != f.Code {
					t.Errorf("verify: %v", err)
				}
				return
			}
			must(t, err)
			if len(all) != 1 || len(all[0].Faults) == 0 {
				t.Errorf("verified %+v", all)
			}
		})
	}
}

// missingFiles returns paths of files that do not exist.
type missingFiles struct{ Files }

func (c missingFiles) File(ctx context.Context, o Ref) (string, func(), error) {
	path, release, err := c.Files.File(ctx, o)
	return path + "-not", release, err
}

func TestIndex_MissingFile(t *testing.T) {
	skipIfShort(t)
	to := folder(t)
	publish(t, shardtest.Archive(t, shardtest.Records(20)), to, PublishOptions{})
	files := &watchedFiles{Files: to}
	x := NewIndex(to, missingFiles{files}, Options{})
	defer x.Close()
	if _, _, err := x.View(t.Context(), store.Filter{}); errs.CodeOf(err) != errs.Unavailable || files.open.Load() != 0 {
		t.Errorf("got %v (%s), %d files are open", err, errs.CodeOf(err), files.open.Load())
	}
}

func TestVerify_IntactIndex(t *testing.T) {
	skipIfShort(t)
	st, to := shardtest.Archive(t, shardtest.Records(200)), folder(t)
	p := publish(t, st, to, PublishOptions{ShardBytes: shardtest.Small})
	_, err := to.Put(t.Context(), shardtest.Root+"shard-0123456789abcdef", io.NewSectionReader(strings.NewReader("x"), 0, 1), PutOptions{})
	must(t, err)
	all, err := Verify(t.Context(), to)
	must(t, err)
	if want := (VerifyReport{Index: shardtest.Root, Generation: 1, Shards: p.Shards, Records: 200, Bytes: p.Bytes, Faults: []Fault{}, Unused: 1}); len(all) != 1 || !reflect.DeepEqual(all[0], want) {
		t.Errorf("got %+v, want %+v", all, want)
	}
}

func TestIndex_SeveralIndexes(t *testing.T) {
	skipIfShort(t)
	st, to := shardtest.Archive(t, shardtest.Records(20)), folder(t)
	publish(t, st, to, PublishOptions{})
	_, err := to.Put(t.Context(), "indexes/model=other/dims=3/"+ManifestName, io.NewSectionReader(strings.NewReader("{}"), 0, 2), PutOptions{})
	must(t, err)
	for _, c := range []struct {
		opts Options
		want errs.Code
	}{
		{Options{}, errs.Unavailable},
		{Options{Model: "words"}, ""},
		{Options{Model: "word"}, errs.NotFound},
		{Options{Model: "other"}, errs.Unavailable},
	} {
		x := NewIndex(to, to, c.opts)
		_, release, err := x.View(t.Context(), store.Filter{})
		if errs.CodeOf(err) != c.want {
			t.Errorf("%+v: %v", c.opts, err)
		}
		if err == nil {
			release()
		}
		must(t, x.Close())
	}
}

func TestIndex_Closed(t *testing.T) {
	st, to := shardtest.Archive(t, shardtest.Records(20)), folder(t)
	publish(t, st, to, PublishOptions{})
	x := NewIndex(to, to, Options{})
	must(t, x.Close())
	if _, _, err := x.View(t.Context(), store.Filter{}); errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("got %v", err)
	}
}
