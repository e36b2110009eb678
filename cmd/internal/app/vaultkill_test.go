package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"lens/cmd/internal/config"
	"lens/cmd/internal/doctor"
)

// moveForEver encrypts, locks and unlocks, changes PIN and key, decrypts, and starts again, from wherever a killed
// process stopped. It prints each step before it starts.
func moveForEver(dir string) error {
	ctx := context.Background()
	l := New(config.Config{DataDir: dir}, "test")
	l.box.opts = cheap()
	for {
		if !l.Encrypted() {
			fmt.Println("encrypt")
			if err := l.Encrypt(ctx, alone(onePhrase)); err != nil {
				return err
			}
		}
		fmt.Println("lock")
		if err := l.Lock(); err != nil {
			return err
		}
		fmt.Println("unlock")
		now, err := unlockWithEither(l)
		if err != nil {
			return err
		}
		if _, err := contents(l); err != nil {
			return err
		}
		next := onePhrase
		if now == onePhrase {
			next = otherPhrase
		}
		fmt.Println("change PIN")
		if err := l.ChangePIN(now, Secrets{PIN: next, NoKeyring: true}); err != nil {
			return err
		}
		fmt.Println("change key")
		if err := l.Rekey(ctx, next, alone(now)); err != nil {
			return err
		}
		fmt.Println("decrypt")
		if err := l.Decrypt(ctx, now); err != nil {
			return err
		}
	}
}

// unlockWithEither returns the passphrase that unlocks the archive.
func unlockWithEither(l *App) (string, error) {
	var failed error
	for _, phrase := range []string{onePhrase, otherPhrase} {
		err := l.Unlock(phrase)
		if err == nil {
			return phrase, nil
		}
		failed = errors.Join(failed, err)
	}
	return "", failed
}

// kills returns how often the test kills a process: LENS_KILLS, or a few times.
func kills() int {
	if n, err := strconv.Atoi(os.Getenv("LENS_KILLS")); err == nil {
		return n
	}
	if testing.Short() {
		return 2
	}
	return 4
}

func TestMove_OutlivesBeingKilled(t *testing.T) {
	dir := t.TempDir()
	first := lensIn(t, dir)
	fill(t, first)
	before, err := contents(first)
	must(t, err)
	must(t, first.Close())
	during := map[string]int{}
	for range kills() {
		step := moveAndKill(t, dir, time.Duration(rand.Int64N(int64(700*time.Millisecond))))
		during[step]++
		l := lensIn(t, dir)
		sealed := l.Encrypted()
		if sealed {
			if _, err := unlockWithEither(l); err != nil {
				t.Fatalf("killed at %q: %v", step, err)
			}
		}
		if after, err := contents(l); err != nil || after != before {
			t.Fatalf("killed at %q: got %d bytes, want %d; %v", step, len(after), len(before), err)
		}
		if left := l.leftover(); left != "" {
			t.Errorf("killed at %q: %s", step, left)
		}
		if found := findsCanary(t, dir); sealed && len(found) > 0 {
			t.Errorf("killed at %q: found in %v", step, found)
		}
		must(t, l.Close())
	}
	t.Logf("killed during %v", during)
}

// moveAndKill starts a process that moves the archive in dir, kills it some time after its first step, and returns its
// last step.
func moveAndKill(t *testing.T, dir string, after time.Duration) (step string) {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), "LENS_BOOT_CHILD="+dir)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if step == "" {
			time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		}
		step = lines.Text()
	}
	_ = cmd.Wait() // an error, since it was killed
	if strings.Contains(step, ":") {
		t.Fatalf("the process failed: %s", step)
	}
	return step
}

// TestMove_EveryStateIsSettled creates each state that a move passes through, and settles it.
func TestMove_EveryStateIsSettled(t *testing.T) {
	beside := []string{"explorer.json", filepath.Join("chats", chatID+".json")}
	for name, interrupt := range map[string]struct {
		do    func(t *testing.T, l *App)
		under move
		plain bool
	}{
		"begun": {func(*testing.T, *App) {}, move{To: "sealed-1", Files: beside}, true},
		"partly written": {func(t *testing.T, l *App) {
			must(t, os.MkdirAll(filepath.Join(l.cfg.DataDir, "sealed-1"), 0o700))
			must(t, os.WriteFile(filepath.Join(l.cfg.DataDir, "sealed-1", archiveFile), []byte("half"), 0o600))
			must(t, os.WriteFile(filepath.Join(l.cfg.DataDir, "lens.vault.1.tmp"), []byte("half"), 0o600))
		}, move{To: "sealed-1", Files: beside}, true},
		"encrypted, not cleaned up": {func(t *testing.T, l *App) {
			plain, err := os.ReadFile(filepath.Join(l.cfg.DataDir, archiveFile))
			must(t, err)
			must(t, l.Encrypt(t.Context(), alone(onePhrase)))
			must(t, os.WriteFile(filepath.Join(l.cfg.DataDir, archiveFile), plain, 0o600))
			must(t, os.WriteFile(filepath.Join(l.cfg.DataDir, "explorer.json"), []byte(canary), 0o600))
			must(t, os.Remove(filepath.Join(l.cfg.DataDir, "lens.vault.bak")))
		}, move{To: "sealed-1", Files: beside}, false},
		"partly decrypted": {func(t *testing.T, l *App) {
			must(t, l.Encrypt(t.Context(), alone(onePhrase)))
			must(t, os.WriteFile(filepath.Join(l.cfg.DataDir, archiveFile), []byte(canary), 0o600))
		}, move{From: "sealed-1", Files: beside}, false},
	} {
		dir := t.TempDir()
		l := lensIn(t, dir)
		fill(t, l)
		before, err := contents(l)
		must(t, err)
		must(t, l.closeStore())
		interrupt.do(t, l)
		must(t, l.Close())
		must(t, interrupt.under.begin(dir))
		l = lensIn(t, dir)
		if findCheck(l.Doctor.Diagnose(t.Context()), "encryption").Status != doctor.Warn {
			t.Errorf("%s: no warning from Diagnose", name)
		}
		if !interrupt.plain {
			must(t, l.Unlock(onePhrase))
		}
		if after, err := contents(l); err != nil || after != before || l.Encrypted() == interrupt.plain {
			t.Errorf("%s: got %d bytes, want %d; %v", name, len(after), len(before), err)
		}
		must(t, l.Close())
		var names []string
		entries, err := os.ReadDir(dir)
		must(t, err)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		all := strings.Join(names, " ")
		if strings.Contains(all, "sealed") == interrupt.plain || strings.Contains(all, "lens.db") != interrupt.plain ||
			strings.Contains(all, movingName) || strings.Contains(all, ".tmp") {
			t.Errorf("%s: got files %s", name, all)
		}
		if _, err := os.Stat(filepath.Join(dir, "lens.vault.bak")); errors.Is(err, fs.ErrNotExist) != interrupt.plain {
			t.Errorf("%s: the second file of the vault: %v", name, err)
		}
	}
}
