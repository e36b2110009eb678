package boot

import (
	"os"
	"path/filepath"
	"testing"

	"lens/agent"
	"lens/internal/config"
)

const chatID = "0b8f6e3c-1111-4222-8333-444455556666"

func TestConversationsAreKeptOneAFile(t *testing.T) {
	c := Chats{filepath.Join(t.TempDir(), "chats")}
	if all, err := c.Load(); err != nil || len(all) != 0 {
		t.Fatalf("before anything was said: %v, %v", all, err)
	}
	for _, name := range []string{"bread", "rye bread"} {
		if err := c.Keep(agent.Session{ID: chatID, Name: name, Exchanges: []agent.Exchange{{Question: "how?", Answer: "slowly"}}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"torn.json", "0b8f6e3c-1111-4222-8333-444455556667.json", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(c.dir, name), []byte(`{"id": "`+chatID), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := c.Load()
	if err != nil || len(all) != 1 || all[0].Name != "rye bread" || all[0].Exchanges[0].Answer != "slowly" {
		t.Errorf("kept is %+v, %v", all, err)
	}
	for path, want := range map[string]os.FileMode{c.dir: 0o700, filepath.Join(c.dir, chatID+".json"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s is %v, %v", path, info.Mode(), err)
		}
	}
}

func TestAConversationCannotLeaveItsFolder(t *testing.T) {
	c := Chats{filepath.Join(t.TempDir(), "chats")}
	for _, id := range []string{"", "../explorer", "{" + chatID + "}", chatID + "/../../x"} {
		if err := c.Keep(agent.Session{ID: id}); err == nil {
			t.Errorf("%q is taken for an id", id)
		}
	}
}

func TestWhereThereIsNoArchiveNothingIsKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	if err := (Chats{filepath.Join(dir, "chats")}).Keep(agent.Session{ID: chatID}); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("an archive's folder is made for it")
	}
}

func TestAFolderThatCannotBeReadSaysSo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "chats")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (Chats{file}).Load(); err == nil {
		t.Error("a file passes for a folder")
	}
	if err := (Chats{file}).Keep(agent.Session{ID: chatID}); err == nil {
		t.Error("a conversation is kept in a file")
	}
}

func TestTheHostOfTheChatModelIsNamed(t *testing.T) {
	for base, want := range map[string]struct {
		host  string
		local bool
	}{
		"": {"api.openai.com", false}, "http://127.0.0.1:11434/v1": {"127.0.0.1", true}, "http://localhost:1/v1": {"localhost", true},
		"https://models.example/v1": {"models.example", false}, "http://127.0.0.1.example/v1": {"127.0.0.1.example", false},
	} {
		l := New(config.Config{Chat: config.Chat{BaseURL: base}}, "test")
		if host, local := l.ChatHost(); host != want.host || local != want.local {
			t.Errorf("%q: %s, %v", base, host, local)
		}
	}
}
