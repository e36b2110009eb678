package s3_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"lens/store/shard"
	"lens/store/shard/buckettest"
	"lens/store/shard/cache"
	"lens/store/shard/s3"
	"lens/store/shard/s3/s3test"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open returns a bucket over connections that end with the test.
func open(t *testing.T, address string, opts s3.Options) *s3.Bucket {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return openBy(t, transport, address, opts)
}

func openBy(t *testing.T, transport *http.Transport, address string, opts s3.Options) *s3.Bucket {
	t.Helper()
	b, err := s3.New(t.Context(), transport, address, opts)
	must(t, err)
	return b
}

func TestBucket(t *testing.T) {
	buckettest.Run(t, func(t *testing.T) shard.Bucket {
		return open(t, s3test.New(t).Address()+"/some/prefix", s3.Options{})
	})
	buckettest.RunFiles(t, func(t *testing.T) (shard.Bucket, shard.Files) {
		b := open(t, s3test.New(t).Address(), s3.Options{})
		return b, cached(t, b, 4)
	})
}

// cached returns a cache of b that fetches parts of this size.
func cached(t *testing.T, b shard.Bucket, part int64) *cache.Cache {
	t.Helper()
	c, err := cache.New(t.TempDir(), b, cache.Options{PartSize: part, Parts: 4})
	must(t, err)
	return c
}

func TestBucket_Prefix(t *testing.T) {
	address := s3test.New(t).Address()
	whole, part := open(t, address, s3.Options{}), open(t, address+"/some/", s3.Options{})
	put(t, whole, "something", "no")
	put(t, part, "k", "yes")
	if got, want := keys(t, part), "k"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := keys(t, whole), "some/k something"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestBucketList_Pages(t *testing.T) {
	l := s3test.Always(s3test.Fault{}) // counts requests
	b := openBy(t, l.Transport(t), s3test.New(t).Address(), s3.Options{})
	var want []string
	for i := range 12 {
		key := fmt.Sprintf("shard-%02d", i)
		put(t, b, key, key)
		want = append(want, key)
	}
	for n, pages := range map[int32]int64{1: 12, 5: 3, 12: 1, 0: 1} {
		b.PageBy(n)
		before := l.Connections.Load()
		if got := keys(t, b); got != strings.Join(want, " ") || l.Connections.Load()-before != pages {
			t.Errorf("by %d, in %d requests: %s", n, l.Connections.Load()-before, got)
		}
	}
}

func TestBucket_DamagedObjectThroughCache(t *testing.T) {
	text := strings.Repeat("all that is in a shard ", 5000)
	ref := buckettest.RefOf(text)
	for name, damage := range map[string]func(string) error{
		"truncated": func(path string) error { return os.Truncate(path, 70_000) },
		"flipped": func(path string) error {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = f.WriteAt([]byte("A"), 80_000)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := s3test.New(t)
			b := open(t, server.Address(), s3.Options{})
			c := cached(t, b, 16<<10)
			put(t, b, ref.Key, text)
			must(t, damage(filepath.Join(server.Dir, ref.Key)))
			_, _, err := c.File(t.Context(), ref)
			wantError(t, err, shard.ErrDamaged)
			put(t, b, ref.Key, text)
			path, release, err := c.File(t.Context(), ref)
			must(t, err)
			defer release()
			if got, err := os.ReadFile(path); err != nil || string(got) != text {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
}
