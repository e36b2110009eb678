// Package buckettest verifies implementations of shard.Bucket and shard.Files.
package buckettest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"lens/internal/errs"
	"lens/store/shard"
)

// Run verifies a Bucket. Each call of open returns a new, empty bucket.
func Run(t *testing.T, open func(t *testing.T) shard.Bucket) {
	for _, c := range []struct {
		promise string
		prove   func(t *testing.T, b shard.Bucket)
	}{
		{"put and get", putAndGet},
		{"get ranges", getRanges},
		{"conditional get", conditionalGet},
		{"conditional put", conditionalPut},
		{"concurrent puts", concurrentPuts},
		{"list", listKeys},
		{"delete", deleteObject},
		{"canceled context", canceledContext},
	} {
		t.Run(c.promise, func(t *testing.T) { c.prove(t, open(t)) })
	}
}

// RunFiles verifies Files. Each call of open returns Files over a new, empty bucket.
func RunFiles(t *testing.T, open func(t *testing.T) (shard.Bucket, shard.Files)) {
	t.Run("file content", func(t *testing.T) {
		b, files := open(t)
		ref := publish(t, b, "some bytes")
		path, release, err := files.File(t.Context(), ref)
		must(t, err)
		defer release()
		if text, err := os.ReadFile(path); err != nil || string(text) != "some bytes" {
			t.Errorf("got %q, %v", text, err)
		}
	})
	t.Run("missing object", func(t *testing.T) {
		_, files := open(t)
		_, _, err := files.File(t.Context(), RefOf("nothing"))
		wantError(t, err, shard.ErrNotFound)
	})
	for name, other := range map[string]string{
		"truncated": "some byte",
		"flipped":   "some bytez",
		"longer":    "some bytes and more",
	} {
		t.Run(name+" object", func(t *testing.T) {
			b, files := open(t)
			ref := RefOf("some bytes")
			put(t, b, ref.Key, other)
			_, _, err := files.File(t.Context(), ref)
			wantError(t, err, shard.ErrDamaged)
		})
	}
}

// RefOf returns the Ref of an object with this text.
func RefOf(text string) shard.Ref {
	sum := sha256.Sum256([]byte(text))
	digits := hex.EncodeToString(sum[:])
	return shard.Ref{Key: "shard-" + digits[:16], Size: int64(len(text)), SHA256: digits}
}

func publish(t *testing.T, b shard.Bucket, text string) shard.Ref {
	ref := RefOf(text)
	put(t, b, ref.Key, text)
	return ref
}

func putAndGet(t *testing.T, b shard.Bucket) {
	for _, key := range []string{"a", "indexes/model=m%2Fn_1.0/dims=3/shard-1", "b"} {
		for _, text := range []string{"first of " + key, "", "second, longer than the first, of " + key} {
			etag := put(t, b, key, text)
			got, info := get(t, b, key, shard.GetOptions{})
			if got != text || info.Size != int64(len(text)) || info.Key != key || info.ETag != etag || etag == "" {
				t.Errorf("got %q, %+v, want %q with ETag %q", got, info, text, etag)
			}
		}
	}
	_, err := b.Get(t.Context(), "c", shard.GetOptions{})
	wantError(t, err, shard.ErrNotFound)
	if code := errs.CodeOf(err); code != errs.NotFound {
		t.Errorf("code %q", code)
	}
}

func getRanges(t *testing.T, b shard.Bucket) {
	put(t, b, "k", "0123456789")
	for _, c := range []struct {
		offset, length int64
		want           string
	}{{0, 0, "0123456789"}, {0, 3, "012"}, {4, 2, "45"}, {4, 0, "456789"}, {9, 1, "9"}, {8, 100, "89"}} {
		got, info := get(t, b, "k", shard.GetOptions{Offset: c.offset, Length: c.length})
		if got != c.want || info.Size != 10 {
			t.Errorf("from %d, %d long: %q of %d, want %q of 10", c.offset, c.length, got, info.Size, c.want)
		}
	}
	_, err := b.Get(t.Context(), "k", shard.GetOptions{Offset: 10, Length: 1})
	wantError(t, err, shard.ErrRange)
}

func conditionalGet(t *testing.T, b shard.Bucket) {
	first := put(t, b, "k", "first")
	second := put(t, b, "k", "secon")
	if first == second {
		t.Fatal("different bytes have the same ETag")
	}
	_, err := b.Get(t.Context(), "k", shard.GetOptions{IfMatch: first})
	wantError(t, err, shard.ErrChanged)
	_, err = b.Get(t.Context(), "k", shard.GetOptions{IfNoneMatch: second})
	wantError(t, err, shard.ErrNotModified)
	for _, o := range []shard.GetOptions{
		{IfMatch: second},
		{IfNoneMatch: first},
		{IfMatch: second, Offset: 1, Length: 2},
	} {
		if got, _ := get(t, b, "k", o); got != "secon" && got != "ec" {
			t.Errorf("%+v: %q", o, got)
		}
	}
}

