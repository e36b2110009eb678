package boot

import (
	"context"
	"net/http"
	"strings"
	"sync"

	"lens/retrieval"
	"lens/store"
	"lens/store/shard"
)

// Published, Verified and ShardProgress are what faces need of published indexes.
type (
	Published     = shard.Published
	Verified      = shard.Verified
	ShardProgress = shard.Progress
)

// The sizes that a shard may have on average, in MB.
const (
	MinShardMB     = shard.MinShardBytes >> 20
	MaxShardMB     = shard.MaxShardBytes >> 20
	DefaultShardMB = shard.DefaultShardBytes >> 20
)

// A BucketOpener returns the bucket at a location such as s3://bucket/prefix, and what keeps its objects as files. Everything that it
// sends goes through client.
type BucketOpener func(ctx context.Context, location string, client *http.Client) (shard.Bucket, shard.Files, error)

var bucketOpeners = map[string]BucketOpener{}

// RegisterBucket makes the locations of a scheme known: whoever links the package that can open them calls it while the program starts. A
// lens for people is built without, since what speaks to S3 would make it several times as slow to start.
func RegisterBucket(scheme string, open BucketOpener) { bucketOpeners[scheme] = open }

// bucket opens a location: a folder, or what was registered.
func (l *Lens) bucket(ctx context.Context, location string) (shard.Bucket, shard.Files, error) {
	scheme, _, isURL := strings.Cut(location, "://")
	if !isURL {
		folder := shard.NewFolder(location)
		return folder, folder, nil
	}
	open, known := bucketOpeners[scheme]
	if !known {
		return nil, nil, &store.Error{
			Code: store.CodeInvalid, Op: "open bucket", Message: "this lens cannot reach " + scheme + "://",
			Hint: "name a folder, or build lens with -tags s3 for s3://",
		}
	}
	return open(ctx, location, newClient(l.cfg.Offline))
}

// Publish makes the documents and records of the archive an index at a location, of shards of about so many MB.
func (l *Lens) Publish(ctx context.Context, location string, shardMB int, prune bool, tell func(ShardProgress)) (*Published, error) {
	to, _, err := l.bucket(ctx, location)
	if err != nil {
		return nil, err
	}
	st, err := l.reading(ctx)
	if err != nil {
		return nil, err
	}
	return shard.Publish(ctx, st, to, shard.PublishOptions{ShardBytes: int64(shardMB) << 20, Prune: prune, Tell: tell})
}

// VerifyPublished reads all that is published at a location.
func (l *Lens) VerifyPublished(ctx context.Context, location string) ([]Verified, error) {
	b, _, err := l.bucket(ctx, location)
	if err != nil {
		return nil, err
	}
	return shard.Verify(ctx, b)
}

// Shelf is a published index that is retrieved from. What cannot be opened now may be later: it is tried again by whoever asks.
type Shelf struct {
	lens     *Lens
	location string

	mu        sync.Mutex
	index     *shard.Index
	retriever *retrieval.Retriever
}

// Shelf returns the index at a location, of which nothing is read yet.
func (l *Lens) Shelf(location string) *Shelf { return &Shelf{lens: l, location: location} }

// Retriever returns what retrieves from the index. Queries are embedded by the configured model, and where there is none by the built-in
// one that the index was made with.
func (s *Shelf) Retriever(ctx context.Context) (*retrieval.Retriever, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.retriever != nil {
		return s.retriever, nil
	}
	s.lens.mu.Lock()
	configured, err := s.lens.openModel()
	s.lens.mu.Unlock()
	if err != nil {
		configured = nil
	}
	if s.index == nil {
		if err := s.open(ctx, configured); err != nil {
			return nil, err
		}
	}
	embedder, err := s.embedder(ctx, configured)
	if err != nil {
		return nil, err
	}
	s.retriever = retrieval.NewRetriever(shelved{s.index}, embedder)
	return s.retriever, nil
}

func (s *Shelf) open(ctx context.Context, configured *model) error {
	bucket, files, err := s.lens.bucket(ctx, s.location)
	if err != nil {
		return err
	}
	var opts shard.Options
	if configured != nil {
		_, opts.Model = configured.Model()
	}
	s.index = shard.NewIndex(bucket, files, opts)
	return nil
}

// embedder returns the configured model, or the built-in one of the index; nil for none.
func (s *Shelf) embedder(ctx context.Context, configured *model) (retrieval.Embedder, error) {
	if configured != nil {
		return configured, nil
	}
	of, err := s.index.Model(ctx)
	if err != nil {
		return nil, err
	}
	s.lens.mu.Lock()
	defer s.lens.mu.Unlock()
	if m, ok := s.lens.installed(of.Provider, of.ID); ok {
		s.lens.stand = m // to be closed with the Lens
		return m, nil
	}
	return nil, nil
}

// Close gives back what is open of the index.
func (s *Shelf) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.index == nil {
		return nil
	}
	return s.index.Close()
}

// shelved is an index as retrieval wants it.
type shelved struct{ index *shard.Index }

// Narrow implements retrieval.Corpus.
func (s shelved) Narrow(ctx context.Context, f store.Filter) (retrieval.Part, func(), error) {
	view, release, err := s.index.Narrow(ctx, f)
	if err != nil {
		return nil, nil, err // and no nil of a view's type in an interface
	}
	return view, release, nil
}
