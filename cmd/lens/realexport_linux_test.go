//go:build system

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"lens/internal/testenv"
)

// offlineLens runs lens in a home of its own, in a network namespace with nothing in it, not even loopback.
type offlineLens struct {
	t    *testing.T
	home string
	with []string // flags, if the system permits no namespace
}

func newOfflineLens(t *testing.T) *offlineLens {
	l := &offlineLens{t: t, home: t.TempDir()}
	probe := l.command("--version")
	if err := probe.Run(); errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EINVAL) {
		t.Log("network namespaces are not permitted here (", err, "): lens runs with --offline instead")
		l.with = []string{"--offline"}
	} else if err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *offlineLens) command(args ...string) *exec.Cmd {
	lens, err := exec.LookPath("lens")
	if err != nil {
		l.t.Fatal(err)
	}
	cmd := exec.Command(lens, append(args, l.with...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + l.home, "XDG_DATA_HOME=" + l.home, "XDG_CONFIG_HOME=" + l.home, "LANG=C.UTF-8"}
	if l.with == nil {
		self := []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		group := []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET, UidMappings: self, GidMappings: group}
	}
	return cmd
}

// run runs lens, which must succeed, and returns its output.
func (l *offlineLens) run(args ...string) string {
	l.t.Helper()
	cmd := l.command(args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		l.t.Fatalf("lens %v: %v\n%s", args, err, &stderr)
	}
	return string(out)
}

// read runs lens with --json and reads its document.
func (l *offlineLens) read(document any, args ...string) {
	l.t.Helper()
	if err := json.Unmarshal([]byte(l.run(append(args, "--json")...)), document); err != nil {
		l.t.Fatal(err)
	}
}

// someOf writes a folder with twenty chats of an export. Embedding the whole export takes a minute; the quality tests do
// that, and check what is found in it.
func someOf(t *testing.T, export string) (folder string) {
	t.Helper()
	const file = "conversations.json"
	text, err := os.ReadFile(filepath.Join(export, file))
	must(t, err)
	var all []json.RawMessage
	must(t, json.Unmarshal(text, &all))
	some, err := json.Marshal(all[120:140])
	must(t, err)
	folder = t.TempDir()
	must(t, os.WriteFile(filepath.Join(folder, file), some, 0o600))
	return folder
}

// TestRealExport_SearchByMeaningWithoutNetwork does what a user without a network would: install a model from files,
// import, be interrupted, continue, search.
func TestRealExport_SearchByMeaningWithoutNetwork(t *testing.T) {
	weights := useLite(t)
	if underRace {
		t.Skip("SKIPPED: under the race detector the real export takes minutes to embed; the run without it does")
	}
	realExport := someOf(t, testenv.Shared(t, "exports/real-2023"))
	l := newOfflineLens(t)
	l.run("model", "import", weights)
	l.run("model", "verify", "use-lite")
	interruptWhenEmbedding(t, l.command("import", realExport))
	var found struct {
		Mode      string
		Histogram struct{ Total int }
		Coverage  struct {
			Embedded float64 `json:"embedded_share"`
		}
	}
	if l.read(&found, "peek", "machine learning", "--mode", "keyword"); found.Histogram.Total == 0 || found.Coverage.Embedded == 1 {
		t.Fatalf("after the interruption: %+v", found)
	}
	var done struct{ Embedded, Pending, Dim int }
	if l.read(&done, "embed"); done.Embedded == 0 || done.Pending != 0 || done.Dim != 512 {
		t.Fatalf("embedded: %+v", done)
	}
	if l.read(&found, "peek", "how do I cook something tasty"); found.Mode != "hybrid" || found.Coverage.Embedded != 1 || found.Histogram.Total == 0 {
		t.Fatalf("found: %+v", found)
	}
	again := l.run("import", realExport)
	if !strings.Contains(again, "Nothing changed") || strings.Contains(again, "embedded with") {
		t.Errorf("again: %s", again)
	}
	if doctor := l.run("doctor"); !strings.Contains(doctor, "34 from use-lite (local), 512 dimensions\n") {
		t.Errorf("doctor: %s", doctor)
	}
}

// interruptWhenEmbedding starts an import and sends it a Ctrl+C once it embeds, which takes many seconds.
func interruptWhenEmbedding(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	begun, last := "", ""
	for lines := bufio.NewScanner(stderr); lines.Scan(); last = lines.Text() {
		if begun == "" && strings.Contains(lines.Text(), ", on this machine.") {
			begun = lines.Text()
			_ = cmd.Process.Signal(os.Interrupt) // only once: a second one kills it
		}
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != interrupted || begun == "" || last != "stopped" {
		t.Fatalf("the import ended with %d: %s … %s", code, begun, last)
	}
}

func TestDemo_EmbedsInBackground(t *testing.T) {
	weights, err := filepath.Abs(useLite(t))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if code := onTerminal(t, dir, "model", "import", weights).code(); code != done {
		t.Fatalf("import ends with %d", code)
	}
	begun := time.Now()
	term := onTerminal(t, dir, "demo")
	term.expect("2,959 turns in 730 conversation") // its last letter may be on the screen already
	t.Logf("the demo was open after %v", time.Since(begun).Round(10*time.Millisecond))
	term.press("/sourdough starter\r")
	term.expect("sourdough starter barely bubbles")
	term.press("q")
	if code := term.code(); code != done {
		t.Errorf("exit code %d", code)
	}
	term.expect("run lens demo to continue.")
}
