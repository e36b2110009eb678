package app

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lens/agent"
	"lens/cmd/internal/archive"
	"lens/cmd/internal/config"
	"lens/cmd/internal/doctor"
	"lens/cmd/internal/keys"
	"lens/internal/demo"
	"lens/internal/errs"
	"lens/internal/vault/vaulttest"
)

// Secrets of these tests.
const (
	onePhrase   = vaulttest.Passphrase
	otherPhrase = vaulttest.OtherPassphrase
)

var alone = vaulttest.Alone

// canary is part of every text that these tests store.
const canary = "zanzibarine"

// lensIn returns a Lens over dir, with an archive of synthetic chats, and a state file and conversations with the
// canary.
func lensIn(t *testing.T, dir string) *App {
	t.Helper()
	l := cheapLens(config.Config{DataDir: dir})
	t.Cleanup(func() { must(t, l.Close()) })
	return l
}

// cheapLens returns a Lens whose vaults open at once.
func cheapLens(cfg config.Config) *App {
	holder := keys.New(keys.Options{Dir: cfg.DataDir, Vault: vaulttest.Options()})
	return wire(cfg, "test", holder, keys.NewFolder(holder))
}

func fill(t *testing.T, l *App) {
	t.Helper()
	export := filepath.Join(t.TempDir(), "conversations.json")
	var text bytes.Buffer
	must(t, demo.Write(&text, demo.Options{Turns: 60}))
	must(t, os.WriteFile(export, bytes.ReplaceAll(text.Bytes(), []byte("sourdough"), []byte(canary)), 0o600))
	_, err := l.Archive.Import(t.Context(), []string{export}, archive.ImportOptions{})
	must(t, err)
	must(t, l.Archive.StateFile().Save(map[string]string{"query": canary}))
	must(t, l.Sessions.Keep(agent.Session{
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
	if _, err := l.Archive.Export(context.Background(), &all, archive.ExportOptions{}); err != nil {
		return "", err
	}
	var state map[string]string
	if !l.Archive.StateFile().Load(&state) {
		return "", errors.New("the state is gone")
	}
	chats, err := l.Sessions.Load()
	if err != nil || len(chats) != 1 {
		return "", errors.Join(err, errors.New("the conversation is gone"))
	}
	all.WriteString(state["query"] + chats[0].Exchanges[0].Answer)
	return all.String(), nil
}

func TestEncrypt_LockedShowsNothing(t *testing.T) {
	dir := t.TempDir()
	first := lensIn(t, dir)
	fill(t, first)
	must(t, first.Mover.Encrypt(t.Context(), alone(onePhrase)))
	must(t, first.Close())
	l := lensIn(t, dir)
	if !l.Keys.Locked() {
		t.Error("the archive is not locked")
	}
	_, err := l.Archive.Engine(t.Context())
	_, imported := l.Archive.Import(t.Context(), []string{dir}, archive.ImportOptions{})
	_, exported := l.Archive.Export(t.Context(), io.Discard, archive.ExportOptions{})
	_, chats := l.Sessions.Load()
	for name, err := range map[string]error{
		"engine": err, "import": imported, "export": exported, "chats": chats, "state": l.Archive.StateFile().Save(1),
		"clear": l.Archive.StateFile().Remove(),
	} {
		if errs.CodeOf(err) != errs.Locked {
			t.Errorf("%s: %v", name, err)
		}
	}
	if l.Archive.StateFile().Load(new(map[string]string)) {
		t.Error("the state file is readable")
	}
	if checks := l.Doctor.Diagnose(t.Context()); findCheck(checks, "archive").Status != doctor.Warn ||
		findCheck(checks, "encryption").Status != doctor.OK {
		t.Errorf("got checks %+v", checks)
	}
	l.Keys.OnSecret(func() (string, error) { return "a wrong passphrase", nil })
	if _, err := l.Archive.Engine(t.Context()); errs.CodeOf(err) != errs.Locked {
		t.Errorf("with a wrong passphrase: %v", err)
	}
	l.Keys.OnSecret(func() (string, error) { return onePhrase, nil })
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

// importDemo imports some synthetic chats.
func importDemo(t testing.TB, l *App) {
	t.Helper()
	export := filepath.Join(t.TempDir(), "conversations.json")
	file, err := os.Create(export)
	must(t, err)
	must(t, errors.Join(demo.Write(file, demo.Options{Turns: 200}), file.Close()))
	_, err = l.Archive.Import(t.Context(), []string{export}, archive.ImportOptions{})
	must(t, err)
}
