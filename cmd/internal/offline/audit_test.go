package offline

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"lens/cmd/internal/archive"
	"lens/internal/audit"
	"lens/internal/errs"
	"lens/internal/vault/vaulttest"
	"lens/store"
	"lens/store/sqlite"
)

// decided records a decision, after opening the archive if open is set.
func decided(t *testing.T, s *Service, open bool) {
	t.Helper()
	if open {
		_, err := s.Archive.Reading(t.Context())
		must(t, err)
	}
	_, err := s.Audit.Log().Append(audit.Decision{
		Act: audit.Proceed, QID: "0123456789abcdef", Mode: "standard",
		Mechanism: "seccomp",
	})
	must(t, err)
}

// verified returns the report, and fails the test on an error.
func verified(t *testing.T, s *Service) AuditReport {
	t.Helper()
	r, err := s.Audit.Verify(t.Context())
	must(t, err)
	return r
}

// setBack restores an earlier record and its head.
func setBack(t *testing.T, dir string) (put func()) {
	t.Helper()
	kept := map[string][]byte{}
	for _, name := range []string{"audit.jsonl", "audit.head"} {
		content, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		kept[name] = content
	}
	return func() {
		for name, content := range kept {
			must(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
		}
	}
}

func TestAudit_TruncationWithHead(t *testing.T) {
	dir := t.TempDir()
	s, a := demoIn(t, dir)
	decided(t, s, true)
	// The head is copied to the encrypted archive.
	must(t, a.mover.Encrypt(t.Context(), vaulttest.Alone(vaulttest.Passphrase)))
	cutBack := setBack(t, dir)
	decided(t, s, true)
	must(t, a.mover.Rekey(t.Context(), vaulttest.Passphrase, vaulttest.Alone(vaulttest.OtherPassphrase)))
	if r := verified(t, s); !r.Intact() || r.Unseen != "" || r.Lines != 2 {
		t.Errorf("intact record: %+v", r)
	}
	a.end()
	cutBack()

	locked, again := serviceIn(t, dir)
	if r := verified(t, locked); !r.Intact() || r.Unseen == "" || r.Lines != 1 {
		t.Errorf("locked: %+v", r)
	}
	decided(t, locked, false) // the archive is locked, so only the head next to the record changes
	must(t, again.keys.Unlock(vaulttest.OtherPassphrase))
	if r := verified(t, locked); r.Intact() {
		t.Errorf("open: %+v", r)
	}
	if _, err := locked.Audit.Log().Append(audit.Decision{Act: audit.Proceed}); err == nil {
		t.Error("the record is continued")
	}
}

func TestAudit_OldRecord(t *testing.T) {
	dir := t.TempDir()
	s, a := demoIn(t, dir)
	must(t, a.Close())
	for range 3 {
		decided(t, s, false) // as by an older Lens: the head is stored only next to the record
	}
	if s.Audit.openArchive() != nil || !verified(t, s).Intact() {
		t.Error("the archive is open, or the record is not intact")
	}
	head, err := s.Audit.openArchive().AuditHead(t.Context())
	if head != nil || err != nil {
		t.Errorf("head before the next decision: %s, %v", head, err)
	}
	decided(t, s, true)
	head, err = s.Audit.openArchive().AuditHead(t.Context())
	nextTo, failed := os.ReadFile(filepath.Join(dir, "audit.head"))
	if err != nil || failed != nil || !bytes.Equal(head, bytes.TrimRight(nextTo, " ")) {
		t.Errorf("head in the archive %s, next to the log %s, %v %v", head, nextTo, err, failed)
	}
}

func TestRenewAudit(t *testing.T) {
	dir := t.TempDir()
	s, a := demoIn(t, dir)
	must(t, a.mover.Encrypt(t.Context(), vaulttest.Alone(vaulttest.Passphrase)))
	decided(t, s, true)
	decided(t, s, true)
	must(t, a.keys.Lock())
	for _, name := range []string{"audit.jsonl", "audit.head", "audit.key"} {
		must(t, os.Remove(filepath.Join(dir, name)))
	}
	if _, err := s.Audit.Renew(t.Context()); errs.CodeOf(err) != errs.Locked {
		t.Errorf("locked: %v", err)
	}
	must(t, a.keys.Unlock(vaulttest.Passphrase))
	if r := verified(t, s); r.Intact() {
		t.Error("a missing record verifies")
	}
	folder, err := s.Audit.Renew(t.Context())
	must(t, err)
	decided(t, s, true)
	if r := verified(t, s); !r.Intact() || r.Lines != 2 {
		t.Errorf("the new record: got %+v", r)
	}
	again, err := s.Audit.Renew(t.Context())
	must(t, err)
	for at, want := range map[string]int{folder: 0, again: 3} {
		if there, err := os.ReadDir(at); err != nil || len(there) != want {
			t.Errorf("%s: got %v, %v; want %d files", at, there, err, want)
		}
	}
}

// A decision that is being written must not end up in the record that was moved away.
func TestRenewAudit_WhileWriting(t *testing.T) {
	dir := t.TempDir()
	s, _ := demoIn(t, dir)
	decided(t, s, true)
	writer := flock.New(s.Audit.path("audit.jsonl") + ".lock")
	must(t, writer.Lock())
	soon, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if folder, err := s.Audit.Renew(soon); err == nil {
		t.Errorf("the record was moved to %s", folder)
	}
	must(t, writer.Unlock())
	if r := verified(t, s); !r.Intact() || r.Lines != 1 {
		t.Errorf("got %+v", r)
	}
}

// Restoring an older record, and letting it outgrow the head in the locked archive, is noticed once the archive is
// open.
func TestAudit_RestartedRecord(t *testing.T) {
	dir := t.TempDir()
	s, a := demoIn(t, dir)
	decided(t, s, true)
	must(t, a.mover.Encrypt(t.Context(), vaulttest.Alone(vaulttest.Passphrase)))
	putBack := setBack(t, dir)
	decided(t, s, true)
	decided(t, s, true)
	a.end()
	putBack()

	locked, again := serviceIn(t, dir)
	for range 4 {
		decided(t, locked, false)
	}
	must(t, again.keys.Unlock(vaulttest.Passphrase))
	_, err := again.Reading(t.Context())
	must(t, err)
	if seq, err := locked.Audit.Log().Append(audit.Decision{Act: audit.Proceed}); err == nil {
		t.Errorf("the record is continued with line %d", seq)
	}
	if r := verified(t, locked); r.Intact() {
		t.Errorf("got %+v", r)
	}
}

// readOnly is an archive that is open for reading only.
type readOnly struct {
	*archive.Archive
	store store.Store
}

func (r readOnly) Opened() store.Store                          { return r.store }
func (r readOnly) Reading(context.Context) (store.Store, error) { return r.store, nil }

// A decision is recorded even if the archive is read-only, or if another process writes to it.
func TestAudit_ReadOnlyArchive(t *testing.T) {
	s, a := demoIn(t, t.TempDir())
	decided(t, s, true)
	st, err := a.Writing(t.Context())
	must(t, err)
	must(t, st.Update(t.Context(), func(store.Tx) error {
		decided(t, s, false)
		return nil
	}))
	must(t, a.Close())
	opts := sqlite.Options{Dir: a.dir, ReadOnly: true}
	st, err = sqlite.Open(t.Context(), opts)
	must(t, err)
	defer st.Close()
	s.Audit = NewAudit(a.dir, readOnly{a.Archive, st})
	decided(t, s, false)
	if r := verified(t, s); !r.Intact() || r.Lines != 3 || r.Unseen != "" {
		t.Errorf("got %+v", r)
	}
}
