package cache_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"lens/internal/errs"
	"lens/store/shard"
	"lens/store/shard/buckettest"
	"lens/store/shard/cache"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestCache(t *testing.T) {
	buckettest.RunFiles(t, func(t *testing.T) (shard.Bucket, shard.Files) {
		b := shard.NewFolder(t.TempDir())
		return b, open(t, t.TempDir(), b, cache.Options{PartSize: 3})
	})
}

func open(t testing.TB, dir string, b shard.Bucket, opts cache.Options) *cache.Cache {
	t.Helper()
	c, err := cache.New(dir, b, opts)
	must(t, err)
	return c
}

// reads checks that the cache returns a text, and releases it.
func reads(t *testing.T, c *cache.Cache, text string) (path string) {
	t.Helper()
	path, release, err := c.File(t.Context(), buckettest.RefOf(text))
	must(t, err)
	defer release()
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Fatalf("got %d bytes, want the %d stored ones (%v)", len(got), len(text), err)
	}
	return path
}

// holds checks that the cache's folder contains exactly the files of these texts.
func holds(t *testing.T, dir string, texts ...string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	must(t, err)
	want := map[string]bool{}
	for _, text := range texts {
		want[buckettest.RefOf(text).SHA256] = true
	}
	for _, f := range files {
		if !want[f.Name()] {
			t.Errorf("unexpected file %s", f.Name())
		}
		delete(want, f.Name())
	}
	if len(want) > 0 {
		t.Errorf("%d files are missing", len(want))
	}
}

func TestCache_ObjectsOfAnyLength(t *testing.T) {
	for _, size := range []int{1, 9, 10, 11, 100, 105} {
		text := strings.Repeat("0123456789abcdef", 10)[:size]
		b := newBucket(text)
		reads(t, open(t, t.TempDir(), b, cache.Options{PartSize: 10, Parts: 3}), text)
		if got, want := b.gets.Load(), int64(size+9)/10; got != want || b.bytes.Load() != int64(size) || b.most.Load() > 3 || b.now.Load() != 0 {
			t.Errorf("%d bytes: %d requests, want %d; %d bytes, %d at a time, %d left open", size, got, want, b.bytes.Load(), b.most.Load(), b.now.Load())
		}
	}
}

func TestCache_MemoryUse(t *testing.T) {
	text := strings.Repeat("x", 32<<20)
	c := open(t, t.TempDir(), newBucket(text), cache.Options{PartSize: 1 << 20, Parts: 4})
	ref := buckettest.RefOf(text)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, release, err := c.File(t.Context(), ref)
	runtime.ReadMemStats(&after)
	must(t, err)
	release()
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 8<<20 {
		t.Errorf("%d MB for an object of 32 MB", taken>>20)
	}
}

func TestCache_ConcurrentRequestsShareAFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, permit := newBucket("text"), make(chan struct{})
		b.meet = func(string, shard.GetOptions) error {
			<-permit
			return nil
		}
		c := open(t, t.TempDir(), b, cache.Options{})
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { reads(t, c, "text") })
		}
		synctest.Wait()
		close(permit)
		all.Wait()
		if b.gets.Load() != 1 {
			t.Errorf("%d fetches", b.gets.Load())
		}
	})
}

func TestCache_CanceledFetchIsTakenOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBucket("text")
		ctx, giveUp := context.WithCancel(t.Context())
		var first sync.Once
		b.meet = func(string, shard.GetOptions) (err error) {
			first.Do(func() {
				<-ctx.Done()
				err = ctx.Err()
			})
			return err
		}
		c := open(t, t.TempDir(), b, cache.Options{})
		var all sync.WaitGroup
		all.Go(func() {
			if _, _, err := c.File(ctx, buckettest.RefOf("text")); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		})
		synctest.Wait()
		all.Go(func() { reads(t, c, "text") })
		synctest.Wait()
		giveUp()
		all.Wait()
	})
}

// damage changes the file at path and keeps its modification time.
func damage(t *testing.T, path string, f func([]byte) []byte) {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	text, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, f(text), 0o600))
	must(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
}

