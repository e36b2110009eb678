//go:build system

package ingest_test

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest"
	"lens/store/sqlite"
)

// small makes many transactions of a small export.
var small = ingest.Options{BatchBytes: 64 << 10}

// importing imports a file beside the archive in a folder, in a process that the test may kill.
var importing = testenv.NewChild("import", func(args []string) error {
	ctx, dir, file := context.Background(), args[0], args[1]
	st, err := sqlite.Open(ctx, sqlite.Options{Dir: dir, Verb: "test"})
	if err != nil {
		return err
	}
	fmt.Println("ready")
	_, err = ingest.Import(ctx, announcingStore{st}, []string{filepath.Join(dir, file)}, small)
	return err
})

// announcingStore is an archive that prints a line after every commit, and continues when it reads a byte.
type announcingStore struct{ store.Store }

func (a announcingStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	err := a.Store.Update(ctx, fn)
	if err != nil {
		return err
	}
	fmt.Println("committed")
	_, err = os.Stdin.Read(make([]byte, 1))
	return err
}

// killedImport starts an import in a child process and kills it some time after a number of commits; it may commit once
// more until then. It reports whether the child was killed: a child with fewer commits is not.
func killedImport(t *testing.T, dir, file string, commits int, after time.Duration) bool {
	t.Helper()
	child := importing.Command(t, dir, file)
	out, err := child.StdoutPipe()
	testenv.Must(t, err)
	in, err := child.StdinPipe()
	testenv.Must(t, err)
	testenv.Must(t, child.Start())
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "ready" {
		t.Fatalf("the child says %q", lines.Text())
	}
	kill := func() { _ = child.Process.Kill() } // it may just have finished
	for n := 0; ; n++ {
		if n == commits {
			defer time.AfterFunc(after, kill).Stop()
		}
		if !lines.Scan() {
			break
		}
		if lines.Text() != "committed" {
			t.Errorf("the child says %q", lines.Text())
		}
		if n < commits {
			_, _ = in.Write([]byte{1}) // it may have been killed
		}
	}
	return child.Wait() != nil
}

func TestImport_KilledTwentyTimes(t *testing.T) {
	turns, kills := 3000, 20
	if testing.Short() {
		turns, kills = 1500, 10
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "export.json")
	testenv.Must(t, testenv.WriteDemo(file, demo.Options{Turns: turns}))
	if killedImport(t, copyOf(t, file), "export.json", math.MaxInt, 0) {
		t.Fatal("a child that was not killed failed")
	}
	random := rand.New(rand.NewPCG(1, 2))
	killed, halfway := 0, 0
	for range kills {
		if killedImport(t, dir, "export.json", random.IntN(3), time.Duration(random.Int64N(int64(5*time.Millisecond)))) {
			killed++
		}
		if n := countStored(t, dir); n > 0 && n < turns/5 {
			halfway++
		}
	}
	t.Logf("%d of %d children were killed, %d with some conversations written", killed, kills, halfway)
	if killed < kills/2 || halfway < 3 {
		t.Errorf("of %d children only %d were killed, %d with some conversations written", kills, killed, halfway)
	}

	st, clean := archiveIn(t, dir), newArchive(t)
	for _, s := range []struct {
		what string
		run  func() (*ingest.Receipt, error)
	}{
		{"the rest", func() (*ingest.Receipt, error) { return ingest.Import(t.Context(), st, []string{file}, small) }},
		{"clean", func() (*ingest.Receipt, error) { return ingest.Import(t.Context(), clean, []string{file}, small) }},
	} {
		if r, err := s.run(); err != nil || r.Check() != nil {
			t.Fatalf("%s: %v, %v", s.what, err, r.Check())
		}
	}
	if got, want := exportAll(t, st), exportAll(t, clean); got != want || len(want) < turns*350 {
		t.Errorf("the export has %d bytes, that of a clean import %d", len(got), len(want))
	}
	if got, want := len(found(t, st, "sourdough")), len(found(t, clean, "sourdough")); got != want || want == 0 {
		t.Errorf("%d turns are found by a word, %d after a clean import", got, want)
	}
}

