package sqlite

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/pressly/goose/v3"

	"lens/migrations"
	"lens/store"
	"lens/store/storetest"
)

func TestOpen_FilePermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: files on Windows have no mode bits")
	}
	dir := filepath.Join(t.TempDir(), "deep", "data")
	s := openIn(t, Options{Dir: dir})
	c := storetest.Chat(3, "word")
	must(t, put(t.Context(), s, c))
	must(t, embedAll(t.Context(), s, c))
	_, err := s.Nearest(t.Context(), []float32{1, 0, 0, 0}, store.Filter{}, 1)
	must(t, err)
	info, err := os.Stat(dir)
	must(t, err)
	if info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has mode %o", info.Mode().Perm())
	}
	paths := glob(t, dir, "*")
	for _, path := range paths {
		info, err := os.Stat(path)
		must(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %o", filepath.Base(path), info.Mode().Perm())
		}
	}
	if len(paths) != 6 { // lens.db, -wal, -shm, lens.lock, lens.writer, vectors-*.idx
		t.Errorf("files: %v", paths)
	}
}

// Words without repetitions: a packed body contains them verbatim, so that the tests find any that are left.
const (
	secretWord = "qzjxvkwphy"
	otherWord  = "mfgbdtonel"
)

func TestForget_LeavesNoTextOnDisk(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, Options{Dir: dir})
	secret, kept := storetest.Chat(200, secretWord), storetest.Chat(20, otherWord)
	for range 3 { // the second and third time as updates
		must(t, put(t.Context(), s, storetest.Chat(7, strings.Repeat("before ", 20)), secret, kept, storetest.Chat(300, "after")))
		secret.Messages[33].Text = strings.Repeat(secretWord+" ", 3000)
	}
	must(t, embedAll(t.Context(), s, secret))
	_, err := s.Nearest(t.Context(), []float32{1, 0, 0, 0}, store.Filter{}, 1)
	must(t, err)
	if !anyFileHolds(t, dir, secretWord) {
		t.Fatal("it is nowhere even before it is forgotten: this test looks in the wrong place")
	}
	must(t, s.Update(t.Context(), func(tx store.Tx) error {
		_, err := tx.Forget(t.Context(), []uuid.UUID{secret.ID})
		return err
	}))
	if anyFileHolds(t, dir, secretWord) {
		t.Error("forgotten text is still in a file")
	}
	if !anyFileHolds(t, dir, otherWord) {
		t.Error("the rest is gone as well")
	}
	if files := glob(t, dir, "vectors-*"); len(files) > 0 {
		t.Errorf("an index of forgotten vectors is left: %v", files)
	}
	must(t, s.Update(t.Context(), func(tx store.Tx) error { return tx.ForgetEverything(t.Context()) }))
	if anyFileHolds(t, dir, otherWord) {
		t.Error("after forgetting everything, text is still in a file")
	}
}

// markedChat marks every message and every term of a chat with a word that begins with mark.
func markedChat(c *store.Conversation, mark string) {
	for i := range c.Messages {
		word := fmt.Sprintf("%s%05d", mark, rand.IntN(100_000))
		c.Messages[i].Text = strings.Repeat(word+" ", 1+rand.IntN(400)*rand.IntN(2)*rand.IntN(2))
		c.Messages[i].Raw = []byte(`"` + c.Messages[i].Text + `"`)
	}
	c.Title = mark
}

func TestForget_ErasesEditedAndMergedText(t *testing.T) {
	for name, forget := range map[string]func(store.Tx, uuid.UUID) error{
		"a conversation": func(tx store.Tx, id uuid.UUID) error {
			_, err := tx.Forget(t.Context(), []uuid.UUID{id})
			return err
		},
		"everything": func(tx store.Tx, _ uuid.UUID) error { return tx.ForgetEverything(t.Context()) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := openIn(t, Options{Dir: dir})
			secret, other := storetest.Chat(60, secretWord), storetest.Chat(60, otherWord)
			for version := range 8 { // each edits the previous one to another length
				markedChat(&secret, secretWord)
				markedChat(&other, otherWord)
				must(t, put(t.Context(), s, other, secret, storetest.Chat(20, fmt.Sprint("later", version))))
				if version%3 == 2 {
					must(t, s.Optimize(t.Context()))
				}
			}
			if !anyFileHolds(t, dir, secretWord) {
				t.Fatal("it is nowhere even before it is forgotten: this test looks in the wrong place")
			}
			must(t, s.Update(t.Context(), func(tx store.Tx) error { return forget(tx, secret.ID) }))
			if anyFileHolds(t, dir, secretWord) {
				t.Error("forgotten text is still in a file")
			}
			must(t, s.checkIntegrity())
		})
	}
}

