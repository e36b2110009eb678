package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"
	"github.com/pressly/goose/v3"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/storetest"
	"lens/store/terms"
)

func TestOpen_ReportsFaultAndChangesNothing(t *testing.T) {
	for _, c := range []struct {
		name     string
		spoil    func(t *testing.T, dir string)
		readOnly bool
		code     errs.Code
		message  string
	}{
		{"not a database", func(t *testing.T, dir string) {
			overwrite(t, dir, "lens.db", strings.Repeat("not a database ", 1000))
		}, false, errs.Invalid, "is not a Lens archive"},
		{"another program's database", func(t *testing.T, dir string) {
			execute(t, dir, "CREATE TABLE bookmarks (url)")
		}, false, errs.Invalid, "is not a Lens archive"},
		{"a newer schema", func(t *testing.T, dir string) {
			migrated(t, dir)
			execute(t, dir, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)")
		}, false, errs.Invalid, "newer Lens"},
		{"an older schema, for reading only", func(t *testing.T, dir string) {
			migrated(t, dir)
			execute(t, dir, "DELETE FROM goose_db_version WHERE version_id > 0")
		}, true, errs.Invalid, "older Lens"},
		{"nothing, for reading only", func(*testing.T, string) {}, true, errs.NotFound, "there is no archive"},
		{"a file where the folder should be", func(t *testing.T, dir string) {
			must(t, os.Remove(dir))
			must(t, os.WriteFile(dir, nil, 0o600))
		}, false, errs.Unavailable, "cannot use the folder"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			c.spoil(t, dir)
			before, _ := os.ReadFile(filepath.Join(dir, "lens.db"))
			_, err := Open(t.Context(), Options{Dir: dir, ReadOnly: c.readOnly})
			wantError(t, err, c.code, c.message)
			if after, _ := os.ReadFile(filepath.Join(dir, "lens.db")); string(after) != string(before) {
				t.Error("the file was changed")
			}
		})
	}
}

// indexedBy creates an archive of n turns with the text "word". Its keyword index was built by another version of
// the rules, which made another term of the word.
func indexedBy(t *testing.T, version, n int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	s, err := Open(t.Context(), Options{Dir: dir})
	must(t, err)
	c := storetest.Chat(n, "word")
	must(t, put(t.Context(), s, c))
	must(t, s.Update(t.Context(), func(tx store.Tx) error {
		return tx.AddTerms(t.Context(), []store.Ord{c.Turns[0].Ord}, store.ListTerms([]store.TermCount{{Term: "other", Count: 1}}))
	}))
	must(t, s.Close())
	// Change the row that the store wrote; without that row the test would prove nothing.
	execute(t, dir, fmt.Sprintf("UPDATE archive SET value = value + %d WHERE key = 'terms'", version-terms.Version))
	return dir
}

// count returns the number of turns in the archive, read one by one.
func count(t *testing.T, s *Store) (n int) {
	t.Helper()
	for _, err := range s.EachTurn(t.Context(), store.Filter{}) {
		must(t, err)
		n++
	}
	return n
}

func occurrences(t *testing.T, s *Store, word string) int {
	t.Helper()
	lists, err := s.Postings(t.Context(), []string{word})
	must(t, err)
	return len(lists[0].Ords)
}

func TestReindex_OlderRules(t *testing.T) {
	const n = 5000 // more than one segment
	dir := indexedBy(t, terms.Version-1, n)
	reader := openIn(t, Options{Dir: dir, ReadOnly: true})
	if count(t, reader) != n {
		t.Error("cannot read the turns")
	}
	wantError(t, reader.CheckKeywordIndex(), errs.Unavailable, "indexed by an older Lens")
	_, err := reader.Postings(t.Context(), []string{"word"})
	wantError(t, err, errs.Unavailable, "indexed by an older Lens")

	var notices []string
	s := openIn(t, Options{Dir: dir, Notice: func(sentence string) { notices = append(notices, sentence) }})
	must(t, s.CheckKeywordIndex())
	if word, other := occurrences(t, s, "word"), occurrences(t, s, "other"); word != n || other != 0 || len(notices) != 1 {
		t.Errorf("word in %d turns, other in %d, notices %q; want %d, 0 and one", word, other, notices, n)
	}
	catalog, err := s.Catalog(t.Context())
	must(t, err)
	if catalog.TotalLength != 2*n { // once in the user text, once in the reply
		t.Errorf("all turns have %d terms, want %d", catalog.TotalLength, 2*n)
	}
	must(t, openIn(t, Options{Dir: dir, ReadOnly: true}).CheckKeywordIndex())
	openIn(t, Options{Dir: dir, Notice: func(string) { t.Error("the index is rebuilt a second time") }})
}

