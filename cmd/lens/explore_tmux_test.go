//go:build system

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// multiplexer is a tmux server with one window, which runs a shell.
type multiplexer struct {
	t      *testing.T
	folder string
}

func onTmux(t *testing.T, env ...string) *multiplexer {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("the explorer is NOT tested in a terminal multiplexer: tmux is missing (apt-get install tmux)")
	}
	folder, err := os.MkdirTemp("", "lens") // the path of a socket has to be short
	if err != nil {
		t.Fatal(err)
	}
	m := &multiplexer{t, folder}
	t.Cleanup(func() {
		_ = m.command("kill-server").Run()
		_ = os.RemoveAll(folder)
	})
	start := append([]string{"new-session", "-d", "-x", "120", "-y", "40", "env", "-i"}, env...)
	m.do(append(start, endsAtOnce, "PS1=ready$ ", "TERM=screen-256color", "PATH="+os.Getenv("PATH"), "sh")...)
	m.see(`ready\$`)
	return m
}

func (m *multiplexer) command(args ...string) *exec.Cmd {
	return exec.Command("tmux", append([]string{"-S", filepath.Join(m.folder, "socket"), "-f", "/dev/null", "-u"}, args...)...)
}

func (m *multiplexer) do(args ...string) string {
	m.t.Helper()
	out, err := m.command(args...).CombinedOutput()
	if err != nil {
		m.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

// press sends keys as tmux names them.
func (m *multiplexer) press(keys ...string) {
	m.t.Helper()
	m.do(append([]string{"send-keys"}, keys...)...)
}

func (m *multiplexer) resize(width, height string) {
	m.t.Helper()
	m.do("resize-window", "-x", width, "-y", height)
}

// see waits until the screen matches every pattern, and returns it.
func (m *multiplexer) see(patterns ...string) string {
	m.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		screen, missing := m.do("capture-pane", "-p"), ""
		for _, p := range patterns {
			if !regexp.MustCompile(p).MatchString(screen) {
				missing = p
			}
		}
		if missing == "" {
			return screen
		}
		if time.Now().After(deadline) {
			m.t.Fatalf("%q never appeared in\n%s", missing, screen)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// mustFit fails if the screen is larger than the window.
func (m *multiplexer) mustFit(screen string, width, height int) {
	m.t.Helper()
	lines := strings.Split(strings.TrimSuffix(screen, "\n"), "\n")
	for _, line := range lines {
		if len([]rune(line)) > width {
			m.t.Errorf("a line has more than %d cells: %q", width, line)
		}
	}
	if len(lines) > height {
		m.t.Errorf("%d lines on a screen of %d", len(lines), height)
	}
}

// demoOnTmux returns a terminal whose shell has a home of its own, with the demo's archive.
func demoOnTmux(t *testing.T) (m *multiplexer, lens, archive string) {
	t.Helper()
	data := t.TempDir()
	lens, err := exec.LookPath("lens")
	must(t, err)
	m = onTmux(t, "HOME="+data, "XDG_DATA_HOME="+data, "XDG_CONFIG_HOME="+data, "LANG=C.UTF-8")
	m.press(lens+" demo --no-tui >/dev/null; echo imported: $?", "Enter")
	m.see(`imported: 0`)
	return m, lens, filepath.Join(data, "lens", "demo")
}

// TestExplore_InTmux uses the explorer in a real terminal as a person would.
func TestExplore_InTmux(t *testing.T) {
	m, lens, archive := demoOnTmux(t)
	m.press("clear; "+lens+" --data "+archive, "Enter")
	m.see(`[0-9,]+ turns in [0-9,]+ conversations`, `/ search .* by words`)

	m.press("/sourdough")
	m.see(`/ sourdough`, `Matches +.*best first`, `▌ ● `)
	m.press("Enter", "g", "n", "v", "l", "l")
	m.see(`━┛|▲`, `brush`)
	m.press("Enter")
	m.see(`All time › `)
	m.press("u")
	m.see(`(?m)^..All time +by`)
	m.press("U")
	m.see(`All time › `)
	m.press("2", "Enter")
	wide := m.see(`You  ◆ \w+ \d+ \w+ 20\d\d`, `▸ .* turn \d+ of \d+`, `(?m)^.{54}.?│`)
	m.mustFit(wide, 120, 40)
	m.press("5")
	m.mustFit(m.see(` Match 1 of \d+`, `ranking score`, ` 3 go to turn`), 120, 40)
	m.press("T", "z")
	m.see(`bins in UTC`, `(?m)^ UTC  `)
	m.press("T", "z", "E")
	m.see(`No errors`)
	m.press("3", "w")
	m.see(`Save 1 turn`, `folder`)
	m.press("C-g")

	m.resize("70", "20")
	narrow := m.see(`You  ◆ \w+ \d+ \w+ 20\d\d`, `/ sourdough`)
	m.mustFit(narrow, 70, 20)
	m.resize("35", "6")
	m.see(`Lens needs 40x8 \(now 35x6\)`)
	m.resize("120", "40")
	m.see(`You  ◆ \w+ \d+ \w+ 20\d\d`, `All time › `, `(?m)^.{54}.?│`)

	m.press("C-z")
	m.see(`Stopped`, `ready\$`)
	m.press("fg", "Enter")
	m.see(`All time › `, `/ sourdough`)
	m.press("q")
	end := m.see(`ready\$`)
	if strings.Contains(end, "All time ›") {
		t.Errorf("the explorer is still on the screen:\n%s", end)
	}
	m.press("echo still=$((1+1))", "Enter")
	m.see(`still=2`)
	if modes := m.do("display-message", "-p", "#{alternate_on}#{mouse_any_flag}#{keypad_flag}#{insert_flag}"); strings.TrimSpace(modes) != "0000" {
		t.Errorf("alternate screen, mouse, keypad, insert mode are left at %s", modes)
	}
}
