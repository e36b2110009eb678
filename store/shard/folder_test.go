package shard_test

import (
	"os"
	"path/filepath"
	"testing"

	"lens/store/shard"
	"lens/store/shard/buckettest"
)

func TestFolder(t *testing.T) {
	buckettest.Run(t, func(t *testing.T) shard.Bucket { return shard.NewFolder(t.TempDir() + "/made/when/needed") })
	buckettest.RunFiles(t, func(t *testing.T) (shard.Bucket, shard.Files) {
		b := shard.NewFolder(t.TempDir())
		return b, b
	})
}

func TestFolderList_OnlyPrefix(t *testing.T) {
	dir := t.TempDir()
	b := shard.NewFolder(dir)
	if _, err := b.Put(t.Context(), "indexes/k", buckettest.Body("x"), shard.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	closed := filepath.Join(dir, "closed")
	if err := os.Mkdir(closed, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadDir(closed); err == nil {
		t.Skip("NOT as one who may read everything")
	}
	for info, err := range b.List(t.Context(), "indexes/") {
		if err != nil || info.Key != "indexes/k" {
			t.Errorf("got %+v, %v", info, err)
		}
	}
}
