package datadir

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lens/cmd/internal/doctor"
	"lens/cmd/internal/keys"
	"lens/internal/errs"
	"lens/store"
)

// findsCanary returns the files below dir that contain the canary.
func findsCanary(t *testing.T, dir string) (found []string) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte(canary)) {
			found = append(found, path)
		}
		return err
	}))
	return found
}

func TestEncrypt_AndDecrypt(t *testing.T) {
	dir := t.TempDir()
	l := archiveIn(t, dir)
	l.fill()
	before, err := l.contents()
	must(t, err)
	if len(findsCanary(t, dir)) < 2 {
		t.Fatal("the canary is not in the plain archive")
	}
	must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
	steps := []struct {
		name string
		do   func() error
	}{
		{"encrypted", func() error { return nil }},
		{"with another key", func() error { return l.mover.Rekey(t.Context(), onePhrase, alone(otherPhrase)) }},
		{"with another PIN", func() error { return l.keys.ChangePIN(otherPhrase, keys.Secrets{PIN: onePhrase, NoKeyring: true}) }},
		{"decrypted", func() error { return l.mover.Decrypt(t.Context(), lastResort) }},
	}
	for _, step := range steps {
		must(t, step.do())
		if after, err := l.contents(); err != nil || after != before {
			t.Fatalf("%s: got %d bytes, want %d; %v", step.name, len(after), len(before), err)
		}
		if found := findsCanary(t, dir); (len(found) > 0) != (step.name == "decrypted") {
			t.Errorf("%s: found in %v", step.name, found)
		}
		if l.keys.Encrypted() != (step.name != "decrypted") || l.folder.leftover() != "" {
			t.Errorf("%s: got encrypted %v, leftover %q", step.name, l.keys.Encrypted(), l.folder.leftover())
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "sealed-*")); len(left) > 0 {
		t.Errorf("got leftover %v", left)
	}
}

func TestEncrypt_OpenElsewhere(t *testing.T) {
	dir := t.TempDir()
	reader := archiveIn(t, dir)
	reader.fill()
	before, err := reader.contents()
	must(t, err)
	l := archiveIn(t, dir)
	l.folder.lock.wait = 50 * time.Millisecond
	if err := l.mover.Encrypt(t.Context(), alone(onePhrase)); errs.CodeOf(err) != errs.Unavailable || l.keys.Encrypted() {
		t.Errorf("got %v", err)
	}
	if after, err := reader.contents(); err != nil || after != before {
		t.Errorf("the open archive: %v", err)
	}
}

func TestEncrypt_Errors(t *testing.T) {
	l := archiveIn(t, t.TempDir())
	l.fill()
	for name, s := range map[string]keys.Secrets{
		"a short PIN":                 {PIN: "12345", Recovery: lastResort},
		"a PIN alone":                 {PIN: "123456", NoKeyring: true, Recovery: lastResort},
		"a short recovery passphrase": {PIN: "123456", Recovery: "too short"},
	} {
		if err := l.mover.Encrypt(t.Context(), s); errs.CodeOf(err) != errs.Invalid || l.keys.Encrypted() {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, l.mover.Encrypt(t.Context(), keys.Secrets{PIN: "123456", Recovery: lastResort}))
	if err := l.mover.Encrypt(t.Context(), alone(onePhrase)); errs.CodeOf(err) != errs.Invalid {
		t.Errorf("twice: %v", err)
	}
}

func TestEncrypt_EmptyFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	l := archiveIn(t, dir)
	must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
	l.fill()
	if found := findsCanary(t, dir); len(found) > 0 {
		t.Errorf("found in %v", found)
	}
	if _, err := l.contents(); err != nil {
		t.Error(err)
	}
}

func TestUnlock_PINAndRecoveryPassphrase(t *testing.T) {
	dir := t.TempDir()
	l := archiveIn(t, dir)
	l.fill()
	must(t, l.mover.Encrypt(t.Context(), keys.Secrets{PIN: "271828", Recovery: lastResort}))
	must(t, l.keys.Lock())
	must(t, l.keys.Unlock("271828"))
	elsewhere := archiveIn(t, dir) // another keyring
	if err := elsewhere.keys.Unlock("271828"); errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("got %v", err)
	}
	must(t, elsewhere.keys.Unlock("LUSAB-babad  gutih tugad lusab babad gutih tugad"))
	if _, err := elsewhere.contents(); err != nil {
		t.Error(err)
	}
}

func TestEncrypt_ChangedStateFile(t *testing.T) {
	dir := t.TempDir()
	l := archiveIn(t, dir)
	l.fill()
	must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
	path := filepath.Join(dir, "sealed-1", "explorer.json")
	whole, err := os.ReadFile(path)
	must(t, err)
	for i := range whole {
		file := bytes.Clone(whole)
		file[i] ^= 1
		must(t, os.WriteFile(path, file, 0o600))
		if l.state().Load(new(map[string]string)) {
			t.Fatalf("a change of byte %d goes unnoticed", i)
		}
	}
	chat, err := os.ReadFile(filepath.Join(dir, "sealed-1", "chats", chatID+".json"))
	must(t, err)
	must(t, os.WriteFile(path, chat, 0o600))
	if l.state().Load(new(map[string]any)) {
		t.Error("one file is accepted as another")
	}
}

