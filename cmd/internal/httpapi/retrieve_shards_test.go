package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/store"
	"lens/store/shard"
	"lens/store/shard/buckettest"
	"lens/store/shard/cache"
	"lens/store/shard/s3"
	"lens/store/shard/s3/s3test"
	"lens/store/shard/shardtest"
)

// lengths is a model that embeds texts of the same length alike.
type lengths struct {
	dims int
	fail error
}

func (m lengths) Model() (provider, name string) { return shardtest.Provider, shardtest.Model }

func (m lengths) EmbedQuery(_ context.Context, text string) ([]float32, error) {
	unit, err := store.Unit(shardtest.Query(uint64(len(text)))[:m.dims])
	return unit, errors.Join(err, m.fail)
}

var sound = lengths{dims: shardtest.Dims}

// place is where an index is published. Its objects are files in a folder, however they are accessed.
type place struct {
	shard.Bucket
	dir   string
	files func(t *testing.T) shard.Files // initially empty
}

func inFolder(t *testing.T) *place {
	dir := t.TempDir()
	folder := shard.NewFolder(dir)
	return &place{folder, dir, func(*testing.T) shard.Files { return folder }}
}

// inS3 returns an empty bucket of a server, reached over a network.
func inS3(t *testing.T, over *http.Transport) *place {
	server := s3test.New(t)
	return &place{inBucket(t, over, server.Address()), filepath.Join(server.Dir, "of", "ours"), nil}
}