var damages = map[string]func([]byte) []byte{
	"flipped":   func(b []byte) []byte { b[1] ^= 4; return b },
	"truncated": func(b []byte) []byte { return b[:3] },
	"emptied":   func([]byte) []byte { return nil },
	"longer":    func(b []byte) []byte { return append(b, 0) },
}

func TestCache_DamagedFile(t *testing.T) {
	for name, f := range damages {
		t.Run(name, func(t *testing.T) {
			b, dir := newBucket("text"), t.TempDir()
			path := reads(t, open(t, dir, b, cache.Options{}), "text")
			damage(t, path, f)
			c := open(t, dir, b, cache.Options{}) // a restart
			reads(t, c, "text")
			reads(t, c, "text")
			if b.gets.Load() != 2 {
				t.Errorf("%d fetches", b.gets.Load())
			}
		})
	}
}

func TestCache_FileChangedInUse(t *testing.T) {
	b := newBucket("text")
	c := open(t, t.TempDir(), b, cache.Options{})
	path := reads(t, c, "text")
	for i, change := range []func(){
		func() { must(t, os.WriteFile(path, []byte("tex"), 0o600)) },
		func() { must(t, os.Remove(path)) },
		func() {
			must(t, os.WriteFile(path, []byte("tixt"), 0o600))
			must(t, os.Chtimes(path, time.Time{}, time.Unix(int64(1), 0)))
		},
	} {
		change()
		reads(t, c, "text")
		if got := b.gets.Load(); got != int64(i+2) {
			t.Errorf("change %d: %d fetches", i, got)
		}
	}
}

func TestCache_RestartKeepsFiles(t *testing.T) {
	b, dir := newBucket("text"), t.TempDir()
	reads(t, open(t, dir, b, cache.Options{}), "text")
	reads(t, open(t, dir, b, cache.Options{}), "text")
	if b.gets.Load() != 1 {
		t.Errorf("%d fetches", b.gets.Load())
	}
}

func TestCache_DamagedObject(t *testing.T) {
	for name, f := range damages {
		t.Run(name, func(t *testing.T) {
			b, dir, ref := newBucket(), t.TempDir(), buckettest.RefOf("text")
			b.put(ref.Key, string(f([]byte("text"))))
			c := open(t, dir, b, cache.Options{PartSize: 2})
			for range 2 {
				if _, _, err := c.File(t.Context(), ref); !errors.Is(err, shard.ErrDamaged) {
					t.Fatalf("got %v", err)
				}
			}
			holds(t, dir)
			if b.now.Load() != 0 {
				t.Errorf("%d bodies left open", b.now.Load())
			}
			b.put(ref.Key, "text")
			reads(t, c, "text")
		})
	}
}

func TestCache_ObjectReplacedDuringFetch(t *testing.T) {
	b, ref := newBucket("first text"), buckettest.RefOf("first text")
	var replaced atomic.Bool
	b.meet = func(_ string, o shard.GetOptions) error {
		if o.Offset > 0 && replaced.CompareAndSwap(false, true) {
			b.put(ref.Key, "first text") // the same bytes with another ETag
		}
		return nil
	}
	reads(t, open(t, t.TempDir(), b, cache.Options{PartSize: 4, Parts: 1}), "first text")
	if !replaced.Load() || b.gets.Load() < 5 {
		t.Errorf("%d requests", b.gets.Load())
	}
}

func TestCache_EvictsLeastRecentlyUsed(t *testing.T) {
	b, dir := newBucket("aaaa", "bbbb", "cccc", "dddd"), t.TempDir()
	c := open(t, dir, b, cache.Options{Limit: 12})
	for _, text := range []string{"aaaa", "bbbb", "cccc", "aaaa", "dddd"} {
		reads(t, c, text)
	}
	holds(t, dir, "aaaa", "cccc", "dddd")
	_, release, err := c.File(t.Context(), buckettest.RefOf("cccc"))
	must(t, err)
	for _, text := range []string{"aaaa", "dddd", "bbbb", "aaaa"} { // cccc is older but in use
		reads(t, c, text)
	}
	holds(t, dir, "aaaa", "bbbb", "cccc")
	release()
	release() // a second call has no effect
	reads(t, c, "dddd")
	holds(t, dir, "aaaa", "bbbb", "dddd")
}