func TestForget_PurgesLogAfterLastReader(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, Options{Dir: dir})
	secret := storetest.Chat(20, secretWord)
	must(t, put(t.Context(), s, secret, storetest.Chat(1, "other")))
	for _, err := range s.EachTurn(t.Context(), store.Filter{}) {
		must(t, err)
		must(t, s.Update(t.Context(), func(tx store.Tx) error {
			_, err := tx.Forget(t.Context(), []uuid.UUID{secret.ID})
			return err
		}))
		break
	}
	must(t, s.Update(t.Context(), func(store.Tx) error { return nil }))
	if anyFileHolds(t, dir, secretWord) {
		t.Error("forgotten text is still in a file")
	}
}

func TestPurge_RetriesAndKeepsSettings(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, Options{Dir: dir})
	secret := storetest.Chat(20, secretWord)
	must(t, put(t.Context(), s, secret))
	must(t, s.writer.Exec("BEGIN IMMEDIATE; DELETE FROM conversations")) // a checkpoint fails: not busy, but locked
	s.purge()
	must(t, s.writer.Exec("ROLLBACK"))
	if !s.purgePending {
		t.Error("the store does not remember that the log is still full")
	}
	stmt, _, err := s.writer.Prepare("PRAGMA busy_timeout")
	must(t, err)
	defer stmt.Close()
	if stmt.Step(); stmt.ColumnInt(0) != 10_000 {
		t.Errorf("the writer now waits %d ms", stmt.ColumnInt(0))
	}
	must(t, stmt.Reset())
	must(t, s.Update(t.Context(), func(store.Tx) error { return nil }))
	if s.purgePending {
		t.Error("the next commit did not try again")
	}
}

func anyFileHolds(t *testing.T, dir, text string) bool {
	t.Helper()
	for _, path := range glob(t, dir, "*") {
		file, err := os.ReadFile(path)
		must(t, err)
		if bytes.Contains(file, []byte(text)) {
			return true
		}
	}
	return false
}

func TestMigrations_UpDownUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lens.db")
	latest := migrations.Latest(migrations.SQLite)
	must(t, withMigrations(path, func(p *goose.Provider) error {
		for _, version := range []int64{latest, 0, latest} {
			if version == 0 {
				if _, err := p.DownTo(t.Context(), 0); err != nil {
					return err
				}
			} else if _, err := p.Up(t.Context()); err != nil {
				return err
			}
			if at, err := p.GetDBVersion(t.Context()); err != nil || at != version {
				t.Errorf("version %d (%v), want %d", at, err, version)
			}
		}
		return nil
	}))
	c, err := openConn(t.Context(), path, pragmas, false)
	must(t, err)
	defer c.Close()
	must(t, c.Exec(sessionsSchema)) // the chats have a database of their own
	for name := range queries {
		if _, _, err := c.statement(name); err != nil {
			t.Errorf("query %s: %v", name, err)
		}
	}
}

func TestQueries_AllAreUsed(t *testing.T) {
	var code []byte
	for _, path := range glob(t, ".", "*.go") {
		file, err := os.ReadFile(path)
		must(t, err)
		code = append(code, file...)
	}
	for name := range queries {
		tail := bytes.TrimPrefix([]byte(name), []byte("ForgetAll"))
		if !bytes.Contains(code, []byte(`"`+name+`"`)) && !bytes.Contains(code, []byte(`"`+string(tail)+`"`)) {
			t.Errorf("query %s is unused", name)
		}
	}
}
