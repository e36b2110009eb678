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
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/testenv"
	"lens/retrieval/embed/embedtest"
)

// TestEmbed_KilledPaysOnlyForBatchesUnderWay kills lens embed twice while its requests wait for answers. All answers that
// came before are saved: no text of theirs is sent again, neither for the same turn nor for another one.
func TestEmbed_KilledPaysOnlyForBatchesUnderWay(t *testing.T) {
	// The first page of turns is embedded alone, then two at a time, each in four requests at once.
	type kill struct{ answered, waiting int }
	for texts, kills := range map[int][]kill{2000: {{6, 4}, {24, 8}}, 700: {{6, 4}, {10, 4}}} {
		t.Run(fmt.Sprintf("%d texts", texts), func(t *testing.T) {
			dir := t.TempDir()
			export := filepath.Join(dir, "export.json")
			testenv.Must(t, writeChats(export, 2000, texts))
			server := embedtest.New(t, embedtest.Options{})
			env := environmentOf(dir, "OPENAI_BASE_URL="+server.URL, "LENS_EMBEDDING=openai", "LENS_EMBEDDING_MODEL=any")
			runLens(t, env, "import", "--no-embed", export)
			asked := 0
			for _, k := range kills {
				server.Fail(slices.Repeat([]embedtest.Fault{embedtest.Answer()}, k.answered)...)
				server.Fail(slices.Repeat([]embedtest.Fault{embedtest.Hang()}, k.waiting)...)
				asked += k.answered + k.waiting
				killEmbed(t, env, server, asked)
			}
			runLens(t, env, "embed", "--yes")
			paid := server.Texts()
			once := slices.Compact(slices.Sorted(slices.Values(paid)))
			if len(once) != texts || len(paid) != len(once) {
				t.Errorf("%d of %d texts were embedded, %d were paid for twice", len(once), texts, len(paid)-len(once))
			}
			t.Logf("%d texts in %d requests, of which %d were killed: %d paid for twice",
				len(once), server.Requests(), kills[0].waiting+kills[1].waiting, len(paid)-len(once))
			if out := runLens(t, env, "embed", "--yes"); !strings.Contains(out, "Every turn already has a vector") {
				t.Errorf("it says %q", out)
			}
		})
	}
}

// killEmbed kills lens embed when the server has been asked so many times.
func killEmbed(t *testing.T, env []string, server *embedtest.Server, asked int) {
	t.Helper()
	cmd := exec.Command("lens", "embed", "--yes", "--json")
	cmd.Env = env
	testenv.Must(t, cmd.Start())
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

// writeChats writes an export of turns that have so many different texts.
func writeChats(path string, turns, texts int) error {
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
				message{uuid.New(), "human", fmt.Sprintf("What about number %d?", (20*i+j)%texts), at},
				message{uuid.New(), "assistant", "It is even or odd.", at})
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}
