package archive

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"lens/cmd/internal/datadir"
	"lens/cmd/internal/doctor"
	"lens/internal/errs"
	"lens/store"
)

func TestDiagnose_OldKeywordIndex(t *testing.T) {
	l := archiveIn(t, t.TempDir())
	if _, err := l.Import(t.Context(), []string{"../../lens/testdata/fixtures/chats.json"},
		ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	age(t, filepath.Join(l.opts.DataDir, datadir.ArchiveFile))
	vectors := func(context.Context, store.Reader) doctor.Check { return doctor.Check{} }
	probe := l.Probe(noFiles, vectors)
	for range 2 {
		status := map[string]doctor.Status{}
		for _, c := range probe(t.Context()) {
			status[c.Name] = c.Status
		}
		if _, asked := status["writer"]; asked || status["archive"] != doctor.OK || status["keywords"] != doctor.Fail ||
			status["turns"] != doctor.OK {
			t.Fatalf("got %v", status)
		}
	}
}

func noFiles(context.Context) []doctor.Check { return nil }

// anIndexer reports a number of unindexed vectors, or an error.
type anIndexer struct {
	store.VectorIndexer
	lacking int
	err     error
}

func (i anIndexer) UnindexedVectors(context.Context) (int, error) { return i.lacking, i.err }

func TestDiagnose_VectorIndex(t *testing.T) {
	for _, c := range []struct {
		indexer anIndexer
		status  doctor.Status
		message string
	}{
		{anIndexer{}, doctor.OK, "up to date"},
		{anIndexer{lacking: 50_000}, doctor.Warn, "missing for 50000 vectors"},
		{
			anIndexer{err: &errs.Error{Code: errs.Unavailable, Message: "the server is gone"}},
			doctor.Fail,
			"the server is gone",
		},
	} {
		check := checkIndex(t.Context(), c.indexer)
		if check.Status != c.status || !strings.Contains(check.Message, c.message) || c.status == doctor.Warn &&
			!strings.Contains(check.Hint, "lens embed") {
			t.Errorf("%+v: got %+v", c.indexer, check)
		}
	}
}

// age marks an archive's keyword index as built by an older version.
func age(t *testing.T, path string) {
	t.Helper()
	db, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Exec("UPDATE archive SET value = value - 1 WHERE key = 'terms'"); err != nil || db.Changes() != 1 {
		t.Fatal(db.Changes(), err)
	}
}

// What takes little is one sum.
func TestDescribeDisk(t *testing.T) {
	use := store.DiskUse{Total: 9e6, Sources: []store.SourceUse{
		{Source: "amp", Texts: 40_000}, {Source: "chatgpt", Texts: 2e6, Vectors: 3e6}, {Source: "grok", Texts: 50_000},
	}}
	for want, small := range map[string]int{
		"9.2 MB; chatgpt 5.0 MB (vectors 3.0 MB); 2 small sources 0.1 MB in all; indexes and the rest 3.9 MB; saved chats 0.2 MB": 3,
		"9.2 MB; chatgpt 5.0 MB (vectors 3.0 MB); 1 small source 0.0 MB; indexes and the rest 4.0 MB; saved chats 0.2 MB":         2,
		"9.2 MB; amp 0.0 MB; indexes and the rest 9.0 MB; saved chats 0.2 MB":                                                     1,
	} {
		some := use
		some.Sources = use.Sources[:small]
		if got := describeDisk(some, 2e5, false); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
