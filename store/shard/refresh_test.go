package shard

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/store"
	"lens/store/shard/shardtest"
)

// gatedBucket is a bucket whose reads wait for permission.
type gatedBucket struct {
	*countingBucket
	enter chan struct{} // receives a token for every read that has begun; nil: reads do not wait
	may   chan error    // permits a read, or fails it
}

func (b *gatedBucket) Get(ctx context.Context, key string, o GetOptions) (*Object, error) {
	if b.enter != nil {
		b.enter <- struct{}{}
		select {
		case err := <-b.may:
			if err != nil {
				return nil, err
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return b.countingBucket.Get(ctx, key, o)
}

// setAge makes the known manifest times as old as Options.Refresh.
func (x *Index) setAge(times time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.checked = time.Now().Add(-times * x.opts.Refresh)
}

func generation(t *testing.T, x *Index) (generation int64, err error) {
	t.Helper()
	v, release, err := x.View(t.Context(), store.Filter{})
	if err == nil {
		generation = v.manifest.Generation
		release()
	}
	return generation, err
}

// gatedIndex returns an index that knows the first generation, over a gated bucket with a second one.
func gatedIndex(t *testing.T) (*Index, *gatedBucket) {
	t.Helper()
	b := &gatedBucket{countingBucket: folder(t)}
	st := shardtest.Archive(t, shardtest.Records(20))
	publish(t, st, b, PublishOptions{})
	x := NewIndex(b, b, Options{Refresh: time.Hour})
	if g, err := generation(t, x); g != 1 {
		t.Fatal(g, err)
	}
	shardtest.Put(t, st, shardtest.Records(21)[20:])
	publish(t, st, b, PublishOptions{})
	b.enter, b.may = make(chan struct{}, 10), make(chan error)
	return x, b
}

// waitForRefresh waits for the running refresh.
func (x *Index) waitForRefresh() {
	_ = x.refreshing.Acquire(context.Background(), 1)
	x.refreshing.Release(1)
}

func TestRefresh_DoesNotDelayQueries(t *testing.T) {
	skipIfShort(t)
	x, b := gatedIndex(t)
	defer x.Close()
	x.setAge(2)
	for range 3 { // a single refresh for all
		if g, err := generation(t, x); g != 1 {
			t.Fatal(g, err)
		}
	}
	<-b.enter
	b.may <- nil
	x.waitForRefresh()
	if g, err := generation(t, x); g != 2 || len(b.enter) != 0 {
		t.Errorf("generation %d, %v, %d more reads", g, err, len(b.enter))
	}
}

func TestRefresh_StaleManifestDelaysQuery(t *testing.T) {
	skipIfShort(t)
	x, b := gatedIndex(t)
	defer x.Close()
	away := &errs.Error{Code: errs.Unavailable, Op: "test", Message: "away"}
	x.setAge(maxStaleFactor - 1)
	if g, err := generation(t, x); g != 1 { // although the bucket is unreachable
		t.Error(g, err)
	}
	b.may <- away
	x.waitForRefresh()
	x.setAge(maxStaleFactor)
	go func() { b.may <- away }()
	if g, err := generation(t, x); errs.CodeOf(err) != errs.Unavailable {
		t.Error(g, err)
	}
	go func() { b.may <- nil }()
	if g, err := generation(t, x); g != 2 {
		t.Error(g, err)
	}
}

func TestRefresh_EndsWithIndex(t *testing.T) {
	skipIfShort(t)
	x, b := gatedIndex(t)
	x.setAge(2)
	if g, err := generation(t, x); g != 1 {
		t.Fatal(g, err)
	}
	<-b.enter
	must(t, x.Close()) // waits for the refresh: goleak would find it
}

// moveIndex moves the index to the location of another model's.
func moveIndex(t *testing.T, b *countingBucket, model string) {
	t.Helper()
	rewrite(t, b, func(m *Manifest) { m.Model.ID = model })
	to := filepath.Join(b.dir, Model{ID: model, Dims: shardtest.Dims}.Root())
	must(t, os.MkdirAll(filepath.Dir(filepath.Clean(to)), 0o755))
	must(t, os.Rename(filepath.Join(b.dir, shardtest.Root), to))
}

func TestRefresh_MovedIndex(t *testing.T) {
	skipIfShort(t)
	b := folder(t)
	publish(t, shardtest.Archive(t, shardtest.Records(20)), b, PublishOptions{})
	x := NewIndex(b, b, Options{Refresh: -1})
	defer x.Close()
	if g, err := generation(t, x); g != 1 {
		t.Fatal(g, err)
	}
	moveIndex(t, b, "other")
	if m, err := x.Model(t.Context()); m.ID != "other" {
		t.Errorf("%+v, %v", m, err)
	}
	if g, err := generation(t, x); g != 1 {
		t.Error(g, err)
	}
	must(t, os.RemoveAll(filepath.Join(b.dir, "indexes")))
	if g, err := generation(t, x); !errors.Is(err, errNoIndex) {
		t.Error(g, err)
	}
	publish(t, shardtest.Archive(t, shardtest.Records(30)), b, PublishOptions{})
	if g, err := generation(t, x); g != 1 {
		t.Error(g, err)
	}
}

func TestRefresh_RecreatedIndex(t *testing.T) {
	skipIfShort(t)
	b := folder(t)
	publish(t, shardtest.Archive(t, shardtest.Records(20)), b, PublishOptions{})
	x := NewIndex(b, b, Options{Refresh: time.Hour})
	defer x.Close()
	if _, err := x.Model(t.Context()); err != nil { // reads the manifest, opens no shard
		t.Fatal(err)
	}
	must(t, os.RemoveAll(filepath.Join(b.dir, "indexes")))
	publish(t, shardtest.Archive(t, shardtest.Records(30)), b, PublishOptions{})
	v, release, err := x.View(t.Context(), store.Filter{})
	must(t, err)
	defer release()
	if v.manifest.Records != 30 {
		t.Errorf("%d records", v.manifest.Records)
	}
}
