package s3_test

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/store/shard"
	"lens/store/shard/buckettest"
	"lens/store/shard/s3"
	"lens/store/shard/s3/s3test"
)

var shardText = strings.Repeat("the content of a shard ", 20_000) // 460 KB

func TestBody_ResumesAfterInterruption(t *testing.T) {
	address := s3test.New(t).Address()
	put(t, open(t, address, s3.Options{}), "k", shardText)
	for name, l := range map[string]*s3test.Network{
		"cut repeatedly":       s3test.Always(s3test.Fault{After: 100_000, Kind: s3test.Reset}),
		"silent in the middle": s3test.First(s3test.Fault{After: 100_000, Kind: s3test.Silence}),
		"silent at first":      s3test.First(s3test.Fault{Kind: s3test.Silence}),
		"cut in its head":      s3test.First(s3test.Fault{After: 50, Kind: s3test.Reset}),
		"slow":                 s3test.Always(s3test.Fault{Delay: time.Millisecond}),
	} {
		t.Run(name, func(t *testing.T) {
			b := openBy(t, l.Transport(t), address, s3.Options{IdleTimeout: 300 * time.Millisecond, Attempts: 8})
			if got, err := get(t, b, "k"); err != nil || got != shardText {
				t.Errorf("%d bytes of %d, %v", len(got), len(shardText), err)
			}
		})
	}
}

