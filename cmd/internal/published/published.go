package app

import (
	"context"

	"lens/store/shard"
)

// Published, Verified and ShardProgress are the types of published indexes that front ends need.
type (
	Published     = shard.PublishReport
	Verified      = shard.VerifyReport
	ShardProgress = shard.Progress
)

// The limits and the default of the average shard size, in MB.
const (
	MinShardMB     = shard.MinShardBytes >> 20
	MaxShardMB     = shard.MaxShardBytes >> 20
	DefaultShardMB = shard.DefaultShardBytes >> 20
)

// Publish writes the documents and records of the archive to an index at a location, in shards of about shardMB.
func (l *App) Publish(
	ctx context.Context, location string, shardMB int, prune bool, tell func(ShardProgress),
) (*Published, error) {
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

// VerifyPublished reads every published object at a location and checks it.
func (l *App) VerifyPublished(ctx context.Context, location string) ([]Verified, error) {
	b, err := l.bucket(ctx, location)
	if err != nil {
		return nil, err
	}
	return shard.Verify(ctx, b)
}
