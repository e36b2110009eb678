package s3_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store/shard"
	"lens/store/shard/buckettest"
)

var must = testenv.Must

func wantError(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
}

// wantStoreError checks the code, message and hint of err.
func wantStoreError(t testing.TB, err error, code errs.Code, message, hint string) {
	t.Helper()
	var failure *errs.Error
	switch {
	case !errors.As(err, &failure):
		t.Errorf("got %v, want a *errs.Error", err)
	case failure.Code != code || !strings.Contains(failure.Message, message) || !strings.Contains(failure.Hint, hint) || failure.Hint == "":
		t.Errorf("got %s, %q, hint %q (%v); want %s, %q, hint %q", failure.Code, failure.Message, failure.Hint, failure.Err, code, message, hint)
	}
}

func put(t testing.TB, b shard.Bucket, key, text string) (etag string) {
	t.Helper()
	etag, err := b.Put(t.Context(), key, buckettest.Body(text), shard.PutOptions{})
	must(t, err)
	return etag
}

func get(t testing.TB, b shard.Bucket, key string) (string, error) {
	t.Helper()
	object, err := b.Get(t.Context(), key, shard.GetOptions{})
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(object.Body)
	must(t, object.Body.Close())
	return string(text), err
}

func keys(t testing.TB, b shard.Bucket) string {
	t.Helper()
	var all []string
	for info, err := range b.List(t.Context(), "") {
		must(t, err)
		all = append(all, info.Key)
	}
	return strings.Join(all, " ")
}
