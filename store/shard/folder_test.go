package shard_test

import (
	"testing"

	"lens/store/shard"
	"lens/store/shard/buckettest"
)

func TestAFolderKeepsThePromisesOfABucket(t *testing.T) {
	buckettest.Run(t, func(t *testing.T) shard.Bucket { return shard.NewFolder(t.TempDir() + "/made/when/needed") })
	buckettest.RunFiles(t, func(t *testing.T) (shard.Bucket, shard.Files) {
		b := shard.NewFolder(t.TempDir())
		return b, b
	})
}
