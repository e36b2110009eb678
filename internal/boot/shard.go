package boot

import (
	"context"

	"lens/store/shard"
)

// Published, Verified and ShardProgress are what faces need of published indexes.
type (
	Published     = shard.PublishReport
	Verified      = shard.VerifyReport
	ShardProgress = shard.Progress
)

// The sizes that a shard may have on average, in MB.
const (
	MinShardMB     = shard.MinShardBytes >> 20
	MaxShardMB     = shard.MaxShardBytes >> 20
	DefaultShardMB = shard.DefaultShardBytes >> 20
)

// Publish makes the documents and records of the archive an index at a location, of shards of about so many MB.
func (l *Lens) Publish(ctx context.Context, location string, shardMB int, prune bool, tell func(ShardProgress)) (*Published, error) {
	to, err := l.bucket(ctx, location)
	if err != nil {
		return nil, err
	}
	st, err := l.reading(ctx)
	if err != nil {
		return nil, err
	}
	return shard.Publish(ctx, st, to, shard.PublishOptions{ShardBytes: int64(shardMB) << 20, Prune: prune, Progress: tell})
}

// VerifyPublished reads all that is published at a location.
func (l *Lens) VerifyPublished(ctx context.Context, location string) ([]Verified, error) {
	b, err := l.bucket(ctx, location)
	if err != nil {
		return nil, err
	}
	return shard.Verify(ctx, b)
}
