package app

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"lens/agent"
	"lens/cmd/internal/config"
	"lens/cmd/internal/doctor"
	"lens/internal/demo"
	"lens/internal/errs"
	"lens/internal/vault"
)

// Secrets of these tests.
const (
	onePhrase   = "one passphrase for a test"
	otherPhrase = "another passphrase for a test"
	lastResort  = "lusab babad gutih tugad lusab babad gutih tugad"
)

func alone(phrase string) Secrets { return Secrets{PIN: phrase, NoKeyring: true, Recovery: lastResort} }

// ring is a keyring in memory.
type ring map[string]string

func (r ring) Set(service, user, secret string) error { r[service+user] = secret; return nil }
func (r ring) Delete(service, user string) error      { delete(r, service+user); return nil }
func (r ring) Get(service, user string) (string, error) {
	if secret, ok := r[service+user]; ok {
		return secret, nil
	}
	return "", keyring.ErrNotFound
}

// cheap returns options for vaults that open at once, without a delay after a wrong secret.
func cheap() vault.Options {
	return vault.Options{Params: vault.Params{Memory: 64, Time: 1, Threads: 1}, Keyring: ring{}, Delay: 1}
}

// canary is part of every text that these tests store.
const canary = "zanzibarine"

// lensIn returns a Lens over dir, with an archive of synthetic chats, and a state file and conversations with the
// canary.
func lensIn(t *testing.T, dir string) *App {
	t.Helper()
	l := newLens(t, config.Config{DataDir: dir})
	l.box.opts = cheap()
	return l
}

func fill(t *testing.T, l *App) {
	t.Helper()
	export := filepath.Join(t.TempDir(), "conversations.json")
	var text bytes.Buffer
	must(t, demo.Write(&text, demo.Options{Turns: 60}))
	must(t, os.WriteFile(export, bytes.ReplaceAll(text.Bytes(), []byte("sourdough"), []byte(canary)), 0o600))
	_, err := l.Import(t.Context(), []string{export}, ImportOptions{})
	must(t, err)
	must(t, l.Desk().Keep(map[string]string{"query": canary}))
	must(t, l.Chats().Keep(agent.Session{
		ID: chatID, Name: canary,
		Exchanges: []agent.Exchange{{Question: canary, Answer: canary}},
	}))
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// contents returns the content of an archive and of the files next to it.
func contents(l *App) (string, error) {
	var all strings.Builder
	if _, err := l.Export(context.Background(), &all, ExportOptions{}); err != nil {
		return "", err
	}
	var desk map[string]string
	if !l.Desk().Load(&desk) {
		return "", errors.New("the desk is gone")
	}
	chats, err := l.Chats().Load()
	if err != nil || len(chats) != 1 {
		return "", errors.Join(err, errors.New("the conversation is gone"))
	}
	all.WriteString(desk["query"] + chats[0].Exchanges[0].Answer)
	return all.String(), nil
}

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
	l := lensIn(t, dir)
	fill(t, l)
	before, err := contents(l)
	must(t, err)
	if len(findsCanary(t, dir)) < 2 {
		t.Fatal("the canary is not in the plain archive")
	}
	must(t, l.Encrypt(t.Context(), alone(onePhrase)))
	steps := []struct {
		name string
		do   func() error
	}{
		{"encrypted", func() error { return nil }},
		{"with another key", func() error { return l.Rekey(t.Context(), onePhrase, alone(otherPhrase)) }},
		{"with another PIN", func() error { return l.ChangePIN(otherPhrase, Secrets{PIN: onePhrase, NoKeyring: true}) }},
		{"decrypted", func() error { return l.Decrypt(t.Context(), lastResort) }},
	}
	for _, step := range steps {
		must(t, step.do())
		if after, err := contents(l); err != nil || after != before {
			t.Fatalf("%s: got %d bytes, want %d; %v", step.name, len(after), len(before), err)
		}
		if found := findsCanary(t, dir); (len(found) > 0) != (step.name == "decrypted") {
			t.Errorf("%s: found in %v", step.name, found)
		}
		if l.Encrypted() != (step.name != "decrypted") || l.leftover() != "" {
			t.Errorf("%s: got encrypted %v, leftover %q", step.name, l.Encrypted(), l.leftover())
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "sealed-*")); len(left) > 0 {
		t.Errorf("got leftover %v", left)
	}
}

