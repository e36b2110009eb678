package sqlite

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/storetest"
)

// holding stays inside a write until it is killed.
var holding = testenv.NewChild("hold the lock", func(args []string) error {
	ctx := context.Background()
	s, err := Open(ctx, Options{Dir: args[0], Verb: "import"})
	if err != nil {
		return err
	}
	return s.Update(ctx, func(store.Tx) error {
		fmt.Println("writing")
		time.Sleep(time.Minute)
		return nil
	})
})

func TestWriterLock_NamesTheHolder(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, Options{Dir: dir, Wait: 50 * time.Millisecond})
	cmd := holding.Command(t, dir)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	defer func() { _ = cmd.Wait() }()
	defer func() { _ = cmd.Process.Kill() }()
	if !bufio.NewScanner(out).Scan() {
		t.Fatal("the other writer said nothing")
	}
	err = put(t.Context(), s, storetest.Chat(1, "second"))
	wantError(t, err, errs.Unavailable, fmt.Sprintf("`lens import` (process %d)", cmd.Process.Pid))
	if _, err := s.Catalog(t.Context()); err != nil {
		t.Errorf("a reader had to wait: %v", err)
	}
	must(t, cmd.Process.Kill())
	_ = cmd.Wait()
	must(t, put(t.Context(), s, storetest.Chat(1, "second"))) // the lock ends with its holder
}

func TestWriterLock_SecondWriterInProcess(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir(), Wait: 20 * time.Millisecond, Verb: "embed"})
	must(t, s.Update(t.Context(), func(store.Tx) error {
		err := s.Update(t.Context(), func(store.Tx) error { return nil })
		wantError(t, err, errs.Unavailable, "`lens embed`")
		return nil
	}))
}

func TestWriterLock_LingersAfterCommit(t *testing.T) {
	dir := t.TempDir()
	first, second := openIn(t, Options{Dir: dir}), openIn(t, Options{Dir: dir, Wait: time.Minute})
	first.lock.linger = time.Hour
	must(t, put(t.Context(), first, storetest.Chat(1, "first")))
	impatient, cancel := context.WithTimeout(t.Context(), 10*lockRetry)
	defer cancel()
	if err := put(impatient, second, storetest.Chat(1, "second")); err == nil {
		t.Error("the lock was free at once: an import would lose it between two batches")
	}
	first.lock.linger = lockLinger
	must(t, put(t.Context(), first, storetest.Chat(1, "first, again")))
	must(t, put(t.Context(), second, storetest.Chat(1, "second")))
}

func TestWriterLock_UnwritableHolderFile(t *testing.T) {
	dir := t.TempDir()
	first, second := openIn(t, Options{Dir: dir}), openIn(t, Options{Dir: dir})
	must(t, first.lock.close()) // still held from creating the archive
	note := filepath.Join(dir, "lens.writer")
	must(t, os.Mkdir(note, 0o700))
	if err := put(t.Context(), first, storetest.Chat(1, "first")); errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("got %v", err)
	}
	must(t, os.Remove(note))
	must(t, put(t.Context(), second, storetest.Chat(1, "second")))
}

// wantError checks the code and the message of err, and that it has a hint.
func wantError(t *testing.T, err error, code errs.Code, message string) {
	t.Helper()
	got, ok := err.(*errs.Error)
	switch {
	case !ok:
		t.Errorf("got %T %v, want a *errs.Error", err, err)
	case got.Code != code || !strings.Contains(got.Message, message):
		t.Errorf("got %s %q, want %s and %q", got.Code, got.Message, code, message)
	case got.Hint == "":
		t.Errorf("%q has no hint", got.Message)
	}
}
