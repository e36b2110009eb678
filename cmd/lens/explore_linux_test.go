//go:build system

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	tui "lens/tui/app"
)

// exploring starts the explorer on an archive of the fixtures, searches, and returns once the search is on the screen.
func exploring(t *testing.T, args ...string) (*terminal, string) {
	t.Helper()
	dir := t.TempDir()
	importing := onTerminal(t, dir, "import", "--no-embed", "testdata/fixtures/chats.json")
	importing.expect("Run lens to explore it all.")
	if code := importing.code(); code != done {
		t.Fatalf("import ends with %d", code)
	}
	term := onTerminal(t, dir, args...)
	term.expect("turns in")
	term.press("/sourdough")
	term.expect("best first")
	return term, filepath.Join(dir, "lens", "explorer.json")
}

// mustBeClean fails when a mode of the terminal that was set is not reset, or the cursor is hidden.
func (t *terminal) mustBeClean() {
	t.t.Helper()
	last := map[string]string{}
	for _, m := range regexp.MustCompile(`\x1b\[\?([0-9;]+)([hl])`).FindAllStringSubmatch(t.text(), -1) {
		for mode := range strings.SplitSeq(m[1], ";") {
			last[mode] = m[2]
		}
	}
	if last["1049"] == "" || last["2004"] == "" || last["1002"] == "" {
		t.t.Errorf("alternate screen, bracketed paste and mouse were never set: %v", last)
	}
	for mode, set := range last {
		if (set == "h") != (mode == "25") {
			t.t.Errorf("mode %s is left at %q", mode, set)
		}
	}
	for _, keys := range []string{"\x1b[>4;2m", "\x1b[>4;1m"} {
		if strings.LastIndex(t.text(), keys) > max(strings.LastIndex(t.text(), "\x1b[>4m"), strings.LastIndex(t.text(), "\x1b[>4;0m")) {
			t.t.Errorf("the keyboard mode %q is not reset", keys)
		}
	}
}

func mustKeep(t *testing.T, file, query string) {
	t.Helper()
	var kept tui.Session
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil || len(kept.Places) == 0 || kept.Places[kept.At].Text != query {
		t.Errorf("saved session: %s, %v, want the query %q", text, err, query)
	}
}

func TestExplore_EndRestoresTerminalAndSavesSession(t *testing.T) {
	for name, end := range map[string]func(*terminal){
		"q":          func(term *terminal) { term.press("\rq") },
		"kill -TERM": func(term *terminal) { _ = term.cmd.Process.Signal(syscall.SIGTERM) },
		"kill -HUP":  func(term *terminal) { _ = term.cmd.Process.Signal(syscall.SIGHUP) },
		"kill -INT":  func(term *terminal) { _ = term.cmd.Process.Signal(syscall.SIGINT) },
	} {
		t.Run(name, func(t *testing.T) {
			term, file := exploring(t)
			end(term)
			term.code()
			term.mustBeClean()
			mustKeep(t, file, "sourdough")
		})
	}
}

// TestExplore_SuspendAndResume plays the shell's part: it checks the terminal before the process stops and after it
// continues, and sends SIGCONT, because the process group has no shell that would.
func TestExplore_SuspendAndResume(t *testing.T) {
	term, file := exploring(t)
	term.press("\x1a")
	term.expect("\x1b[?1049l")
	term.mustBeClean()
	before := strings.Count(term.text(), "\x1b[?1049h")
	for strings.Count(term.text(), "\x1b[?1049h") == before { // it may not handle the signal yet
		if err := term.cmd.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
	}
	term.press("s\rq")
	if code := term.code(); code != done {
		t.Errorf("exit code %d", code)
	}
	term.mustBeClean()
	mustKeep(t, file, "sourdoughs")
}

// TestExplore_ClosedTerminalSavesSession closes the terminal, which then needs no cleanup.
func TestExplore_ClosedTerminalSavesSession(t *testing.T) {
	term, file := exploring(t)
	_ = term.control.Close()
	<-term.ended
	mustKeep(t, file, "sourdough")
}