func inBucket(t *testing.T, over *http.Transport, address string) shard.Bucket {
	b, err := s3.New(t.Context(), over, address+"/of/ours", s3.Options{Attempts: 2, IdleTimeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var places = map[string]func(t *testing.T) *place{
	"a folder": inFolder,
	"S3":       func(t *testing.T) *place { return inS3(t, s3test.Always(s3test.Fault{}).Transport(t)) },
}

// published is a published index as a Retriever.
type published struct{ *shard.Index }

func (p published) Narrow(ctx context.Context, f store.Filter) (retrieval.Subset, func(), error) {
	v, release, err := p.Index.View(ctx, f)
	if err != nil {
		return nil, nil, err
	}
	return v, release, nil
}

// serve starts a server for the index published at a place. It looks for a new manifest at every request.
func (p *place) serve(t *testing.T, model lengths, change func(*Options)) *service {
	t.Helper()
	files := p.files
	if files == nil {
		files = func(t *testing.T) shard.Files {
			c, err := cache.New(t.TempDir(), p.Bucket, cache.Options{PartSize: 64 << 10})
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
	}
	index := shard.NewIndex(p.Bucket, files(t), shard.Options{Refresh: -1})
	t.Cleanup(func() { index.Close() })
	return serveFrom(t, retrieval.NewRetriever(published{index}, model), change)
}

func serveFrom(t *testing.T, r Retriever, change func(*Options)) *service {
	return start(t, func(o *Options) {
		o.Retriever = r
		o.Explain = func(err error) (message, hint string) {
			if storeErr := (*errs.Error)(nil); errors.As(err, &storeErr) {
				return storeErr.Message, ""
			}
			return "", ""
		}
		if change != nil {
			change(o)
		}
	})
}

// publish skips the test when time is short: it is slow under the race detector, and the tests of shards cover it.
func publish(t *testing.T, st store.Reader, to shard.Bucket) *shard.PublishReport {
	t.Helper()
	if testing.Short() {
		t.Skip("NOT with -short")
	}
	p, err := shard.Publish(t.Context(), st, to, shard.PublishOptions{ShardBytes: shardtest.Small, Prune: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// retrieved sends a retrieval and returns the response without its timing.
func (s *service) retrieved(parameters string) string {
	s.t.Helper()
	got := s.ask("GET", "/retrieve?"+parameters, "")
	if got.status != http.StatusOK {
		s.t.Fatalf("%s: %d %s", parameters, got.status, got.body)
	}
	var found retrieval.Retrieved
	if err := json.Unmarshal(got.body, &found); err != nil {
		s.t.Fatal(err)
	}
	found.Timing = retrieval.Timing{}
	text, err := json.MarshalIndent(found, "", " ")
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// fails checks that a request fails as the contract says, and that the error discloses nothing.
func (s *service) fails(parameters string, status int, code, says string) {
	s.t.Helper()
	got := s.ask("GET", "/retrieve?"+parameters, "")
	var body errorBody
	if err := json.Unmarshal(got.body, &body); err != nil || got.status != status || body.Error.Code != code || !strings.Contains(body.Error.Message, says) || body.Error.TraceID == "" {
		s.t.Errorf("%.80s: %d %s, want %d %s %q", parameters, got.status, got.body, status, code, says)
	}
	for _, secret := range []string{"test-secret", "test-access", "Signature", "http://", "/tmp", "of/ours", "goroutine"} {
		if bytes.Contains(got.body, []byte(secret)) {
			s.t.Errorf("%q is in %s", secret, got.body)
		}
	}
}

func TestRetrieve_ShardsEqualArchive(t *testing.T) {
	st := shardtest.Archive(t, shardtest.Records(300))
	archive := serveFrom(t, retrieval.New(st, sound), nil)
	for name, at := range places {
		t.Run(name, func(t *testing.T) {
			p := at(t)
			if done := publish(t, st, p); done.Shards < 2 {
				t.Fatalf("published %+v", done)
			}
			s := p.serve(t, sound, nil)
			for _, parameters := range []string{
				"q=number7+word3", "q=number7+word3&mode=hybrid&k=50", "q=common&filter.entity=comic&k=20", "q=word5&filter.id=77&mode=keyword", "q=word1&filter.since=2020-03&filter.until=2020-04&k=50",
				"q=word2+word9&filter.entity=story&filter.urls=u3&mode=keyword", "q=word2&filter.entity=planet", "q=word2&threshold=0.6&k=50", "q=word2&threshold=0.3&k=50&mode=hybrid", "q=word2&filter.until=2019",
			} {
				if got, want := s.retrieved(parameters), archive.retrieved(parameters); got != want {
					t.Errorf("%s:\n%s\nthe archive\n%s", parameters, got, want)
				}
			}
		})
	}
}

func TestRetrieve_NewShardGeneration(t *testing.T) {
	for name, at := range places {
		t.Run(name, func(t *testing.T) {
			p, all := at(t), shardtest.Records(110)
			st := shardtest.Archive(t, all[:100])
			publish(t, st, p)
			s := p.serve(t, sound, nil)
			if got := s.retrieved("q=number105&mode=hybrid"); strings.Contains(got, "number105 common") {
				t.Errorf("before: %s", got)
			}
			shardtest.Put(t, st, all[100:])
			publish(t, st, p)
			if got := s.retrieved("q=number105&mode=hybrid"); !strings.Contains(got, "number105 common") {
				t.Errorf("after: %s", got)
			}
		})
	}
}

func TestRetrieve_BrokenIndexRecovers(t *testing.T) {
	for name, at := range places {
		t.Run(name, func(t *testing.T) {
			p := at(t)
			publish(t, shardtest.Archive(t, shardtest.Records(100)), p)
			want, restore := p.serve(t, sound, nil).retrieved("q=word3"), buckettest.Snapshot(t, p.Bucket)
			for _, f := range shardtest.Faults() {
				t.Run(f.Name, func(t *testing.T) {
					f.Damage(t, p.dir)
					s := p.serve(t, sound, nil)
					code := codes[f.Code].Code
					for range 2 {
						s.fails("q=word3", statusOf[code], code, f.Message)
					}
					restore(t)
					if got := s.retrieved("q=word3"); got != want {
						t.Errorf("healed:\n%s\nwant\n%s", got, want)
					}
				})
			}
		})
	}
}

func TestRetrieve_UnreachableBucketRecovers(t *testing.T) {
	var now atomic.Pointer[s3test.Fault]
	l := &s3test.Network{Fault: func(int) s3test.Fault { return *now.Load() }}
	now.Store(&s3test.Fault{})
	p := inS3(t, l.Transport(t))
	publish(t, shardtest.Archive(t, shardtest.Records(100)), p)
	want := p.serve(t, sound, nil).retrieved("q=word3")
	for name, c := range map[string]struct {
		s3test.Fault
		says string // "": it is a matter of time, and that is short
	}{
		"cut at once":      {s3test.Fault{Kind: s3test.Reset}, "cannot reach S3"},
		"cut in a head":    {s3test.Fault{After: 60, Kind: s3test.Reset}, "cannot reach S3"},
		"silent":           {s3test.Fault{Kind: s3test.Silence}, ""},
		"silent in a body": {s3test.Fault{After: 1200, Kind: s3test.Silence}, ""},
		"very slow":        {s3test.Fault{Delay: time.Hour}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := p.serve(t, sound, func(o *Options) {
				if c.says == "" {
					o.Timeouts.Request = 400 * time.Millisecond
				}
			})
			now.Store(&c.Fault)
			s.fails("q=word3", http.StatusServiceUnavailable, codeUnavailable, c.says)
			now.Store(&s3test.Fault{})
			if got := p.serve(t, sound, nil).retrieved("q=word3"); got != want {
				t.Errorf("healed:\n%s\nwant\n%s", got, want)
			}
		})
	}
	now.Store(&s3test.Fault{Delay: time.Millisecond})
	if got := p.serve(t, sound, nil).retrieved("q=word3"); got != want {
		t.Errorf("slowly:\n%s\nwant\n%s", got, want)
	}
}

func TestRetrieve_BucketAccessDenied(t *testing.T) {
	server := s3test.New(t)
	over := s3test.Always(s3test.Fault{}).Transport(t)
	missing := &place{Bucket: inBucket(t, over, server.Address()+"-not")}
	missing.serve(t, sound, nil).fails("q=x", http.StatusServiceUnavailable, codeUnavailable, "there is no bucket")
	empty := &place{Bucket: inBucket(t, over, server.Address())}
	empty.serve(t, sound, nil).fails("q=x", http.StatusNotFound, codeNotFound, "no index is published there")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "wrong")
	refused := &place{Bucket: inBucket(t, over, server.Address())}
	refused.serve(t, sound, nil).fails("q=x", http.StatusServiceUnavailable, codeUnavailable, "S3 rejected the secret key")
}

func TestRetrieve_ShardErrors(t *testing.T) {
	p := inFolder(t)
	publish(t, shardtest.Archive(t, shardtest.Records(50)), p)
	s := p.serve(t, sound, nil)
	s.fails("q=+", http.StatusBadRequest, codeInvalid, "")
	s.fails("q=x&filter.since=2024&filter.until=2023", http.StatusBadRequest, codeInvalid, "")
	s.fails("q="+strings.Repeat("x", 8<<10+1), http.StatusRequestEntityTooLarge, codeTooLarge, "")
	p.serve(t, lengths{dims: 8}, nil).fails("q=x", http.StatusConflict, codeDimension, "Expected 16, got 8")
	p.serve(t, lengths{dims: 16, fail: fmt.Errorf("of test-secret")}, nil).fails("q=x", http.StatusInternalServerError, codeInternal, "internal error")
	limited := p.serve(t, sound, func(o *Options) { o.Rate = 1e-9 })
	limited.retrieved("q=x")
	limited.fails("q=x", http.StatusTooManyRequests, codeRateLimited, "")
	inFolder(t).serve(t, sound, nil).fails("q=x", http.StatusNotFound, codeNotFound, "no index is published there")
}