func TestImportDocuments_KilledTenTimes(t *testing.T) {
	dir := folderOf(t, nil)
	for i := range 120 {
		put(t, dir, fmt.Sprintf("docs/note %d.md", i), fmt.Sprintf("# Note %d\n\n%s", i, strings.Repeat(fmt.Sprintf("Heron %d stands in the water. ", i), 60)))
	}
	random := rand.New(rand.NewPCG(3, 4))
	killed := 0
	for range 10 {
		if killedImport(t, dir, "docs", random.IntN(4), time.Duration(random.Int64N(int64(3*time.Millisecond)))) {
			killed++
		}
	}
	if killed < 4 {
		t.Errorf("only %d of 10 children were killed", killed)
	}
	st, clean := archiveIn(t, dir), newArchive(t)
	for _, s := range []store.Store{st, clean} {
		importingFolder(t, s, filepath.Join(dir, "docs"), small)
	}
	if got, want := exportAll(t, st), exportAll(t, clean); got != want || len(want) < 100_000 {
		t.Errorf("the export has %d bytes, that of a clean import %d", len(got), len(want))
	}
}

// TestImport_KilledOverAllSources kills imports of a folder that has files of every source, an export and sessions. The fixtures of all formats are in it where they are beside the repository.
func TestImport_KilledOverAllSources(t *testing.T) {
	turns, kills := 1500, 20
	if testing.Short() {
		turns, kills = 500, 10
	}
	dir := t.TempDir()
	mixed := filepath.Join(dir, "mixed")
	fixtures, err := filepath.Glob("source/*/testdata")
	testenv.Must(t, err)
	for _, from := range fixtures {
		testenv.Must(t, os.CopyFS(filepath.Join(mixed, filepath.Base(filepath.Dir(from))), os.DirFS(from)))
	}
	if shared := testenv.SharedPath("exports/sources"); isFolder(shared) {
		testenv.Must(t, os.CopyFS(filepath.Join(mixed, "shared"), os.DirFS(shared)))
	}
	export := filepath.Join(mixed, "export", "conversations.json")
	testenv.Must(t, os.MkdirAll(filepath.Dir(export), 0o700))
	testenv.Must(t, testenv.WriteDemo(export, demo.Options{Turns: turns}))
	sessions, _, _ := testenv.Sessions(t, 1, 1<<20)
	testenv.Must(t, os.CopyFS(filepath.Join(mixed, "sessions"), os.DirFS(sessions)))
	random := rand.New(rand.NewPCG(5, 6))
	killed := 0
	for range kills {
		if killedImport(t, dir, "mixed", random.IntN(5), time.Duration(random.Int64N(int64(5*time.Millisecond)))) {
			killed++
		}
	}
	st, clean := archiveIn(t, dir), newArchive(t)
	sources := map[string]bool{}
	for _, s := range []store.Store{st, clean} {
		r, err := ingest.Import(t.Context(), s, []string{mixed}, small)
		testenv.Must(t, err)
		testenv.Must(t, r.Check())
		for i := range r.Files {
			sources[string(r.Files[i].Format)] = true
		}
	}
	t.Logf("%d of %d children were killed, over files of %d formats: %v", killed, kills, len(sources), sources)
	if killed < kills/2 || len(sources) < 20 {
		t.Errorf("only %d of %d children were killed, over files of %d formats", killed, kills, len(sources))
	}
	if got, want := exportAll(t, st), exportAll(t, clean); got != want || len(want) < turns*350 {
		t.Errorf("the export has %d bytes, that of a clean import %d", len(got), len(want))
	}
	if got, want := len(found(t, st, "sourdough")), len(found(t, clean, "sourdough")); got != want || want == 0 {
		t.Errorf("%d turns are found by a word, %d after a clean import", got, want)
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// copyOf returns a folder with only a copy of the export.
func copyOf(t *testing.T, file string) string {
	t.Helper()
	dir := t.TempDir()
	raw, err := os.ReadFile(file)
	testenv.Must(t, err)
	testenv.Must(t, os.WriteFile(filepath.Join(dir, filepath.Base(file)), raw, 0o600))
	return dir
}

// countStored counts the conversations in an archive that is not open.
func countStored(t *testing.T, dir string) int {
	t.Helper()
	st, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir, Verb: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	catalog, err := st.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return len(catalog.Conversations)
}