func TestReindex_NewerRules(t *testing.T) {
	dir := indexedBy(t, terms.Version+1, 3)
	_, err := Open(t.Context(), Options{Dir: dir})
	wantError(t, err, errs.Unavailable, "indexed by a newer Lens")
	reader := openIn(t, Options{Dir: dir, ReadOnly: true})
	wantError(t, reader.CheckKeywordIndex(), errs.Unavailable, "indexed by a newer Lens")
	if count(t, reader) != 3 {
		t.Error("cannot read the turns")
	}
}

func overwrite(t *testing.T, dir, name, content string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
}

func execute(t *testing.T, dir, sql string) {
	t.Helper()
	db, err := sqlite3.Open(filepath.Join(dir, "lens.db"))
	must(t, err)
	must(t, db.Exec(sql))
	must(t, db.Close())
}

// migrated creates an empty archive in dir.
func migrated(t *testing.T, dir string) {
	t.Helper()
	s, err := Open(t.Context(), Options{Dir: dir})
	must(t, err)
	must(t, s.Close())
}

func TestErrors_DamagedArchive(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), Options{Dir: dir})
	must(t, err)
	must(t, put(t.Context(), s, storetest.Chat(3000, "word")))
	must(t, s.Close())
	path := filepath.Join(dir, "lens.db")
	file, err := os.ReadFile(path)
	must(t, err)
	for i := 20 * archivePage; i < len(file); i++ {
		file[i] ^= 0x5a
	}
	must(t, os.WriteFile(path, file, 0o600))
	s = openIn(t, Options{Dir: dir})
	_, err = s.Catalog(t.Context())
	wantError(t, err, errs.Unavailable, "damaged")
}

func TestErrors_DamagedRow(t *testing.T) {
	dir := t.TempDir()
	embedded(t, dir, 5)
	execute(t, dir, "UPDATE term_blocks SET data = x'ffffffff'")
	execute(t, dir, "UPDATE message_embeddings SET vector = x'ff' WHERE seq = 3")
	s := openIn(t, Options{Dir: dir})
	_, err := s.Postings(t.Context(), []string{"word"})
	wantError(t, err, errs.Unavailable, "damaged")
	_, err = s.Nearest(t.Context(), []float32{1, 0, 0, 0}, store.Filter{}, 5)
	wantError(t, err, errs.Unavailable, "damaged")
}

func TestErrors_FullDiskLosesNothing(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir()})
	must(t, put(t.Context(), s, storetest.Chat(10, "kept")))
	must(t, s.writer.Exec("PRAGMA max_page_count = 60"))
	err := put(t.Context(), s, storetest.Chat(10, strings.Repeat("too much ", 10_000)))
	wantError(t, err, errs.Unavailable, "the disk is full")
	must(t, s.writer.Exec("PRAGMA max_page_count = 1000000"))
	must(t, put(t.Context(), s, storetest.Chat(10, "afterwards")))
	catalog, err := s.Catalog(t.Context())
	must(t, err)
	if catalog.Len() != 20 {
		t.Errorf("%d turns, want 20", catalog.Len())
	}
}

func TestErrors_IOErrorWithoutFreeSpace(t *testing.T) {
	s := &Store{dir: t.TempDir()}
	failed := fmt.Errorf("PutMessage: %w", sqlite3.IOERR_WRITE)
	wantError(t, s.explain(t.Context(), "update", failed), errs.Unavailable, "cannot read or write the archive")
	limitFreeSpace(t, 4096)
	wantError(t, s.explain(t.Context(), "update", failed), errs.Unavailable, "the disk is full")
}

// limitFreeSpace lets the disk have only that many bytes free, until the test ends or the returned function is called.
func limitFreeSpace(t *testing.T, bytes int64) (lift func()) {
	before := freeSpace
	freeSpace = func(string) (int64, bool) { return bytes, true }
	lift = func() { freeSpace = before }
	t.Cleanup(lift)
	return lift
}

