package published

import (
	"cmp"
	"context"
	"strings"

	"lens/cmd/internal/network"
	"lens/internal/errs"
	"lens/store/shard"
	"lens/store/shard/cache"
	"lens/store/shard/s3"
)

// bucket returns the bucket at a location: a folder, or s3://bucket/prefix. It sends no request yet.
func (x *Indexes) bucket(ctx context.Context, location string) (shard.Bucket, error) {
	scheme, _, isURL := strings.Cut(location, "://")
	switch {
	case !isURL:
		return shard.NewFolder(location), nil
	case scheme == "s3":
		return x.bucketInS3(ctx, location)
	}
	return nil, &errs.Error{
		Code: errs.Invalid, Op: "open bucket", Message: "unsupported index location " + scheme + "://",
		Hint: "use a folder or s3://bucket/prefix",
	}
}

func (x *Indexes) bucketInS3(ctx context.Context, location string) (shard.Bucket, error) {
	b, err := s3.New(ctx, x.opts.Network.Transport(), location, s3.Options{})
	if err != nil {
		return nil, err
	}
	if err := x.opts.Network.MayReach(cmp.Or(network.Hostname(b.Endpoint()), "S3")); err != nil {
		return nil, err
	}
	return b, nil
}

// defaultCache is the limit of the shard cache if none is set, in bytes.
const defaultCache = 4 << 30

// filesOf returns a bucket's objects as files: the bucket itself if it stores files, else a cache.
// open is how many bytes of the cache may stay open, 0 for all: open files are not deleted, so a quarter of the cache
// is left for the next index.
func (x *Indexes) filesOf(b shard.Bucket) (files shard.Files, open int64, err error) {
	if files, are := b.(shard.Files); are {
		return files, 0, nil
	}
	limit := cmp.Or(x.opts.CacheBytes, defaultCache)
	files, err = cache.New(x.opts.CacheDir, b, cache.Options{Limit: limit})
	return files, limit - limit/4, err
}