func TestEncrypt_CanceledChangesNothing(t *testing.T) {
	dir := t.TempDir()
	l := archiveIn(t, dir)
	l.fill()
	before, err := l.contents()
	must(t, err)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := l.mover.Encrypt(stopped, alone(onePhrase)); err == nil || l.keys.Encrypted() {
		t.Fatalf("the archive was encrypted: %v", err)
	}
	must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
	for name, move := range map[string]func() error{
		"another key": func() error { return l.mover.Rekey(stopped, onePhrase, alone(otherPhrase)) },
		"decrypting":  func() error { return l.mover.Decrypt(stopped, onePhrase) },
	} {
		if err := move(); err == nil {
			t.Errorf("%s succeeds", name)
		}
		if after, err := l.contents(); err != nil || after != before || !l.keys.Encrypted() || len(findsCanary(t, dir)) > 0 ||
			l.folder.leftover() != "" {
			t.Errorf("%s: %v, found in %v, leftover %q", name, err, findsCanary(t, dir), l.folder.leftover())
		}
	}
}

func TestVault_MissingArchive(t *testing.T) {
	dir := t.TempDir()
	l := archiveIn(t, dir)
	l.fill()
	must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
	must(t, os.Rename(filepath.Join(dir, "sealed-1"), filepath.Join(dir, "elsewhere")))
	for range 2 {
		if _, err := l.open(); errs.CodeOf(err) != errs.Unavailable {
			t.Errorf("got %v", err)
		}
	}
	if !missing(filepath.Join(dir, "sealed-1")) {
		t.Error("an empty archive was created in its place")
	}
}

// A plain archive may lie next to an encrypted one: an older Lens created it, or a user put it there.
func TestMove_KeepsForeignFiles(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	foreign := archiveIn(t, elsewhere)
	foreign.fill()
	foreign.quit()
	l := archiveIn(t, dir)
	l.fill()
	before, err := l.contents()
	must(t, err)
	must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
	for _, name := range []string{ArchiveFile, SessionsFile, "explorer.json"} {
		content, err := os.ReadFile(filepath.Join(elsewhere, name))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
	if c := l.folder.Check(t.Context())[0]; c.Status != doctor.Warn || !strings.Contains(c.Message, ArchiveFile) {
		t.Errorf("got %+v", c)
	}
	must(t, l.mover.Rekey(t.Context(), onePhrase, alone(otherPhrase)))
	if err := l.mover.Decrypt(t.Context(), otherPhrase); errs.CodeOf(err) != errs.Unavailable || !l.keys.Encrypted() {
		t.Errorf("decrypting over it: %v", err)
	}
	for _, name := range []string{ArchiveFile, SessionsFile, "explorer.json"} {
		was, err := os.ReadFile(filepath.Join(elsewhere, name))
		must(t, err)
		if is, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(is, was) {
			t.Errorf("%s was changed: %v", name, err)
		}
		must(t, os.Remove(filepath.Join(dir, name)))
	}
	must(t, l.mover.Decrypt(t.Context(), otherPhrase))
	if after, err := l.contents(); err != nil || after != before {
		t.Errorf("got %d bytes, want %d; %v", len(after), len(before), err)
	}
}

// What uses a home keeps a move from beginning, and what comes later finds the archive where it is.
func TestMove_WaitsForUsers(t *testing.T) {
	l := archiveIn(t, t.TempDir())
	l.fill()
	encrypted := make(chan error, 1)
	must(t, l.folder.With(func(h Home) error {
		go func() { encrypted <- l.mover.Encrypt(context.Background(), alone(onePhrase)) }()
		time.Sleep(20 * time.Millisecond)
		if l.keys.Encrypted() {
			t.Error("the archive moved away from a user")
		}
		chats, err := h.OpenSessions(t.Context(), SessionsFile, false)
		must(t, err)
		must(t, chats.Update(t.Context(), func(tx store.SessionsTx) error {
			return tx.Put(t.Context(), store.Session{ID: session, Content: []byte("last")})
		}))
		return chats.Close()
	}))
	must(t, <-encrypted)
	if text, err := l.saved(); err != nil || text != "last" {
		t.Errorf("got %q, %v", text, err)
	}
}

func TestMove_DamagedSessions(t *testing.T) {
	l := archiveIn(t, t.TempDir())
	l.fill()
	must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
	path := filepath.Join(l.dir, "sealed-1", SessionsFile)
	whole, err := os.ReadFile(path)
	must(t, err)
	damage(t, path)
	var damaged *errs.Error
	if err := l.mover.Decrypt(t.Context(), onePhrase); !errors.As(err, &damaged) ||
		damaged.Message != "the saved chats are damaged" || !l.keys.Encrypted() {
		t.Errorf("got %v", err)
	}
	must(t, os.WriteFile(path, whole, 0o600))
	must(t, l.mover.Decrypt(t.Context(), onePhrase))
	if text, err := l.saved(); err != nil || text != canary {
		t.Errorf("got %q, %v", text, err)
	}
}