func TestEncrypt_LockedShowsNothing(t *testing.T) {
	dir := t.TempDir()
	first := lensIn(t, dir)
	fill(t, first)
	must(t, first.Encrypt(t.Context(), alone(onePhrase)))
	must(t, first.Close())
	l := lensIn(t, dir)
	if !l.Locked() {
		t.Error("the archive is not locked")
	}
	_, err := l.Engine(t.Context())
	_, imported := l.Import(t.Context(), []string{dir}, ImportOptions{})
	_, exported := l.Export(t.Context(), io.Discard, ExportOptions{})
	_, chats := l.Chats().Load()
	for name, err := range map[string]error{
		"engine": err, "import": imported, "export": exported, "chats": chats, "desk": l.Desk().Keep(1),
		"clear": l.Desk().Clear(),
	} {
		if errs.CodeOf(err) != errs.Locked {
			t.Errorf("%s: %v", name, err)
		}
	}
	if l.Desk().Load(new(map[string]string)) {
		t.Error("the state file is readable")
	}
	if checks := l.Doctor.Diagnose(t.Context()); findCheck(checks, "archive").Status != doctor.Warn ||
		findCheck(checks, "encryption").Status != doctor.OK {
		t.Errorf("got checks %+v", checks)
	}
	l.OnSecret(func() (string, error) { return "a wrong passphrase", nil })
	if _, err := l.Engine(t.Context()); errs.CodeOf(err) != errs.Locked {
		t.Errorf("with a wrong passphrase: %v", err)
	}
	l.OnSecret(func() (string, error) { return onePhrase, nil })
	if _, err := contents(l); err != nil {
		t.Errorf("with the right passphrase: %v", err)
	}
}

func findCheck(checks []doctor.Check, name string) doctor.Check {
	for _, c := range checks {
		if c.Name == name {
			return c
		}
	}
	return doctor.Check{}
}

func TestEncrypt_OpenElsewhere(t *testing.T) {
	dir := t.TempDir()
	reader := lensIn(t, dir)
	fill(t, reader)
	before, err := contents(reader)
	must(t, err)
	patience := gateWait
	gateWait = 50 * time.Millisecond
	t.Cleanup(func() { gateWait = patience })
	l := lensIn(t, dir)
	if err := l.Encrypt(t.Context(), alone(onePhrase)); errs.CodeOf(err) != errs.Unavailable || l.Encrypted() {
		t.Errorf("got %v", err)
	}
	if after, err := contents(reader); err != nil || after != before {
		t.Errorf("the open archive: %v", err)
	}
}

func TestEncrypt_Errors(t *testing.T) {
	l := lensIn(t, t.TempDir())
	fill(t, l)
	for name, s := range map[string]Secrets{
		"a short PIN":                 {PIN: "12345", Recovery: lastResort},
		"a PIN alone":                 {PIN: "123456", NoKeyring: true, Recovery: lastResort},
		"a short recovery passphrase": {PIN: "123456", Recovery: "too short"},
	} {
		if err := l.Encrypt(t.Context(), s); errs.CodeOf(err) != errs.Invalid || l.Encrypted() {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, l.Encrypt(t.Context(), Secrets{PIN: "123456", Recovery: lastResort}))
	if err := l.Encrypt(t.Context(), alone(onePhrase)); errs.CodeOf(err) != errs.Invalid {
		t.Errorf("twice: %v", err)
	}
	server := newLens(t, config.Config{DatabaseURL: "postgres://127.0.0.1/lens"})
	if err := server.Encrypt(t.Context(), alone(onePhrase)); errs.CodeOf(err) != errs.Invalid {
		t.Errorf("Postgres: %v", err)
	}
	if server.Encrypted() || server.Locked() {
		t.Error("Postgres is reported as encrypted")
	}
}

func TestEncrypt_EmptyFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	l := lensIn(t, dir)
	must(t, l.Encrypt(t.Context(), alone(onePhrase)))
	fill(t, l)
	if found := findsCanary(t, dir); len(found) > 0 {
		t.Errorf("found in %v", found)
	}
	if _, err := contents(l); err != nil {
		t.Error(err)
	}
}

