package app

import (
	"strings"
	"testing"

	"lens/cmd/internal/config"
)

func TestForget_ClearsStateFile(t *testing.T) {
	l := New(config.Config{DataDir: t.TempDir()}, "forget")
	t.Cleanup(func() { _ = l.Close() })
	if _, err := l.Writing(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := l.StateFile().Save(map[string]string{"query": "what nobody should know"}); err != nil {
		t.Fatal(err)
	}
	for _, dry := range []bool{true, false} {
		if _, err := l.Forget(t.Context(), ForgetOptions{Everything: true, DryRun: dry}); err != nil {
			t.Fatal(err)
		}
		if kept := l.StateFile().Load(new(map[string]string)); kept != dry {
			t.Errorf("dry run %v: kept %v", dry, kept)
		}
	}
}

func TestStateFile_OnePerArchive(t *testing.T) {
	names := map[string]bool{}
	for _, url := range []string{"", "postgres://u:secret@127.0.0.1/a", "postgres://u:secret@127.0.0.1/b"} {
		name := New(config.Config{DataDir: "data", DatabaseURL: url}, "explore").StateFile().Name
		if names[name] || strings.Contains(name, "secret") {
			t.Errorf("the state file of %q is %q", url, name)
		}
		names[name] = true
	}
}
