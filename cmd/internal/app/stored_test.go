package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/cmd/internal/config"
	"lens/internal/demo"
	"lens/internal/errs"
	"lens/retrieval"
	"lens/store"
)

func TestReadOnly_OtherWriter(t *testing.T) {
	l := newLens(t, config.Config{})
	importer := New(l.Config(), "import")
	importDemo(t, importer)
	if err := importer.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Engine(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := l.ReadOnly(t.Context()); err != nil {
		t.Fatalf("without another writer: got %v", err)
	}
	other := newLens(t, l.Config())
	st, err := other.Writing(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_ = st.Update(t.Context(), func(store.Tx) error {
		if why := l.ReadOnly(t.Context()); errs.CodeOf(why) != errs.Unavailable ||
			!strings.Contains(errs.Describe(why)[0].Message, "lens test") {
			t.Errorf("with another writer: got %v", why)
		}
		return errUndo
	})
}

func TestStored(t *testing.T) {
	l := newLens(t, config.Config{})
	importDemo(t, l)
	engine, err := l.Engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, err := engine.Peek(t.Context(), "sourdough", retrieval.PeekOptions{Snippets: 1})
	if err != nil || len(p.Matches) == 0 {
		t.Fatalf("%v, %v", p, err)
	}
	m := p.Matches[0]
	text, err := l.Stored(t.Context(), m.Conversation, m.TurnID)
	if err != nil || strings.Count(text, "\n") < 2 || !strings.Contains(text, m.UserMessage.String()) {
		t.Errorf("got %q (%v), want message %v", text, err, m.UserMessage)
	}
	if text, err := l.Stored(t.Context(), m.Conversation, uuid.Nil); errs.CodeOf(err) != errs.NotFound ||
		text != "" {
		t.Errorf("unknown turn: got %q (%v)", text, err)
	}
}

// importDemo imports some synthetic chats.
func importDemo(t testing.TB, l *App) {
	t.Helper()
	export := filepath.Join(t.TempDir(), "conversations.json")
	file, err := os.Create(export)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(demo.Write(file, demo.Options{Turns: 200}), file.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Import(t.Context(), []string{export}, ImportOptions{}); err != nil {
		t.Fatal(err)
	}
}
