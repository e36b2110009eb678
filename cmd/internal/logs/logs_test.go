package logs

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"lens/cmd/internal/config"
)

func TestFile_RedactsSecrets(t *testing.T) {
	l := New(config.Config{DataDir: t.TempDir(), APIKeys: []string{"hunter2"}})
	log := l.File("my query")
	if _, err := os.Stat(l.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("the log exists before its first line: %v", err)
	}
	log.Error("failed", "error", "hunter2 asked my query")
	content, err := os.ReadFile(l.Path())
	if err != nil || !bytes.Contains(content, []byte("[hidden] asked [hidden]")) {
		t.Errorf("got %s, %v", content, err)
	}
}

func TestJSON_RedactsSecrets(t *testing.T) {
	var out bytes.Buffer
	l := New(config.Config{APIKeys: []string{"a-key-of-mine"}, DatabaseURL: "postgres://me:hunter2@db/x"})
	l.JSON(&out).Info("request", "why", "a-key-of-mine", "at", "hunter2")
	if line := out.String(); strings.Contains(line, "mine") || strings.Contains(line, "hunter2") ||
		!strings.Contains(line, `"why":"[hidden]"`) {
		t.Errorf("logged %s", line)
	}
}
