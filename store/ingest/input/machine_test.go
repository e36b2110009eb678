package input

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"lens/internal/testenv"
	"lens/store/ingest/source"
)

// homeOf returns a home folder with files, of which each holds its name, and the machine of its user.
func homeOf(t *testing.T, names ...string) (string, *Machine) {
	t.Helper()
	home := t.TempDir()
	for _, name := range names {
		at := filepath.Join(home, filepath.FromSlash(name))
		testenv.Must(t, os.MkdirAll(filepath.Dir(at), 0o700))
		testenv.Must(t, os.WriteFile(at, []byte(name), 0o600))
	}
	return home, &Machine{
		Bases:     map[source.Base]string{source.Home: home, source.Config: filepath.Join(home, ".config")},
		Downloads: filepath.Join(home, "Downloads"),
		Getenv:    func(string) string { return "" },
	}
}

// looked lists what a machine has: "Codex .codex 2 files 90 bytes".
func looked(t *testing.T, home string, m *Machine) string {
	t.Helper()
	found, err := m.Look(t.Context())
	testenv.Must(t, err)
	var all []string
	for _, f := range found {
		at, err := filepath.Rel(home, f.Path)
		testenv.Must(t, err)
		if f.Newest.IsZero() || f.Closed || f.More {
			t.Errorf("found %+v", f)
		}
		all = append(all, fmt.Sprintf("%s %s %d files %d bytes", f.Name, filepath.ToSlash(at), f.Files, f.Bytes))
	}
	return strings.Join(all, "\n")
}

