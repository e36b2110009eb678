package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestServe_LockedByLensLock(t *testing.T) {
	notBrieflyUnderRace(t)
	dir := t.TempDir()
	env := environmentOf(dir)
	bringIn(t, env)
	secret := filepath.Join(dir, "passphrase.txt")
	if err := os.WriteFile(secret, []byte("one passphrase for a test\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	runLens(t, env, "pin", "set", "--passphrase", "--new-pin-file", secret, "--recovery-file", secret)
	s := serveLens(t, dir, env, exec.Command("lens", "serve", "--addr", "127.0.0.1:0", "--pin-file", secret))
	for _, path := range []string{"/readyz", "/sessions"} {
		if status, body := s.get(path); status != 200 {
			t.Errorf("%s with the passphrase: %d %s", path, status, body)
		}
	}
	runLens(t, env, "lock")
	status := 0
	for waited := time.Now(); status != 423 && time.Since(waited) < time.Minute; time.Sleep(50 * time.Millisecond) {
		status, _ = s.get("/readyz")
	}
	for _, path := range []string{"/readyz", "/retrieval/peek?query=sourdough", "/retrieval/activity", "/retrieval/turn/0", "/sessions"} {
		if status, body := s.get(path); status != 423 || !strings.Contains(body, `"message":"The archive is locked."`) || !strings.Contains(body, "lens unlock") {
			t.Errorf("%s after lens lock: %d %s", path, status, body)
		}
	}
	s.terminate()
}
