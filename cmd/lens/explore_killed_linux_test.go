//go:build system

package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestExplore_KilledLeavesNoPlaintext kills an explorer of an encrypted archive after a search, with a turn open in an
// editor, and searches everything that it wrote for the query, the text and the passphrase: on the disk, and in the
// session's folder in memory, where only the file that the editor has open may contain text.
func TestExplore_KilledLeavesNoPlaintext(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	const phrase = "nobody looks over my shoulder"
	keep := func(name, text string, mode fs.FileMode) string {
		path := filepath.Join(elsewhere, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	secret, editor := keep("secret", phrase+"\n", 0o600), keep("editor", "#!/bin/sh\necho EDITING\nread line\n", 0o700)
	temp, memory := filepath.Join(dir, "temp"), filepath.Join(dir, "memory")
	for _, folder := range []string{temp, memory} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"LENS_PIN_FILE=" + secret, "EDITOR=" + editor, "TMPDIR=" + temp, "XDG_RUNTIME_DIR=" + memory}
	for _, verb := range [][]string{{"pin", "set", "--passphrase", "--new-pin-file", secret}, {"import", "--no-embed", "testdata/fixtures/chats.json"}} {
		if code := onTerminalWith(t, dir, env, verb...).code(); code != done {
			t.Fatalf("%v ends with %d", verb, code)
		}
	}
	term := onTerminalWith(t, dir, env, "--log-level", "debug")
	for _, step := range []struct{ keys, shows string }{
		{"", "turns in"}, {"/sourdough", "best first"}, {"\rO", "cannot search"}, // without a model, the decision is a refusal
	} {
		term.press(step.keys)
		term.expect(step.shows)
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "lens", "sealed-1", "explorer.json")); err == nil {
			break // the explorer saves the session a moment after a change
		}
	}
	term.press("q2e")
	term.expect("EDITING")
	if err := term.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-term.ended
	files := map[string]int{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		files[e.Name()] = len(content)
		if inMemory, _ := filepath.Match(filepath.Join(memory, "lens-*", "turns.md"), path); inMemory {
			return err // the file that the editor has open, as lens help pin documents
		}
		for _, said := range []string{"sourdough", "starter", phrase} {
			if bytes.Contains(bytes.ToLower(content), []byte(said)) {
				t.Errorf("%s contains %q", path, said)
			}
		}
		return err
	})
	if err != nil || files["explorer.json"] == 0 || files["audit.jsonl"] == 0 || files["turns.md"] == 0 {
		t.Errorf("searched %v, %v", files, err)
	}
}
