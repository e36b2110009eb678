// Package published publishes an archive as an index of shards, and retrieves from one: in a folder, or in a bucket of
// S3.
package published

import (
	"context"

	"lens/cmd/internal/models"
	"lens/cmd/internal/network"
	"lens/store"
	"lens/store/shard"
)

// The types of published indexes that front ends need.
type (
	Report   = shard.PublishReport
	Verified = shard.VerifyReport
	Progress = shard.Progress
)

// The limits and the default of the average shard size, in MB.
const (
	MinShardMB     = shard.MinShardBytes >> 20
	MaxShardMB     = shard.MaxShardBytes >> 20
	DefaultShardMB = shard.DefaultShardBytes >> 20
)

// Indexes opens, writes and verifies indexes.
type Indexes struct {
	opts    Options
	models  *models.Models
	archive Archive
}

// Archive opens the archive to publish for reading.
type Archive interface {
	Reading(ctx context.Context) (store.Store, error)
}

// Options says what may be reached, and where shards of an index in S3 are cached.
type Options struct {
	Network    network.Policy
	CacheDir   string
	CacheBytes int64 // 0: 4 GiB
}

// New returns the indexes that may be reached. It opens nothing.
func New(opts Options, m *models.Models, a Archive) *Indexes {
	return &Indexes{opts: opts, models: m, archive: a}
}

// Publish writes the documents and records of the archive to an index at a location, in shards of about shardMB.
func (x *Indexes) Publish(
	ctx context.Context, location string, shardMB int, prune bool, progress func(Progress),
) (*Report, error) {
	to, err := x.bucket(ctx, location)
	if err != nil {
		return nil, err
	}
	st, err := x.archive.Reading(ctx)
	if err != nil {
		return nil, err
	}
	opts := shard.PublishOptions{ShardBytes: int64(shardMB) << 20, Prune: prune, Progress: progress}
	return shard.Publish(ctx, st, to, opts)
}

// Verify reads every published object at a location and checks it.
func (x *Indexes) Verify(ctx context.Context, location string) ([]Verified, error) {
	b, err := x.bucket(ctx, location)
	if err != nil {
		return nil, err
	}
	return shard.Verify(ctx, b)
}