func TestMachine_Look(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 4)
	chatGPT := "Downloads/" + long + "-2025-03-04-05-06-07-0123456789abcdef.zip"
	sessions := []string{
		".claude/projects/-a/1.jsonl", ".claude/projects/-a/1/subagents/2.jsonl", ".claude/history.jsonl", ".claude/projects/x.md",
		".codex/sessions/2026/01/02/r.jsonl", ".codex/archived_sessions/r.jsonl.zst", ".codex/config.toml",
		".gemini/tmp/p/chats/s.json", ".gemini/tmp/p/logs.json", ".gemini/settings.json",
		".copilot/config.json",
		".config/Code/User/workspaceStorage/w/chatSessions/c.json", ".config/Code/User/settings.json",
		"notes/conversations.json",
	}
	downloads := []string{
		chatGPT, "Downloads/data-2025-01-02-03-04-05-batch-0000.zip", "Downloads/takeout-20250102T030405Z-001.zip",
		"Downloads/chat-export-1700000000000.json", "Downloads/holiday-2025-01-02.zip", "Downloads/x/data-2025-01-02-03-04-05.zip",
		"Downloads/exports.zip",
	}
	unpacked := []string{"Downloads/conversations (1).json", "Downloads/export.zip"}
	downloads = append(downloads, unpacked...)
	size := func(names ...string) (n int) {
		for _, name := range names {
			n += len(name)
		}
		return n
	}
	home, m := homeOf(t, append(sessions, downloads...)...)
	want := []string{
		fmt.Sprintf("Claude Code .claude 2 files %d bytes", size(sessions[:2]...)),
		fmt.Sprintf("Codex .codex 2 files %d bytes", size(sessions[4:6]...)),
		fmt.Sprintf("Gemini CLI .gemini 1 files %d bytes", size(sessions[7])),
		fmt.Sprintf("Visual Studio Code .config/Code/User 1 files %d bytes", size(sessions[11])),
	}
	for name, at := range map[string]string{"ChatGPT": downloads[0], "Claude": downloads[1], "Gemini": downloads[2], "Open WebUI": downloads[3]} {
		want = append(want, fmt.Sprintf("%s %s 1 files %d bytes", name, at, len(at)))
	}
	for _, at := range unpacked {
		want = append(want, fmt.Sprintf("ChatGPT %s 1 files %d bytes", at, len(at)))
	}
	got := strings.Split(looked(t, home, m), "\n")
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestMachine_Nothing(t *testing.T) {
	for name, m := range map[string]*Machine{"an empty home": {}, "no folders": {Bases: map[source.Base]string{source.Home: "/does/not/exist"}}} {
		if found, err := m.Look(t.Context()); len(found) != 0 || err != nil {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
	home, m := homeOf(t, ".claude", ".codex/sessions") // files where folders are expected
	if got := looked(t, home, m); got != "" {
		t.Errorf("got %s", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Look(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// A variable names the folder of a program, unless it is not absolute.
func TestMachine_Variables(t *testing.T) {
	home, m := homeOf(t, ".codex/sessions/a.jsonl", "elsewhere/sessions/b.jsonl", "elsewhere/sessions/c.jsonl")
	at := filepath.Join(home, "elsewhere")
	m.Getenv = func(name string) string {
		if name == "CODEX_HOME" {
			return at
		}
		return ""
	}
	if got := looked(t, home, m); !strings.HasPrefix(got, "Codex elsewhere 2 files") || strings.Contains(got, "\n") {
		t.Errorf("got %s", got)
	}
	at = "elsewhere"
	if got := looked(t, home, m); !strings.HasPrefix(got, "Codex .codex 1 files") {
		t.Errorf("relative: got %s", got)
	}
}

func TestMachine_FollowsNoLinks(t *testing.T) {
	home, m := homeOf(t, "secret/a.jsonl", ".claude/projects/p/b.jsonl", "Downloads/x")
	for link, to := range map[string]string{
		".claude/projects/q": "secret", ".claude/projects/p/c.jsonl": "secret/a.jsonl", "Downloads/deepseek.zip": "secret/a.jsonl",
	} {
		if err := os.Symlink(filepath.Join(home, to), filepath.Join(home, link)); err != nil {
			t.Skipf("SKIPPED: no links here: %v", err)
		}
	}
	if got := looked(t, home, m); !strings.HasPrefix(got, "Claude Code .claude 1 files") || strings.Contains(got, "\n") {
		t.Errorf("got %s", got)
	}
}

// dirsOnly fails the test when a file is opened.
type dirsOnly struct {
	fstest.MapFS
	t *testing.T
}

func (d dirsOnly) Open(name string) (fs.File, error) {
	f, err := d.MapFS.Open(name)
	if err == nil {
		if info, err := f.Stat(); err == nil && !info.IsDir() {
			d.t.Errorf("%s is opened", name)
		}
	}
	return f, err
}

func (d dirsOnly) ReadDir(name string) ([]fs.DirEntry, error) { return d.MapFS.ReadDir(name) }

func TestLook_OpensNoFileAndStops(t *testing.T) {
	files := fstest.MapFS{}
	for i := range 100 {
		files[fmt.Sprintf("p/%d/a.jsonl", i)] = &fstest.MapFile{Data: []byte("x")}
	}
	for _, c := range []struct {
		left, want int
		more       bool
	}{{1000, 100, false}, {150, 49, true}, {1, 0, true}} {
		l := look{ctx: t.Context(), folder: dirsOnly{files, t}, left: c.left}
		l.match(".", []string{"p", "*", "*.jsonl"})
		if l.found.Files != c.want || l.found.Bytes != int64(c.want) || l.found.More != c.more {
			t.Errorf("%d names: %+v", c.left, l.found)
		}
	}
	closed := look{ctx: t.Context(), folder: closedFS{files, "p"}, left: 1000}
	if closed.match(".", []string{"p", "**", "*.jsonl"}); !closed.found.Closed {
		t.Errorf("closed: %+v", closed.found)
	}
}

// Every format says how people get its files.
func TestKinds(t *testing.T) {
	const column = 56
	kinds := Kinds()
	for i, k := range kinds {
		if k.Name == "" || k.Get == "" || len(k.Get) > column || strings.HasSuffix(k.Get, ".") {
			t.Errorf("%+v: Get of one of its formats has to say in at most %d bytes how people get it", k, column)
		}
		if slices.ContainsFunc(kinds[:i], func(other Kind) bool { return other.Name == k.Name }) {
			t.Errorf("%s is listed twice", k.Name)
		}
	}
	for _, f := range formats {
		for _, p := range f.Kept {
			for _, pattern := range p.Files {
				if _, err := filepath.Match(pattern, ""); err != nil || strings.HasPrefix(pattern, "/") || p.Folder == "" {
					t.Errorf("%s: %+v", f.Name, p)
				}
			}
		}
	}
}
