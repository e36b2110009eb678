package archive

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/cmd/internal/chat"
	"lens/cmd/internal/datadir"
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

// What may stay is kept, and the report counts the rest. Both runs of forgetBeside ask.
func TestForget_KeepsState(t *testing.T) {
	a := filledIn(t, t.TempDir())
	chats := chat.NewSessions(a.folder, datadir.StateFile)
	a.opts.Answers = chats
	st, err := a.Reading(t.Context())
	must(t, err)
	catalog, err := st.Catalog(t.Context())
	must(t, err)
	turn, other := catalog.ID[0], catalog.ID[1]
	must(t, chats.Save(t.Context(), citing(turn)))
	must(t, a.StateFile().Save([]uuid.UUID{turn, other}))
	a.StateWithout = func(state func(any) bool, gone Gone) (any, int) {
		var saved []uuid.UUID
		if !state(&saved) {
			t.Error("the state cannot be read")
		}
		kept := slices.DeleteFunc(slices.Clone(saved), gone.Turn)
		return kept, len(saved) - len(kept)
	}
	report, err := a.Forget(t.Context(), ForgetOptions{Turns: []uuid.UUID{turn}})
	must(t, err)
	if report.Turns != 1 || report.Chats != 1 || report.Bookmarks != 1 {
		t.Errorf("got %+v", report)
	}
	var kept []uuid.UUID
	if !a.StateFile().Load(&kept) || len(kept) != 1 || kept[0] != other {
		t.Errorf("kept are %v", kept)
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