func conditionalPut(t *testing.T, b shard.Bucket) {
	try := func(text string, o shard.PutOptions) (string, error) {
		return b.Put(t.Context(), "k", Body(text), o)
	}
	_, err := try("none", shard.PutOptions{IfMatch: `"0123456789abcdef0123456789abcdef"`})
	if !errors.Is(err, shard.ErrChanged) && !errors.Is(err, shard.ErrNotFound) { // S3 returns 404 if there is no object
		t.Errorf("got %v", err)
	}
	first, err := try("first", shard.PutOptions{IfAbsent: true})
	must(t, err)
	_, err = try("again", shard.PutOptions{IfAbsent: true})
	wantError(t, err, shard.ErrChanged)
	second, err := try("second", shard.PutOptions{IfMatch: first})
	must(t, err)
	_, err = try("third", shard.PutOptions{IfMatch: first})
	wantError(t, err, shard.ErrChanged)
	if got, info := get(t, b, "k", shard.GetOptions{}); got != "second" || info.ETag != second {
		t.Errorf("got %q with %q, want second with %q", got, info.ETag, second)
	}
}

func concurrentPuts(t *testing.T, b shard.Bucket) {
	base := put(t, b, "k", "base")
	var wins atomic.Int32
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			_, err := b.Put(t.Context(), "k", Body(fmt.Sprint("writer ", i)), shard.PutOptions{IfMatch: base})
			if err == nil {
				wins.Add(1)
			} else if !errors.Is(err, shard.ErrChanged) && errs.CodeOf(err) != errs.Unavailable {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if wins.Load() != 1 {
		t.Errorf("%d puts succeeded, want 1", wins.Load())
	}
}

func listKeys(t *testing.T, b shard.Bucket) {
	keys := []string{"x/b", "x/a", "x/y/c", "xx", "w"}
	for _, key := range keys {
		put(t, b, key, key)
	}
	for prefix, want := range map[string]string{
		"":      "w x/a x/b x/y/c xx",
		"x/":    "x/a x/b x/y/c",
		"x":     "x/a x/b x/y/c xx",
		"x/y/c": "x/y/c",
		"z/":    "",
	} {
		var found []string
		for info, err := range b.List(t.Context(), prefix) {
			must(t, err)
			if info.Size != int64(len(info.Key)) {
				t.Errorf("%+v", info)
			}
			found = append(found, info.Key)
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("under %q: %s, want %s", prefix, got, want)
		}
	}
	for _, err := range b.List(t.Context(), "") {
		if err != nil {
			t.Error(err)
		}
		break // must be possible
	}
}

func deleteObject(t *testing.T, b shard.Bucket) {
	put(t, b, "x/a", "a")
	put(t, b, "x/b", "b")
	must(t, b.Delete(t.Context(), "x/a"))
	must(t, b.Delete(t.Context(), "x/a"))
	_, err := b.Get(t.Context(), "x/a", shard.GetOptions{})
	wantError(t, err, shard.ErrNotFound)
	if got, _ := get(t, b, "x/b", shard.GetOptions{}); got != "b" {
		t.Errorf("got %q", got)
	}
}

func canceledContext(t *testing.T, b shard.Bucket) {
	put(t, b, "k", "text")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := b.Get(ctx, "k", shard.GetOptions{})
	_, putErr := b.Put(ctx, "k", Body("other"), shard.PutOptions{})
	for i, err := range []error{err, putErr, b.Delete(ctx, "k")} {
		if errs.CodeOf(err) != errs.Unavailable {
			t.Errorf("call %d: %v", i, err)
		}
	}
	if got, _ := get(t, b, "k", shard.GetOptions{}); got != "text" {
		t.Errorf("got %q", got)
	}
}

// Body returns a text as the body of a Put.
func Body(text string) *io.SectionReader {
	return io.NewSectionReader(strings.NewReader(text), 0, int64(len(text)))
}

func put(t *testing.T, b shard.Bucket, key, text string) (etag string) {
	t.Helper()
	etag, err := b.Put(t.Context(), key, Body(text), shard.PutOptions{})
	must(t, err)
	return etag
}

func get(t *testing.T, b shard.Bucket, key string, o shard.GetOptions) (text string, info shard.Info) {
	t.Helper()
	object, err := b.Get(t.Context(), key, o)
	must(t, err)
	all, err := io.ReadAll(object.Body)
	must(t, errors.Join(err, object.Body.Close()))
	return string(all), object.Info
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantError checks that err is one of the given errors.
func wantError(t *testing.T, err error, any ...error) {
	t.Helper()
	if !slices.ContainsFunc(any, func(one error) bool { return errors.Is(err, one) }) {
		t.Errorf("got %v, want %v", err, any)
	}
}

// Snapshot reads all objects of a bucket and returns a function that puts them back.
func Snapshot(t *testing.T, b shard.Bucket) (restore func(t *testing.T)) {
	t.Helper()
	objects := map[string]string{}
	for info, err := range b.List(t.Context(), "") {
		must(t, err)
		objects[info.Key], _ = get(t, b, info.Key, shard.GetOptions{})
	}
	return func(t *testing.T) {
		t.Helper()
		for key, text := range objects {
			put(t, b, key, text)
		}
	}
}
