package boot

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"lens/internal/audit"
	"lens/store"
)

// decided records a decision with the archive open, or as it is.
func decided(t *testing.T, l *Lens, open bool) {
	t.Helper()
	if open {
		_, err := l.reading(t.Context())
		must(t, err)
	}
	_, err := l.Audit().Append(audit.Decision{Act: audit.Proceed, QID: "0123456789abcdef", Mode: "standard", Mechanism: "seccomp"})
	must(t, err)
}

// verified returns what is found, and fails on an error.
func verified(t *testing.T, l *Lens) AuditReport {
	t.Helper()
	r, err := l.VerifyAudit(t.Context())
	must(t, err)
	return r
}

// setBack puts the record and its head as they were.
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

func TestTheArchiveRemembersWhatWasCutOffTheRecordWithItsHead(t *testing.T) {
	dir := t.TempDir()
	l := lensIn(t, dir)
	fill(t, l)
	decided(t, l, true)
	must(t, l.Encrypt(t.Context(), alone(onePhrase))) // it comes along
	cutBack := setBack(t, dir)
	decided(t, l, true)
	must(t, l.Rekey(t.Context(), onePhrase, alone(otherPhrase)))
	if r := verified(t, l); !r.Intact() || r.Unseen != "" || r.Lines != 2 {
		t.Errorf("whole: %+v", r)
	}
	must(t, l.Close())
	cutBack()

	locked := lensIn(t, dir)
	if r := verified(t, locked); !r.Intact() || r.Unseen == "" || r.Lines != 1 {
		t.Errorf("locked: %+v", r)
	}
	decided(t, locked, false) // as a locked archive is recorded, and no head but that beside the record knows better
	must(t, locked.Unlock(otherPhrase))
	if r := verified(t, locked); r.Intact() {
		t.Errorf("open: %+v", r)
	}
	if _, err := locked.Audit().Append(audit.Decision{Act: audit.Proceed}); err == nil {
		t.Error("and it is continued")
	}
}

func TestARecordOfBeforeIsRememberedFromItsNextDecisionOn(t *testing.T) {
	dir := t.TempDir()
	l := lensIn(t, dir)
	fill(t, l)
	must(t, l.closeStore())
	for range 3 {
		decided(t, l, false) // as an older Lens did: beside the record alone
	}
	if l.openHeadArchive() != nil || !verified(t, l).Intact() {
		t.Error("the archive is open, or the record is not whole")
	}
	head, err := l.openHeadArchive().AuditHead(t.Context())
	if head != nil || err != nil {
		t.Errorf("remembered before: %s, %v", head, err)
	}
	decided(t, l, true)
	head, err = l.openHeadArchive().AuditHead(t.Context())
	beside, failed := os.ReadFile(filepath.Join(dir, "audit.head"))
	if err != nil || failed != nil || !bytes.Equal(head, bytes.TrimRight(beside, " ")) {
		t.Errorf("remembered %s, beside %s, %v %v", head, beside, err, failed)
	}
}

func TestARecordIsSetAsideByWhoCanOpenTheArchive(t *testing.T) {
	dir := t.TempDir()
	l := lensIn(t, dir)
	fill(t, l)
	must(t, l.Encrypt(t.Context(), alone(onePhrase)))
	decided(t, l, true)
	decided(t, l, true)
	must(t, l.Lock())
	for _, name := range []string{"audit.jsonl", "audit.head", "audit.key"} {
		must(t, os.Remove(filepath.Join(dir, name)))
	}
	if _, err := l.RenewAudit(t.Context()); store.CodeOf(err) != store.CodeLocked {
		t.Errorf("locked: %v", err)
	}
	must(t, l.Unlock(onePhrase))
	if r := verified(t, l); r.Intact() {
		t.Error("a record that is gone is a whole one")
	}
	folder, err := l.RenewAudit(t.Context())
	must(t, err)
	decided(t, l, true)
	if r := verified(t, l); !r.Intact() || r.Lines != 2 {
		t.Errorf("the new one, which begins with a line about that: %+v", r)
	}
	again, err := l.RenewAudit(t.Context())
	must(t, err)
	for at, want := range map[string]int{folder: 0, again: 3} {
		if there, err := os.ReadDir(at); err != nil || len(there) != want {
			t.Errorf("%s holds %v, %v; want %d files", at, there, err, want)
		}
	}
}

// A decision that is being written must not end up in the record that was set aside.
func TestARecordThatIsBeingWrittenIsNotSetAside(t *testing.T) {
	dir := t.TempDir()
	l := lensIn(t, dir)
	fill(t, l)
	decided(t, l, true)
	writer := flock.New(l.AuditPath() + ".lock")
	must(t, writer.Lock())
	soon, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if folder, err := l.RenewAudit(soon); err == nil {
		t.Errorf("it is set aside to %s", folder)
	}
	must(t, writer.Unlock())
	if r := verified(t, l); !r.Intact() || r.Lines != 1 {
		t.Errorf("got %+v", r)
	}
}

// Who puts an older record back and has it grow past what the archive remembers, with the archive locked, is noticed when that is opened.
func TestARecordThatGrewAnewIsNotContinued(t *testing.T) {
	dir := t.TempDir()
	l := lensIn(t, dir)
	fill(t, l)
	decided(t, l, true)
	must(t, l.Encrypt(t.Context(), alone(onePhrase)))
	putBack := setBack(t, dir)
	decided(t, l, true)
	decided(t, l, true)
	must(t, l.Close())
	putBack()

	locked := lensIn(t, dir)
	for range 4 {
		decided(t, locked, false)
	}
	must(t, locked.Unlock(onePhrase))
	_, err := locked.reading(t.Context())
	must(t, err)
	if seq, err := locked.Audit().Append(audit.Decision{Act: audit.Proceed}); err == nil {
		t.Errorf("it is continued with line %d", seq)
	}
	if r := verified(t, locked); r.Intact() {
		t.Errorf("got %+v", r)
	}
}

// A decision about an archive that can only be read, or that somebody writes to, is recorded all the same.
func TestAnArchiveThatCannotKeepTheHeadLagsBehind(t *testing.T) {
	l := lensIn(t, t.TempDir())
	fill(t, l)
	decided(t, l, true)
	st, err := l.writing(t.Context())
	must(t, err)
	must(t, st.Update(t.Context(), func(store.Tx) error {
		decided(t, l, false)
		return nil
	}))
	must(t, l.closeStore())
	l.store, err = l.openWith(t.Context(), access{readOnly: true})
	must(t, err)
	decided(t, l, false)
	if r := verified(t, l); !r.Intact() || r.Lines != 3 || r.Unseen != "" {
		t.Errorf("got %+v", r)
	}
}