func TestUnlock_PINAndRecoveryPassphrase(t *testing.T) {
	dir := t.TempDir()
	l := lensIn(t, dir)
	fill(t, l)
	must(t, l.Encrypt(t.Context(), Secrets{PIN: "271828", Recovery: lastResort}))
	must(t, l.Lock())
	must(t, l.Unlock("271828"))
	elsewhere := lensIn(t, dir) // another keyring
	if err := elsewhere.Unlock("271828"); errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("got %v", err)
	}
	must(t, elsewhere.Unlock("LUSAB-babad  gutih tugad lusab babad gutih tugad"))
	if _, err := contents(elsewhere); err != nil {
		t.Error(err)
	}
}

func TestEncrypt_ChangedStateFile(t *testing.T) {
	dir := t.TempDir()
	l := lensIn(t, dir)
	fill(t, l)
	must(t, l.Encrypt(t.Context(), alone(onePhrase)))
	path := filepath.Join(dir, "sealed-1", "explorer.json")
	whole, err := os.ReadFile(path)
	must(t, err)
	for i := range whole {
		file := bytes.Clone(whole)
		file[i] ^= 1
		must(t, os.WriteFile(path, file, 0o600))
		if l.Desk().Load(new(map[string]string)) {
			t.Fatalf("a change of byte %d goes unnoticed", i)
		}
	}
	chat, err := os.ReadFile(filepath.Join(dir, "sealed-1", "chats", chatID+".json"))
	must(t, err)
	must(t, os.WriteFile(path, chat, 0o600))
	if l.Desk().Load(new(map[string]any)) {
		t.Error("one file is accepted as another")
	}
}

func TestEncrypt_CanceledChangesNothing(t *testing.T) {
	dir := t.TempDir()
	l := lensIn(t, dir)
	fill(t, l)
	before, err := contents(l)
	must(t, err)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := l.Encrypt(stopped, alone(onePhrase)); err == nil || l.Encrypted() {
		t.Fatalf("the archive was encrypted: %v", err)
	}
	must(t, l.Encrypt(t.Context(), alone(onePhrase)))
	for name, move := range map[string]func() error{
		"another key": func() error { return l.Rekey(stopped, onePhrase, alone(otherPhrase)) },
		"decrypting":  func() error { return l.Decrypt(stopped, onePhrase) },
	} {
		if err := move(); err == nil {
			t.Errorf("%s succeeds", name)
		}
		if after, err := contents(l); err != nil || after != before || !l.Encrypted() || len(findsCanary(t, dir)) > 0 ||
			l.leftover() != "" {
			t.Errorf("%s: %v, found in %v, leftover %q", name, err, findsCanary(t, dir), l.leftover())
		}
	}
}

func TestVault_MissingArchive(t *testing.T) {
	dir := t.TempDir()
	l := lensIn(t, dir)
	fill(t, l)
	must(t, l.Encrypt(t.Context(), alone(onePhrase)))
	must(t, os.Rename(filepath.Join(dir, "sealed-1"), filepath.Join(dir, "elsewhere")))
	for range 2 {
		if _, err := l.Import(t.Context(), []string{dir}, ImportOptions{}); errs.CodeOf(err) != errs.Unavailable {
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
	foreign := lensIn(t, elsewhere)
	fill(t, foreign)
	must(t, foreign.Close())
	l := lensIn(t, dir)
	fill(t, l)
	before, err := contents(l)
	must(t, err)
	must(t, l.Encrypt(t.Context(), alone(onePhrase)))
	for _, name := range []string{archiveFile, "explorer.json"} {
		content, err := os.ReadFile(filepath.Join(elsewhere, name))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
	if c := findCheck(l.Doctor.Diagnose(t.Context()), "encryption"); c.Status != doctor.Warn ||
		!strings.Contains(c.Message, archiveFile) {
		t.Errorf("got checks %+v", c)
	}
	must(t, l.Rekey(t.Context(), onePhrase, alone(otherPhrase)))
	if err := l.Decrypt(t.Context(), otherPhrase); errs.CodeOf(err) != errs.Unavailable || !l.Encrypted() {
		t.Errorf("decrypting over it: %v", err)
	}
	for _, name := range []string{archiveFile, "explorer.json"} {
		was, err := os.ReadFile(filepath.Join(elsewhere, name))
		must(t, err)
		if is, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(is, was) {
			t.Errorf("%s was changed: %v", name, err)
		}
		must(t, os.Remove(filepath.Join(dir, name)))
	}
	must(t, l.Decrypt(t.Context(), otherPhrase))
	if after, err := contents(l); err != nil || after != before {
		t.Errorf("got %d bytes, want %d; %v", len(after), len(before), err)
	}
}
