package boot

import (
	"path/filepath"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"lens/internal/config"
)

func TestADiagnosisOfAnOlderKeywordIndexLeavesItAsItIs(t *testing.T) {
	l := newLens(t, config.Config{DataDir: t.TempDir()})
	if _, err := l.Import(t.Context(), []string{"../../cmd/lens/testdata/fixtures/chats.json"}, ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	age(t, filepath.Join(l.Config().DataDir, archiveFile))
	for range 2 {
		status := map[string]Status{}
		for _, c := range l.Diagnose(t.Context()) {
			status[c.Name] = c.Status
		}
		if _, asked := status["writer"]; asked || status["archive"] != OK || status["keywords"] != Fail || status["turns"] != OK {
			t.Fatalf("got %v", status)
		}
	}
}

// age makes an archive's keyword index one of older rules.
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
