package chat

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/agent"
	"lens/cmd/internal/datadir"
	"lens/cmd/internal/keys"
	"lens/internal/errs"
	"lens/internal/vault/vaulttest"
)

// count returns how many sessions a page has.
func count(t *testing.T, s *Sessions) int {
	t.Helper()
	all, err := s.List(t.Context(), agent.SessionPage{Limit: 1000})
	must(t, err)
	return len(all)
}

func TestTakeOver_LeavesWhatIsNoSession(t *testing.T) {
	dir := t.TempDir()
	h := datadir.Home{Dir: dir}
	ids := saveOlder(t, h, 3)
	folder := filepath.Join(dir, datadir.ChatsFolder)
	strange := []string{otherID + ".json", chatID + ".json", "notes.txt", "torn.json"}
	for _, name := range strange {
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(`{"id": "`+chatID), 0o600))
	}
	s := sessionsIn(t, dir)
	for range 2 {
		if n := count(t, s); n != 3 {
			t.Fatalf("got %d sessions", n)
		}
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != len(strange) {
		t.Errorf("left %v, %v", left, err)
	}
	// An older Lens runs again: it saves a new session and one that was taken over.
	saveAsOlder(t, h, agent.Session{ID: chatID, Updated: asked})
	for i, at := range []time.Time{asked.Add(time.Hour), asked.Add(-time.Hour)} {
		saveAsOlder(t, h, agent.Session{ID: ids[i], Name: "changed", Updated: at})
	}
	if n := count(t, s); n != 4 {
		t.Errorf("got %d sessions", n)
	}
	for i, want := range []string{"changed", "older"} {
		if one, err := s.Session(t.Context(), ids[i]); err != nil || one.Name != want {
			t.Errorf("got %+v, %v, want %s", one, err, want)
		}
	}
}

// What is forgotten does not come back, whichever process took it over.
func TestTakeOver_Forgotten(t *testing.T) {
	dir := t.TempDir()
	h := datadir.Home{Dir: dir}
	turn := uuid.New()
	must(t, os.MkdirAll(h.Path(datadir.ChatsFolder), 0o700))
	saveAsOlder(t, h, agent.Session{ID: chatID, Exchanges: []agent.Exchange{
		{Question: "?", Answer: "[1]", Citations: []agent.Citation{{N: 1, TurnID: turn.String()}}},
	}})
	s := sessionsIn(t, dir)
	_, err := s.Forget(func(uuid.UUID) bool { return true })
	must(t, err)
	if n := count(t, sessionsIn(t, dir)); n != 0 {
		t.Errorf("got %d sessions", n)
	}
}

func TestTakeOver_Encrypted(t *testing.T) {
	dir := t.TempDir()
	holder := keys.New(keys.Options{Dir: dir, Vault: vaulttest.Options()})
	folder := datadir.New(holder)
	t.Cleanup(folder.Close)
	must(t, datadir.NewMover(folder, closer{}).Encrypt(t.Context(), vaulttest.Alone(vaulttest.Passphrase)))
	h, err := folder.Home()
	must(t, err)
	ids := saveOlder(t, h, 3)
	s := NewSessions(folder, datadir.StateFile)
	must(t, holder.Lock())
	if _, err := s.List(t.Context(), agent.SessionPage{Limit: 1}); errs.CodeOf(err) != errs.Locked {
		t.Errorf("locked: got %v", err)
	}
	must(t, holder.Unlock(vaulttest.Passphrase))
	if n := count(t, s); n != 3 {
		t.Errorf("got %d sessions", n)
	}
	if one, err := s.Session(t.Context(), ids[2]); err != nil || one.Exchanges[0].Answer != ids[2] {
		t.Errorf("got %+v, %v", one, err)
	}
	if _, err := os.Stat(h.Path(datadir.ChatsFolder)); err == nil {
		t.Error("the folder of the older Lens is left")
	}
}

type closer struct{}

func (closer) Close() error { return nil }
