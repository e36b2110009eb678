//go:build system

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
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

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
	return killedChild(t, importing.Command(t, dir, file), commits, after)
}

// killedChild is killedImport for any child that writes to an announcingStore.
func killedChild(t *testing.T, child *exec.Cmd, commits int, after time.Duration) bool {
	t.Helper()
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

// refreshing refreshes the archive in a folder, in a process that the test may kill.
var refreshing = testenv.NewChild("refresh", func(args []string) error {
	ctx, dir := context.Background(), args[0]
	st, err := sqlite.Open(ctx, sqlite.Options{Dir: dir, Verb: "test"})
	if err != nil {
		return err
	}
	fmt.Println("ready")
	_, err = ingest.Refresh(ctx, announcingStore{st}, nil, small)
	return err
})

// TestRefresh_KilledTwentyTimes changes what an archive follows, kills refreshes of it, and refreshes once more: the
// archive is as one that was never killed. Forgotten turns stay away.
func TestRefresh_KilledTwentyTimes(t *testing.T) {
	const rounds, kills = 5, 4
	dir := t.TempDir()
	followed := filepath.Join(dir, "followed")
	chats, notes := filepath.Join(followed, "chats"), filepath.Join(followed, "notes")
	random := rand.New(rand.NewPCG(7, 8))
	change := func(round int) {
		for i := range 4 {
			part := manyChats(30 + 10*round)
			for j := range part {
				part[j].id = fmt.Sprintf("part %d %s", i, part[j].id)
				part[j].updated = 1.7e9 + float64(round)
				for k := range part[j].messages {
					m := &part[j].messages[k]
					m.id, m.text = fmt.Sprintf("part %d %s", i, m.id), fmt.Sprintf("%s in round %d: %s", m.text, round, noise(random, 300))
				}
			}
			writeFile(t, filepath.Join(chats, fmt.Sprint(i), "conversations.json"), part)
			age(t, filepath.Join(chats, fmt.Sprint(i), "conversations.json"), time.Duration(rounds-round)*time.Hour)
		}
		for i := range 30 {
			put(t, notes, fmt.Sprintf("note %d.md", i), fmt.Sprintf("# Note %d\n\nOf round %d. %s", i, round, strings.Repeat("Herons stand. ", 40)))
		}
		put(t, notes, fmt.Sprintf("note of round %d.md", round), "# New\n\nWith words.")
		if round > 0 {
			testenv.Must(t, os.Remove(filepath.Join(notes, fmt.Sprintf("note of round %d.md", round-1))))
		}
	}
	change(0)
	clean := newArchive(t)
	withArchive(t, dir, func(st store.Store) {
		for _, s := range []store.Store{st, clean} {
			for _, path := range []string{chats, notes} {
				imports(t, s, path, 0, small)
			}
			_, err := ingest.Forget(t.Context(), s, ingest.ForgetOptions{Conversations: []uuid.UUID{testID("part 1 " + manyChats(1)[0].id)}})
			testenv.Must(t, err)
		}
	})
	killed := 0
	for round := range rounds {
		change(round + 1)
		for range kills {
			after := time.Duration(random.Int64N(int64(5 * time.Millisecond)))
			if killedChild(t, refreshing.Command(t, dir), random.IntN(5), after) {
				killed++
			}
		}
		withArchive(t, dir, func(st store.Store) {
			for _, s := range []store.Store{st, clean} {
				r, err := ingest.Refresh(t.Context(), s, nil, small)
				testenv.Must(t, err)
				testenv.Must(t, r.Check())
				if r.Forgotten == 0 {
					t.Error("nothing stays forgotten")
				}
			}
			if got, want := exportAll(t, st), exportAll(t, clean); got != want || len(want) < 100_000 {
				t.Errorf("round %d: the export has %d bytes, that of an archive that was not killed %d", round, len(got), len(want))
			}
			if r, err := ingest.Refresh(t.Context(), st, nil, small); err != nil || r.Changed() {
				t.Errorf("round %d: a refresh of nothing new: %+v, %v", round, r.Conversations, err)
			}
		})
	}
	t.Logf("%d of %d refreshes were killed", killed, rounds*kills)
	if killed < rounds*kills/2 {
		t.Errorf("only %d of %d refreshes were killed", killed, rounds*kills)
	}
}

// withArchive opens the archive in a folder for as long as fn runs.
func withArchive(t *testing.T, dir string, fn func(store.Store)) {
	t.Helper()
	st, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir, Verb: "test"})
	testenv.Must(t, err)
	defer st.Close()
	fn(st)
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
