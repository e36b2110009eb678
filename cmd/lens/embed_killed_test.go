//go:build system

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/testenv"
	"lens/retrieval/embed/embedtest"
)

// TestEmbed_KilledPaysOnlyForBatchesUnderWay kills lens embed twice while its requests wait for answers. All answers that
// came before are saved: no text of theirs is sent again.
func TestEmbed_KilledPaysOnlyForBatchesUnderWay(t *testing.T) {
	dir := t.TempDir()
	export := filepath.Join(dir, "export.json")
	testenv.Must(t, writeDistinctChats(export, 2000))
	server := embedtest.New(t, embedtest.Options{})
	env := environmentOf(dir, "OPENAI_BASE_URL="+server.URL, "LENS_EMBEDDING=openai", "LENS_EMBEDDING_MODEL=any")
	runLens(t, env, "import", "--no-embed", export)
	asked := 0
	// The first page of turns is embedded alone, then two at a time, each in four requests at once.
	for _, killed := range []struct{ answered, waiting int }{{6, 4}, {24, 8}} {
		server.Fail(slices.Repeat([]embedtest.Fault{embedtest.Answer()}, killed.answered)...)
		server.Fail(slices.Repeat([]embedtest.Fault{embedtest.Hang()}, killed.waiting)...)
		cmd := exec.Command("lens", "embed", "--yes", "--json")
		cmd.Env = env
		testenv.Must(t, cmd.Start())
		asked += killed.answered + killed.waiting
		for deadline := time.Now().Add(time.Minute); server.Requests() < asked && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		if got := server.Requests(); got != asked {
			t.Errorf("%d requests, want %d", got, asked)
		}
		testenv.Must(t, cmd.Process.Kill())
		if exit := new(exec.ExitError); !errors.As(cmd.Wait(), &exit) || exit.Exited() {
			t.Error("lens embed ended by itself")
		}
	}
	runLens(t, env, "embed", "--yes")
	paid := server.Texts()
	once := slices.Compact(slices.Sorted(slices.Values(paid)))
	if len(once) != 2000 || len(paid) != len(once) {
		t.Errorf("%d of 2000 texts were embedded, %d were paid for twice", len(once), len(paid)-len(once))
	}
	t.Logf("%d texts in %d requests, of which 12 were killed: %d paid for twice", len(once), server.Requests(), len(paid)-len(once))
}

// writeDistinctChats writes an export of turns without two equal texts.
func writeDistinctChats(path string, turns int) error {
	type message struct {
		ID     uuid.UUID `json:"uuid"`
		Sender string    `json:"sender"`
		Text   string    `json:"text"`
		At     time.Time `json:"created_at"`
	}
	type chat struct {
		ID       uuid.UUID `json:"uuid"`
		Name     string    `json:"name"`
		At       time.Time `json:"created_at"`
		Messages []message `json:"chat_messages"`
	}
	all := make([]chat, turns/20)
	for i := range all {
		at := time.Date(2024, 1, 1, i, 0, 0, 0, time.UTC)
		all[i] = chat{ID: uuid.New(), Name: "Numbers", At: at}
		for j := range 20 {
			all[i].Messages = append(all[i].Messages,
				message{uuid.New(), "human", fmt.Sprintf("What about number %d?", 20*i+j), at},
				message{uuid.New(), "assistant", "It is even or odd.", at})
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}