func TestCache_ObjectLargerThanLimit(t *testing.T) {
	dir := t.TempDir()
	c := open(t, dir, newBucket("a", "much too large"), cache.Options{Limit: 4})
	reads(t, c, "a")
	_, release, err := c.File(t.Context(), buckettest.RefOf("much too large"))
	must(t, err)
	holds(t, dir, "much too large")
	release()
	holds(t, dir)
}

func TestCache_RestartTrimsAndCleansUp(t *testing.T) {
	b, dir := newBucket("aaaa", "bbbb", "cccc"), t.TempDir()
	c := open(t, dir, b, cache.Options{})
	for i, text := range []string{"bbbb", "aaaa", "cccc"} {
		at := time.Unix(1_000_000+int64(i), 0)
		must(t, os.Chtimes(reads(t, c, text), at, at))
	}
	must(t, os.WriteFile(filepath.Join(dir, "~old"), []byte("a draft"), 0o600))
	must(t, os.Chtimes(filepath.Join(dir, "~old"), time.Time{}, time.Unix(1_000_000, 0)))
	open(t, dir, b, cache.Options{Limit: 8})
	holds(t, dir, "aaaa", "cccc")
	for _, name := range []string{"~new", "notes.txt"} { // another process's temporary file and a foreign file
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
		open(t, dir, b, cache.Options{Limit: 8})
		_, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
	}
}

// fullDisk fails to write while the folder contains a complete file.
type fullDisk struct {
	io.WriterAt
	dir string
}

func (d fullDisk) WriteAt(p []byte, at int64) (int, error) {
	if files, err := filepath.Glob(filepath.Join(d.dir, "[0-9a-f]*")); err != nil || len(files) > 0 {
		return 0, &os.PathError{Op: "write", Path: d.dir, Err: syscall.ENOSPC}
	}
	return d.WriterAt.WriteAt(p, at)
}

func TestCache_DiskFull(t *testing.T) {
	b, dir := newBucket("aaaa", "bbbb"), t.TempDir()
	c := open(t, dir, b, cache.Options{})
	reads(t, c, "aaaa")
	c.WriteBy(func(f *os.File) io.WriterAt { return fullDisk{f, dir} })
	_, release, err := c.File(t.Context(), buckettest.RefOf("aaaa"))
	must(t, err)
	_, _, err = c.File(t.Context(), buckettest.RefOf("bbbb")) // aaaa is in use
	var failure *errs.Error
	if !errors.As(err, &failure) || failure.Code != errs.Unavailable || !errors.Is(err, syscall.ENOSPC) || !strings.Contains(failure.Hint, "space") {
		t.Errorf("got %v", err)
	}
	holds(t, dir, "aaaa")
	release()
	reads(t, c, "bbbb")
	holds(t, dir, "bbbb")
}

func TestCache_BrokenTransfer(t *testing.T) {
	b, dir := newBucket("aaaa", "bbbb"), t.TempDir()
	c := open(t, dir, b, cache.Options{PartSize: 2})
	reads(t, c, "aaaa")
	broken := &errs.Error{Code: errs.Unavailable, Op: "test", Message: "the connection was cut"}
	b.through = func(r io.Reader) io.Reader { return io.MultiReader(io.LimitReader(r, 1), iotest.ErrReader(broken)) }
	if _, _, err := c.File(t.Context(), buckettest.RefOf("bbbb")); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	holds(t, dir, "aaaa")
	if b.now.Load() != 0 {
		t.Errorf("%d bodies left open", b.now.Load())
	}
	b.through = nil
	reads(t, c, "bbbb")
}

func TestCache_UnusableFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	_, err := cache.New(filepath.Join(file, "beneath"), newBucket(), cache.Options{})
	if errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("got %v", err)
	}
}

func TestCache_InvalidChecksum(t *testing.T) {
	dir := t.TempDir()
	c := open(t, filepath.Join(dir, "cache"), newBucket("text"), cache.Options{})
	for _, sum := range []string{"", "../secret", strings.Repeat("A", 64)} {
		if _, _, err := c.File(t.Context(), shard.Ref{Key: buckettest.RefOf("text").Key, Size: 4, SHA256: sum}); !errors.Is(err, shard.ErrDamaged) {
			t.Errorf("%q: %v", sum, err)
		}
	}
}
