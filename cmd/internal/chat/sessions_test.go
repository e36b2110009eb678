package chat

import (
	"os"
	"path/filepath"
	"testing"

	"lens/agent"
	"lens/cmd/internal/config"
	"lens/cmd/internal/datadir"
	"lens/cmd/internal/network"
)

const chatID = "0b8f6e3c-1111-4222-8333-444455556666"

func sessionsIn(dir string) *Sessions {
	return &Sessions{func() (datadir.Home, error) { return datadir.Home{Dir: dir}, nil }, datadir.ChatsFolder}
}

func TestSessions_OneFileEach(t *testing.T) {
	dir := t.TempDir()
	c := sessionsIn(dir)
	folder := filepath.Join(dir, datadir.ChatsFolder)
	if all, err := c.Load(); err != nil || len(all) != 0 {
		t.Fatalf("before the first conversation: got %v, %v", all, err)
	}
	for _, name := range []string{"bread", "rye bread"} {
		if err := c.Save(agent.Session{
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

func TestSessions_InvalidID(t *testing.T) {
	c := sessionsIn(t.TempDir())
	for _, id := range []string{"", "../explorer", "{" + chatID + "}", chatID + "/../../x"} {
		if err := c.Save(agent.Session{ID: id}); err == nil {
			t.Errorf("%q is accepted as an ID", id)
		}
	}
}

func TestSessions_WithoutArchive(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	if err := sessionsIn(dir).Save(agent.Session{ID: chatID}); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the archive's folder was created")
	}
}

func TestSessions_UnreadableFolder(t *testing.T) {
	dir := t.TempDir()
	chats := sessionsIn(dir)
	if err := os.WriteFile(filepath.Join(dir, datadir.ChatsFolder), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := chats.Load(); err == nil {
		t.Error("a file is accepted as a folder")
	}
	if err := chats.Save(agent.Session{ID: chatID}); err == nil {
		t.Error("a conversation was saved below a file")
	}
}

func TestModel_Host(t *testing.T) {
	for base, want := range map[string]struct {
		host  string
		local bool
	}{
		"":                          {"api.openai.com", false},
		"http://127.0.0.1:11434/v1": {"127.0.0.1", true},
		"http://localhost:1/v1":     {"localhost", true},
		"https://models.example/v1": {"models.example", false}, "http://127.0.0.1.example/v1": {"127.0.0.1.example", false},
	} {
		m := NewModel(config.Chat{BaseURL: base}, network.Policy{})
		if host, local := m.Host(); host != want.host || local != want.local {
			t.Errorf("%q: %s, %v", base, host, local)
		}
	}
}

func TestSessions_ForgetCitedTurns(t *testing.T) {
	c := sessionsIn(t.TempDir())
	citing := func(id string) []agent.Exchange {
		return []agent.Exchange{{Question: "?", Answer: "Said [1].", Citations: []agent.Citation{{N: 1, TurnID: id}}}}
	}
	const other = "0b8f6e3c-1111-4222-8333-444455556667"
	for id, turn := range map[string]string{chatID: "gone", other: "there"} {
		if err := c.Save(agent.Session{ID: id, Exchanges: citing(turn)}); err != nil {
			t.Fatal(err)
		}
	}
	read := &agent.Findings{Turns: []agent.Citation{{TurnID: "gone"}}}
	failed := agent.Session{ID: "0b8f6e3c-1111-4222-8333-444455556668", Exchanges: []agent.Exchange{{Broken: agent.BrokenByError, Findings: read}}}
	if err := c.Save(failed); err != nil {
		t.Fatal(err)
	}
	if err := c.Forget(func(id string) bool { return id == "gone" }); err != nil {
		t.Fatal(err)
	}
	if all, err := c.Load(); err != nil || len(all) != 1 || all[0].ID != other {
		t.Errorf("after forgetting: got %+v, %v", all, err)
	}
}

func TestModel_OpenLocalRemote(t *testing.T) {
	for _, url := range []string{"", "https://chat.example/v1"} {
		m := NewModel(config.Chat{Provider: "openai", BaseURL: url, Key: "k", Model: "m"}, network.Policy{})
		if m.OpenLocal() != nil {
			t.Errorf("%q: got a model", url)
		}
	}
}
