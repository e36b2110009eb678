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
		Code: store.CodeInvalid, Op: "open bucket", Message: "unsupported index location " + scheme + "://",
		Hint: "use a folder, or s3://bucket/prefix",
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

// kept is how many bytes of shards are kept unless it is said.
const kept = 4 << 30

// filesOf returns what keeps a bucket's objects as files: the bucket itself where they are files, else a cache in the data folder. Of a
// cache so many bytes may stay open as leave a quarter of its room to what is published next: what is open is not deleted. 0: all.
func (l *Lens) filesOf(b shard.Bucket) (files shard.Files, open int64, err error) {
	if files, are := b.(shard.Files); are {
		return files, 0, nil
	}
	limit := cmp.Or(l.cfg.ShardsCache, kept)
	files, err = cache.New(filepath.Join(l.cfg.DataDir, "shards"), b, cache.Options{Limit: limit})
	return files, limit - limit/4, err
}
