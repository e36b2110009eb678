package app

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/uuid"

	"lens/agent"
	"lens/cmd/internal/config"
	"lens/cmd/internal/keys"
	"lens/internal/demo"
	"lens/retrieval"
)

const chatID = "0b8f6e3c-1111-4222-8333-444455556666"

func chatsIn(dir string) Chats {
	return Chats{func() (keys.Home, error) { return keys.Home{Dir: dir}, nil }, keys.ChatsFolder}
}

func TestChats_OneFileEach(t *testing.T) {
	dir := t.TempDir()
	c := chatsIn(dir)
	folder := filepath.Join(dir, keys.ChatsFolder)
	if all, err := c.Load(); err != nil || len(all) != 0 {
		t.Fatalf("before the first conversation: got %v, %v", all, err)
	}
	for _, name := range []string{"bread", "rye bread"} {
		if err := c.Keep(agent.Session{
			ID: chatID, Name: name,
			Exchanges: []agent.Exchange{{Question: "how?", Answer: "slowly"}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"torn.json", "0b8f6e3c-1111-4222-8333-444455556667.json", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(`{"id": "`+chatID), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := c.Load()
	if err != nil || len(all) != 1 || all[0].Name != "rye bread" || all[0].Exchanges[0].Answer != "slowly" {
		t.Errorf("got %+v, %v", all, err)
	}
	for path, want := range map[string]os.FileMode{
		folder:                                0o700,
		filepath.Join(folder, chatID+".json"): 0o600,
	} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s is %v, %v", path, info.Mode(), err)
		}
	}
}

func TestChats_InvalidID(t *testing.T) {
	c := chatsIn(t.TempDir())
	for _, id := range []string{"", "../explorer", "{" + chatID + "}", chatID + "/../../x"} {
		if err := c.Keep(agent.Session{ID: id}); err == nil {
			t.Errorf("%q is accepted as an ID", id)
		}
	}
}

func TestChats_WithoutArchive(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	if err := chatsIn(dir).Keep(agent.Session{ID: chatID}); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the archive's folder was created")
	}
}

func TestChats_UnreadableFolder(t *testing.T) {
	dir := t.TempDir()
	chats := chatsIn(dir)
	if err := os.WriteFile(filepath.Join(dir, keys.ChatsFolder), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := chats.Load(); err == nil {
		t.Error("a file is accepted as a folder")
	}
	if err := chats.Keep(agent.Session{ID: chatID}); err == nil {
		t.Error("a conversation was saved below a file")
	}
}

func TestChatHost(t *testing.T) {
	for base, want := range map[string]struct {
		host  string
		local bool
	}{
		"":                          {"api.openai.com", false},
		"http://127.0.0.1:11434/v1": {"127.0.0.1", true},
		"http://localhost:1/v1":     {"localhost", true},
		"https://models.example/v1": {"models.example", false}, "http://127.0.0.1.example/v1": {"127.0.0.1.example", false},
	} {
		l := New(config.Config{Chat: config.Chat{BaseURL: base}}, "test")
		if host, local := l.ChatHost(); host != want.host || local != want.local {
			t.Errorf("%q: %s, %v", base, host, local)
		}
	}
}

func TestChats_ForgetCitedTurns(t *testing.T) {
	c := chatsIn(t.TempDir())
	citing := func(id string) []agent.Exchange {
		return []agent.Exchange{{Question: "?", Answer: "Said [1].", Citations: []agent.Citation{{N: 1, TurnID: id}}}}
	}
	const other = "0b8f6e3c-1111-4222-8333-444455556667"
	for id, turn := range map[string]string{chatID: "gone", other: "there"} {
		if err := c.Keep(agent.Session{ID: id, Exchanges: citing(turn)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.forget(func(id string) bool { return id == "gone" }); err != nil {
		t.Fatal(err)
	}
	if all, err := c.Load(); err != nil || len(all) != 1 || all[0].ID != other {
		t.Errorf("after forgetting: got %+v, %v", all, err)
	}
}

func TestForget_RemovesAnswers(t *testing.T) {
	l := newLens(t, config.Config{})
	export := filepath.Join(t.TempDir(), "conversations.json")
	file, err := os.Create(export)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(demo.Write(file, demo.Options{Turns: 400}), file.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Import(t.Context(), []string{export}, ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	engine, err := l.Engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, err := engine.Peek(t.Context(), "sourdough", retrieval.PeekOptions{})
	if err != nil {
		t.Fatal(err)
	}
	first := p.Matches[0]
	other := p.Matches[slices.IndexFunc(p.Matches,
		func(m retrieval.Match) bool { return m.Conversation != first.Conversation })]
	ids := map[string]retrieval.Match{chatID: first, "0b8f6e3c-1111-4222-8333-444455556667": other}
	for id, m := range ids {
		cites := []agent.Citation{{N: 1, TurnID: m.TurnID.String()}}
		if err := l.Chats().Keep(agent.Session{
			ID:        id,
			Exchanges: []agent.Exchange{{Question: "?", Answer: "[1]", Citations: cites}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Forget(t.Context(), ForgetOptions{Conversations: []uuid.UUID{first.Conversation}}); err != nil {
		t.Fatal(err)
	}
	if all, err := l.Chats().Load(); err != nil || len(all) != 1 || all[0].ID == chatID {
		t.Errorf("after forgetting: got %+v, %v", all, err)
	}
	if _, err := l.Forget(t.Context(), ForgetOptions{Everything: true}); err != nil {
		t.Fatal(err)
	}
	if all, err := l.Chats().Load(); err != nil || len(all) != 0 {
		t.Errorf("after forgetting everything: got %+v, %v", all, err)
	}
}
