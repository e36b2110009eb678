package shard

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lens/store"
	"lens/store/shard/shardtest"
)

// changeShards changes every shard file of an index in place, also for readers that have it open.
func changeShards(t *testing.T, b *countingBucket, do func(f *os.File) error) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(b.dir, filepath.FromSlash(shardtest.Root), "shard-*"))
	must(t, err)
	for _, path := range paths {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		must(t, err)
		info, err := f.Stat()
		must(t, err)
		must(t, errors.Join(do(f), f.Close()))
		later := info.ModTime().Add(time.Second) // file times may have a coarse resolution
		must(t, os.Chtimes(path, later, later))
	}
}

func truncate(f *os.File) error { return f.Truncate(0) }

// overwrite replaces bytes so that numbers become large.
func overwrite(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	for at := int64(1); at < info.Size(); at += 64 {
		if _, err := f.WriteAt([]byte{0x7b}, at); err != nil {
			return err
		}
	}
	return nil
}

func TestShard_ChangedDuringQuery(t *testing.T) {
	st, b := shardtest.Archive(t, shardtest.Records(20)), folder(t)
	publish(t, st, b, PublishOptions{})
	x := NewIndex(b, b, Options{})
	defer x.Close()
	v, release, err := x.View(t.Context(), store.Filter{})
	must(t, err)
	defer release()
	query := shardtest.Query(1000)
	near, err := v.Nearest(t.Context(), query, store.Filter{}, 5)
	must(t, err)
	changeShards(t, b, overwrite)
	if found, err := v.Nearest(t.Context(), query, store.Filter{}, 100); !errors.Is(err, ErrDamaged) {
		t.Errorf("overwritten: %v, %v", found, err)
	}
	changeShards(t, b, truncate)
	if _, err := v.Nearest(t.Context(), query, store.Filter{}, 5); !errors.Is(err, ErrDamaged) {
		t.Errorf("truncated: %v", err)
	}
	if _, err := v.Similarities(t.Context(), query, []store.Ord{near[0].Ord}); !errors.Is(err, ErrDamaged) {
		t.Errorf("truncated: %v", err)
	}
}

func TestShard_ChangedBetweenQueries(t *testing.T) {
	skipIfShort(t)
	st, b := shardtest.Archive(t, shardtest.Records(100)), folder(t)
	publish(t, st, b, PublishOptions{})
	files := &watchedFiles{Files: b}
	x := NewIndex(b, files, Options{})
	for name, damage := range map[string]func(*os.File) error{"overwritten": overwrite, "truncated": truncate} {
		_, using, err := x.View(t.Context(), store.Filter{}) // a reader that continues
		must(t, err)
		changeShards(t, b, damage)
		if _, _, err := x.View(t.Context(), store.Filter{}); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		publish(t, st, b, PublishOptions{})
		v, release, err := x.View(t.Context(), store.Filter{})
		must(t, err)
		if _, err := v.Nearest(t.Context(), shardtest.Query(1000), store.Filter{}, 5); err != nil {
			t.Errorf("%s and repaired: %v", name, err)
		}
		release()
		using()
		if got := files.open.Load(); got != 2 { // a shard and the statistics
			t.Errorf("%s: %d files are open", name, got)
		}
	}
	must(t, x.Close())
	if got := files.open.Load(); got != 0 {
		t.Errorf("%d files are open", got)
	}
}
