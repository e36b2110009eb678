//go:build unix

package shard

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"lens/store/shard/shardtest"
)

func TestPublish_FileModesFollowUmask(t *testing.T) {
	skipIfShort(t)
	st, b := shardtest.Archive(t, shardtest.Records(20)), folder(t)
	before := syscall.Umask(0o077)
	defer syscall.Umask(before)
	publish(t, st, b, PublishOptions{})
	for key := range objects(t, b) {
		info, err := os.Stat(filepath.Join(b.dir, key))
		must(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has %s", key, info.Mode())
		}
	}
}
