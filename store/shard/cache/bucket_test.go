package cache_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"lens/internal/testenv"
	"lens/store/shard"
	"lens/store/shard/buckettest"
)

// bucket keeps objects in memory, counts requests, and fails as configured.
type bucket struct {
	shard.Bucket // nil: a cache only calls Get

	mu      sync.Mutex
	objects map[string][]byte
	version map[string]int

	gets, bytes, now, most atomic.Int64
	meet                   func(key string, o shard.GetOptions) error // called before every Get; may be nil
	through                func(io.Reader) io.Reader                  // wraps bodies; may be nil
}

func newBucket(objects ...string) *bucket {
	b := &bucket{objects: map[string][]byte{}, version: map[string]int{}}
	for _, text := range objects {
		b.put(buckettest.RefOf(text).Key, text)
	}
	return b
}

func (b *bucket) put(key, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.objects[key] = []byte(text)
	b.version[key]++
}

func (b *bucket) Get(ctx context.Context, key string, o shard.GetOptions) (*shard.Object, error) {
	b.gets.Add(1)
	if b.meet != nil {
		if err := b.meet(key, o); err != nil {
			return nil, err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	all, there := b.objects[key]
	info := shard.Info{Key: key, Size: int64(len(all)), ETag: fmt.Sprint(b.version[key])}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case !there:
		return nil, shard.ErrNotFound
	case o.IfMatch != "" && o.IfMatch != info.ETag:
		return nil, shard.ErrChanged
	case o.IfNoneMatch == info.ETag:
		return nil, shard.ErrNotModified
	}
	all = all[o.Offset:]
	if o.Length > 0 {
		all = all[:min(o.Length, int64(len(all)))]
	}
	var body io.Reader = bytes.NewReader(all)
	if b.through != nil {
		body = b.through(body)
	}
	b.most.Store(max(b.most.Load(), b.now.Add(1)))
	return &shard.Object{Info: info, Body: &reading{body, b}}, nil
}

// reading is an open body. It hides the optional methods of the reader.
type reading struct {
	body io.Reader
	of   *bucket
}

func (r *reading) Read(p []byte) (int, error) {
	n, err := r.body.Read(p)
	r.of.bytes.Add(int64(n))
	return n, err
}

func (r *reading) Close() error {
	r.of.now.Add(-1)
	return nil
}

var must = testenv.Must
