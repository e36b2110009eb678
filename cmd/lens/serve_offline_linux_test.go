package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// serveMeaning serves chats that are embedded with a built-in model.
func serveMeaning(t *testing.T, args ...string) *served {
	t.Helper()
	dir := t.TempDir()
	env := environmentOf(dir, "LENS_EMBEDDING=local")
	model := filepath.Join(dir, "whole")
	if err := os.Mkdir(model, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, data := range tinyFiles["tiny"] {
		if err := os.WriteFile(filepath.Join(model, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	runLens(t, env, "model", "import", model)
	runLens(t, env, "import", "testdata/fixtures/chats.json")
	return serveLens(t, dir, env, exec.Command("lens", append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...))
}

// TestServe_OfflineRoutesAreCutOff checks that a server answers /search and /answer cut off from the network, whether
// or not the server itself is, and each paranoid query in a process of its own.
func TestServe_OfflineRoutesAreCutOff(t *testing.T) {
	for name, args := range map[string][]string{"open": nil, "offline": {"--offline"}} {
		t.Run(name, func(t *testing.T) {
			s := serveMeaning(t, args...)
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
			if sealed := strings.Contains(string(status), "\nSeccomp:\t2\n"); err != nil || sealed != (name == "offline") {
				t.Errorf("sealed is %v, %v", sealed, err)
			}
			for _, level := range []string{"standard", "strict", "paranoid"} {
				code, body := s.post("/search", `{"query":"sourdough starter","security":"`+level+`"}`)
				var found struct {
					Security, Mechanism string
					Probes              int
					Hits                json.RawMessage
				}
				if err := json.Unmarshal([]byte(body), &found); err != nil || code != 200 || found.Security != level || found.Mechanism != "seccomp" || found.Probes != 4 || len(found.Hits) < 10 {
					t.Fatalf("%s: %d %s", level, code, body)
				}
				code, body = s.post("/answer", `{"prompt":"what does a starter need?","security":"`+level+`","hits":`+string(found.Hits)+`}`)
				if code != 200 || !strings.Contains(body, `"text":"“`) {
					t.Errorf("%s: %d %s", level, code, body)
				}
			}
			if code, body := s.post("/search", `{"query":"x","security":"lax"}`); code != 400 {
				t.Errorf("%d %s", code, body)
			}
			s.terminate()
			verified := runLens(t, s.env, "audit", "verify", "--json")
			if !strings.Contains(verified, `"lines": 6`) || !strings.Contains(verified, `"ok": true`) {
				t.Errorf("the audit log: %s", verified)
			}
		})
	}
}

// TestServe_OfflineListensOnLoopback checks that --offline refuses an address that other machines can reach.
func TestServe_OfflineListensOnLoopback(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("lens", "serve", "--addr", "0.0.0.0:0", "--offline")
	cmd.Env = environmentOf(dir, "LENS_API_KEYS=a key that is long enough")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != locked || !strings.Contains(string(out), "not bound to loopback") {
		t.Errorf("%v: %s", err, out)
	}
}
