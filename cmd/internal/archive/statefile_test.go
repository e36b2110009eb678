package archive

import (
	"strings"
	"testing"
)

func TestForget_ClearsStateFile(t *testing.T) {
	l := archiveIn(t, t.TempDir())
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
		name := Options{DataDir: "data", DatabaseURL: url}.StateName()
		if names[name] || strings.Contains(name, "secret") {
			t.Errorf("the state file of %q is %q", url, name)
		}
		names[name] = true
	}
}
