package ingest_test

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
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

// importAsChild imports the file beside the archive, in a child process that the test may kill.
func importAsChild(dir string) int {
	st, err := sqlite.Open(context.Background(), sqlite.Options{Dir: dir, Verb: "test"})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("ready")
	if _, err := ingest.Import(context.Background(), announcingStore{st}, []string{filepath.Join(dir, os.Getenv("LENS_INGEST_FILE"))}, small); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

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
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), "LENS_INGEST_CHILD="+dir, "LENS_INGEST_FILE="+file)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
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
	if got, want := postings(t, st, "sourdough"), postings(t, clean, "sourdough"); got != want || want == 0 {
		t.Errorf("%d turns are found by a word, %d after a clean import", got, want)
	}
}

// copyOf returns a folder with only a copy of the export.
func copyOf(t *testing.T, file string) string {
	t.Helper()
	dir := t.TempDir()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), raw, 0o600); err != nil {
		t.Fatal(err)
	}
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
