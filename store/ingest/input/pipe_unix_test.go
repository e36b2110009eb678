//go:build unix

package input

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestOpen_Pipe(t *testing.T) {
	for name, data := range map[string]string{"JSON": gpt, "a zip": zipped(t, file{name: "conversations.json", data: gpt}), "gzip": gzipped(t, gpt)} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Skipf("SKIPPED: no pipes here: %v", err)
			}
			go func() { _ = os.WriteFile(path, []byte(data), 0o600) }()
			if got := listFiles(t, path); got != "pipe=chatgpt" && got != "pipe/conversations.json=chatgpt" {
				t.Errorf("got %s", got)
			}
		})
	}
}
