package shard

import (
	"archive/zip"
	"maps"
	"os"
	"testing"

	"lens/store"
	"lens/store/shard/shardtest"
)

// released returns a bucket with the index of shardtest.Records(40) as the Lens published it whose archives had schema
// version 3. It is never made again: readers of that Lens are deployed, and so are its indexes.
func released(t *testing.T) *countingBucket {
	t.Helper()
	files, err := zip.OpenReader("testdata/schema3.zip")
	must(t, err)
	defer files.Close()
	dir := t.TempDir()
	must(t, os.CopyFS(dir, files))
	return &countingBucket{Folder: NewFolder(dir)}
}

func TestIndex_OfAnEarlierSchema(t *testing.T) {
	st, b := shardtest.Archive(t, shardtest.Records(40)), released(t)
	whole, err := st.Catalog(t.Context())
	must(t, err)
	x := NewIndex(b, b, Options{})
	defer x.Close()
	for _, f := range []store.Filter{{}, filters["an entity"], filters["nothing"]} {
		sameAnswers(t, st, whole, x, f)
	}
}

// Readers that are deployed refuse images of a later schema than theirs, so the present Lens must write the same bytes.
// The file format names the version of SQLite that wrote it: after an update of SQLite alone, compare the schemas of
// the images (sqlite3 .dump), then replace the fixture.
func TestPublish_SameBytesAsAnEarlierSchema(t *testing.T) {
	st, before, now := shardtest.Archive(t, shardtest.Records(40)), released(t), folder(t)
	if p := publish(t, st, before, PublishOptions{}); p.Changed || p.Sent != 0 || len(before.puts) != 0 {
		t.Errorf("published over an equal index: %+v, put %v", p, before.puts)
	}
	publish(t, st, now, PublishOptions{})
	if a, b := objects(t, before), objects(t, now); !maps.Equal(a, b) { // names are checksums
		t.Errorf("published\n%v, earlier\n%v", b, a)
	}
}
