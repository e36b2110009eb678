package archive

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/retrieval/query"
	"lens/store"
)

func TestReadOnly_OtherWriter(t *testing.T) {
	dir := t.TempDir()
	importer := archiveIn(t, dir)
	importer.importDemo(t)
	must(t, importer.Close())
	l := archiveIn(t, dir)
	if _, err := l.Engine(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := l.ReadOnly(t.Context()); err != nil {
		t.Fatalf("without another writer: got %v", err)
	}
	other := archiveIn(t, dir)
	st, err := other.Writing(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_ = st.Update(t.Context(), func(store.Tx) error {
		if why := l.ReadOnly(t.Context()); errs.CodeOf(why) != errs.Unavailable ||
			!strings.Contains(errs.First(why).Message, "lens test") {
			t.Errorf("with another writer: got %v", why)
		}
		return errUndo
	})
}

func TestStored(t *testing.T) {
	l := archiveIn(t, t.TempDir())
	l.importDemo(t)
	engine, err := l.Engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, err := engine.Peek(t.Context(), query.Query{Text: "sourdough", Snippets: new(1)})
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