func TestMigrate_NeedsSpace(t *testing.T) {
	dir := t.TempDir()
	migrated(t, dir)
	must(t, withMigrations("file:"+filepath.Join(dir, "lens.db"), func(p *goose.Provider) error {
		_, err := p.Down(t.Context())
		return err
	}))
	lift := limitFreeSpace(t, 4096)
	_, err := Open(t.Context(), Options{Dir: dir})
	wantError(t, err, errs.Unavailable, "upgrading the archive needs 1 MB, and the disk has 0 MB free")
	_, err = Open(t.Context(), Options{Dir: dir, ReadOnly: true})
	wantError(t, err, errs.Invalid, "older Lens") // still
	lift()
	openIn(t, Options{Dir: dir})
}

func TestReindex_NeedsSpace(t *testing.T) {
	const n = 200
	dir := indexedBy(t, terms.Version-1, n)
	lift := limitFreeSpace(t, 100)
	_, err := Open(t.Context(), Options{Dir: dir})
	wantError(t, err, errs.Unavailable, "rebuilding the keyword index needs")
	reader := openIn(t, Options{Dir: dir, ReadOnly: true})
	if count(t, reader) != n {
		t.Error("cannot read the turns")
	}
	lift()
	if found := occurrences(t, openIn(t, Options{Dir: dir}), "word"); found != n {
		t.Errorf("the word is in %d turns after rebuilding, want %d", found, n)
	}
}

func TestFreeSpace_MissingFolder(t *testing.T) {
	if free, known := freeSpace(t.TempDir()); !known || free <= 0 {
		t.Errorf("got %d, %v", free, known)
	}
	if _, known := freeSpace(filepath.Join(t.TempDir(), "nowhere")); known {
		t.Error("got free space of a missing folder")
	}
}

// trying reports which operations work on an archive in a folder without write permission.
var trying = testenv.NewChild("read and write", func(args []string) error {
	ctx, dir := context.Background(), args[0]
	if _, err := Open(ctx, Options{Dir: filepath.Join(dir, "new")}); err != nil {
		fmt.Println("create:", err)
	}
	if _, err := Open(ctx, Options{Dir: dir}); err != nil {
		fmt.Println("write:", err)
	}
	s, err := Open(ctx, Options{Dir: dir, ReadOnly: true})
	if err != nil {
		return err
	}
	catalog, err := s.Catalog(ctx)
	if err != nil {
		return err
	}
	near, err := s.Nearest(ctx, []float32{1, 0, 0, 0}, store.Filter{}, 10)
	fmt.Println("read:", catalog.Len(), len(near), err, s.Update(ctx, func(store.Tx) error { return nil }))
	return s.Close()
})

func TestOpen_ReadOnlyFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: folders on Windows have no mode bits")
	}
	dir := t.TempDir()
	s, err := Open(t.Context(), Options{Dir: dir})
	must(t, err)
	c := storetest.Chat(5, "word")
	must(t, put(t.Context(), s, c))
	must(t, embedAll(t.Context(), s, c))
	must(t, s.Close())
	must(t, os.Chmod(dir, 0o555))
	defer func() { _ = os.Chmod(dir, 0o700) }()
	must(t, os.Chmod(filepath.Join(dir, "lens.db"), 0o444))
	cmd := trying.Command(t, dir)
	if !withoutRights(t, cmd, dir) {
		t.Skip("SKIPPED: cannot drop administrator rights here")
	}
	out, err := cmd.CombinedOutput()
	for _, wanted := range []string{
		"create: sqlite: open: cannot write to the folder",
		"write: sqlite: open: cannot write to the folder",
		"read: 5 5 <nil> sqlite: update: the archive is open for reading only: store is read-only",
	} {
		if err != nil || !strings.Contains(string(out), wanted) {
			t.Errorf("%v: got %s, want %q", err, out, wanted)
		}
	}
	if left := glob(t, dir, "*"); len(left) != 2 { // lens.db and lens.lock
		t.Errorf("files in a read-only folder: %v", left)
	}
}

func TestErrors_CallersErrorIsUnchanged(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir()})
	own := errors.New("own")
	if err := s.Update(t.Context(), func(store.Tx) error { return own }); err != own {
		t.Errorf("got %v, want the very same error", err)
	}
}