func TestBody_UnreliableNetwork(t *testing.T) {
	address := s3test.New(t).Address()
	ref := buckettest.RefOf(shardText)
	put(t, open(t, address, s3.Options{}), ref.Key, shardText)
	l := &s3test.Network{Fault: func(nth int) s3test.Fault { return s3test.Fault{After: 20_000 * (nth%3 + 1), Kind: s3test.Reset} }}
	c := cached(t, openBy(t, l.Transport(t), address, s3.Options{Attempts: 8}), 64<<10)
	path, release, err := c.File(t.Context(), ref)
	must(t, err)
	defer release()
	if got, err := os.ReadFile(path); err != nil || string(got) != shardText {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if l.Connections.Load() <= 8 {
		t.Errorf("%d connections: nothing failed", l.Connections.Load())
	}
}

func TestBucketList_Interrupted(t *testing.T) {
	address := s3test.New(t).Address()
	put(t, open(t, address, s3.Options{}), "k", "text")
	b := openBy(t, s3test.First(s3test.Fault{After: 500, Kind: s3test.Reset}).Transport(t), address, s3.Options{})
	if got := keys(t, b); got != "k" {
		t.Errorf("got %q", got)
	}
}

func TestBody_ObjectReplaced(t *testing.T) {
	address := s3test.New(t).Address()
	sound := open(t, address, s3.Options{})
	put(t, sound, "k", shardText)
	b := openBy(t, s3test.First(s3test.Fault{After: 100_000, Kind: s3test.Reset}).Transport(t), address, s3.Options{})
	object, err := b.Get(t.Context(), "k", shard.GetOptions{})
	must(t, err)
	defer object.Body.Close()
	put(t, sound, "k", strings.ToUpper(shardText))
	got, err := io.ReadAll(object.Body)
	wantError(t, err, shard.ErrChanged)
	if !strings.HasPrefix(shardText, string(got)) {
		t.Error("the bytes before the failure are wrong")
	}
}

func TestBucket_PersistentFailure(t *testing.T) {
	address := s3test.New(t).Address()
	put(t, open(t, address, s3.Options{}), "k", shardText)
	for name, f := range map[string]s3test.Fault{
		"cut at once":    {Kind: s3test.Reset},
		"cut in a head":  {After: 60, Kind: s3test.Reset},
		"silent at once": {Kind: s3test.Silence},
	} {
		t.Run(name, func(t *testing.T) {
			l, opts := s3test.Always(f), s3.Options{Attempts: 2}
			if f.Kind == s3test.Silence {
				opts.IdleTimeout = 200 * time.Millisecond
			}
			b := openBy(t, l.Transport(t), address, opts)
			_, err := get(t, b, "k")
			wantStoreError(t, err, errs.Unavailable, "cannot reach S3", "network")
			if f.Kind == s3test.Reset && l.Connections.Load() != 2 {
				t.Errorf("%d attempts", l.Connections.Load())
			}
		})
	}
}

func TestBody_PersistentFailure(t *testing.T) {
	address := s3test.New(t).Address()
	put(t, open(t, address, s3.Options{}), "k", shardText)
	l := &s3test.Network{Fault: func(nth int) s3test.Fault {
		if nth == 0 {
			return s3test.Fault{After: 100_000, Kind: s3test.Reset}
		}
		return s3test.Fault{Kind: s3test.Reset}
	}}
	b := openBy(t, l.Transport(t), address, s3.Options{Attempts: 2})
	got, err := get(t, b, "k")
	wantStoreError(t, err, errs.Unavailable, "cannot reach S3", "network")
	if got == "" || !strings.HasPrefix(shardText, got) {
		t.Errorf("%d bytes before the failure", len(got))
	}
}

func TestBucket_Deadline(t *testing.T) {
	address := s3test.New(t).Address()
	put(t, open(t, address, s3.Options{}), "k", shardText)
	for name, f := range map[string]s3test.Fault{
		"silent":           {Kind: s3test.Silence},
		"silent in a body": {After: 100_000, Kind: s3test.Silence},
		"very slow":        {Delay: time.Hour},
		"cut":              {Kind: s3test.Reset},
	} {
		t.Run(name, func(t *testing.T) {
			b := openBy(t, s3test.Always(f).Transport(t), address, s3.Options{Attempts: 1000})
			ctx, cancel := context.WithTimeout(t.Context(), 150*time.Millisecond)
			defer cancel()
			object, err := b.Get(ctx, "k", shard.GetOptions{})
			if err == nil {
				_, err = io.Copy(io.Discard, object.Body)
				_ = object.Body.Close()
			}
			if errs.CodeOf(err) != errs.Unavailable {
				t.Errorf("get: %v", err)
			}
			_, err = b.Put(ctx, "new", buckettest.Body(shardText), shard.PutOptions{})
			wantError(t, err, context.DeadlineExceeded)
			wantStoreError(t, err, errs.Unavailable, "in time", "network")
			for _, err := range b.List(ctx, "") {
				wantError(t, err, context.DeadlineExceeded)
			}
		})
	}
}

func TestBucketPut_LostResponse(t *testing.T) {
	address := s3test.New(t).Address()
	sound := open(t, address, s3.Options{})
	b := openBy(t, s3test.First(s3test.Fault{Kind: s3test.ResetAfterReply}).Transport(t), address, s3.Options{})
	etag, err := b.Put(t.Context(), "k", buckettest.Body(shardText), shard.PutOptions{IfAbsent: true})
	must(t, err)
	object, err := sound.Get(t.Context(), "k", shard.GetOptions{})
	must(t, err)
	must(t, object.Body.Close())
	if object.ETag != etag {
		t.Errorf("got %s, want %s", etag, object.ETag)
	}

	put(t, sound, "taken", "by another")
	b = openBy(t, s3test.First(s3test.Fault{Kind: s3test.ResetAfterReply}).Transport(t), address, s3.Options{})
	_, err = b.Put(t.Context(), "taken", buckettest.Body("by anothes"), shard.PutOptions{IfAbsent: true})
	wantError(t, err, shard.ErrChanged)
}

func TestBody_ClosedEarly(t *testing.T) {
	address := s3test.New(t).Address()
	b := open(t, address, s3.Options{})
	put(t, b, "k", shardText)
	object, err := b.Get(t.Context(), "k", shard.GetOptions{})
	must(t, err)
	_, err = io.ReadFull(object.Body, make([]byte, 10))
	must(t, err)
	must(t, object.Body.Close())
	if _, err := object.Body.Read(make([]byte, 1)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
}
