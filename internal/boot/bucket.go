package boot

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"lens/store"
	"lens/store/shard"
	"lens/store/shard/cache"
	"lens/store/shard/s3"
)

// bucket returns what is at a location: a folder, or s3://bucket/prefix. Nothing is asked of it yet.
func (l *Lens) bucket(ctx context.Context, location string) (shard.Bucket, error) {
	scheme, _, isURL := strings.Cut(location, "://")
	switch {
	case !isURL:
		return shard.NewFolder(location), nil
	case scheme == "s3":
		return l.bucketInS3(ctx, location)
	}
	return nil, &store.Error{
		Code: store.CodeInvalid, Op: "open bucket", Message: "an index cannot lie at " + scheme + "://",
		Hint: "name a folder, or s3://bucket/prefix",
	}
}

func (l *Lens) bucketInS3(ctx context.Context, location string) (shard.Bucket, error) {
	b, err := s3.New(ctx, newTransport(l.cfg.Offline), location, s3.Options{})
	if err != nil {
		return nil, err
	}
	if err := l.mayReach(cmp.Or(hostname(b.Endpoint()), "S3")); err != nil {
		return nil, err
	}
	return b, nil
}

// filesOf returns what keeps a bucket's objects as files: the bucket itself where they are files, else a cache in the data folder.
func (l *Lens) filesOf(b shard.Bucket) (shard.Files, error) {
	if files, are := b.(shard.Files); are {
		return files, nil
	}
	return cache.New(filepath.Join(l.cfg.DataDir, "shards"), b, cache.Options{})
}
