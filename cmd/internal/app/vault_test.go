package app

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"lens/agent"
	"lens/cmd/internal/archive"
	"lens/cmd/internal/config"
	"lens/cmd/internal/datadir"
	"lens/cmd/internal/doctor"
	"lens/cmd/internal/keys"
	"lens/internal/demo"
	"lens/internal/errs"
	"lens/internal/testenv"
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
	a := cheapLens(config.Config{DataDir: dir})
	t.Cleanup(func() { must(t, a.Close()) })
	return a
}

// cheapLens returns a Lens whose vaults open at once.
func cheapLens(cfg config.Config) *App {
	holder := keys.New(keys.Options{Dir: cfg.DataDir, Vault: vaulttest.Options()})
	return wire(cfg, "test", Effort{}, holder, datadir.New(holder))
}

func fill(t *testing.T, a *App) {
	t.Helper()
	export := testenv.DemoWith(t, demo.Options{Turns: 60}, canary)
	_, err := a.Archive.Import(t.Context(), []string{export}, archive.ImportOptions{})
	must(t, err)
	must(t, a.Archive.StateFile().Save(map[string]string{"query": canary}))
	must(t, a.Sessions.Save(t.Context(), agent.Session{
		ID: chatID, Name: canary,
		Exchanges: []agent.Exchange{{Question: canary, Answer: canary}},
	}))
}

var must = testenv.Must

// contents returns the content of an archive and of the files next to it.
func contents(a *App) (string, error) {
	var all strings.Builder
	if _, err := a.Archive.Export(context.Background(), &all, archive.ExportOptions{}); err != nil {
		return "", err
	}
	var state map[string]string
	if !a.Archive.StateFile().Load(&state) {
		return "", errors.New("the state is gone")
	}
	kept, err := a.Sessions.Session(context.Background(), chatID)
	if err != nil {
		return "", err
	}
	all.WriteString(state["query"] + kept.Exchanges[0].Answer)
	return all.String(), nil
}

func TestEncrypt_LockedShowsNothing(t *testing.T) {
	dir := t.TempDir()
	first := lensIn(t, dir)
	fill(t, first)
	must(t, first.Mover.Encrypt(t.Context(), alone(onePhrase)))
	must(t, first.Close())
	a := lensIn(t, dir)
	if !a.Keys.Locked() {
		t.Error("the archive is not locked")
	}
	_, err := a.Archive.Engine(t.Context())
	_, imported := a.Archive.Import(t.Context(), []string{dir}, archive.ImportOptions{})
	_, exported := a.Archive.Export(t.Context(), io.Discard, archive.ExportOptions{})
	_, chats := a.Sessions.List(t.Context(), agent.SessionPage{Limit: 10})
	for name, err := range map[string]error{
		"engine": err, "import": imported, "export": exported, "chats": chats, "state": a.Archive.StateFile().Save(1),
		"clear": a.Archive.StateFile().Remove(),
	} {
		if errs.CodeOf(err) != errs.Locked {
			t.Errorf("%s: %v", name, err)
		}
	}
	if a.Archive.StateFile().Load(new(map[string]string)) {
		t.Error("the state file is readable")
	}
	if checks := a.Doctor.Diagnose(t.Context()); findCheck(checks, "archive").Status != doctor.Warn ||
		findCheck(checks, "encryption").Status != doctor.OK {
		t.Errorf("got checks %+v", checks)
	}
	a.Keys.OnSecret(func() (string, error) { return "a wrong passphrase", nil })
	if _, err := a.Archive.Engine(t.Context()); errs.CodeOf(err) != errs.Locked {
		t.Errorf("with a wrong passphrase: %v", err)
	}
	a.Keys.OnSecret(func() (string, error) { return onePhrase, nil })
	if _, err := contents(a); err != nil {
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
func importDemo(t testing.TB, a *App) {
	t.Helper()
	export := testenv.Demo(t, demo.Options{Turns: 200})
	_, err := a.Archive.Import(t.Context(), []string{export}, archive.ImportOptions{})
	must(t, err)
}
