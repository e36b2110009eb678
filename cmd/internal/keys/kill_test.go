package keys

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

	"lens/cmd/internal/doctor"
	"lens/internal/vault/vaulttest"
)

// moveForever encrypts, locks and unlocks, changes PIN and key, decrypts, and starts again, from wherever a killed
// process stopped. It prints each step before it starts.
func moveForever(dir string) error {
	ctx := context.Background()
	l := newArchive(Options{Dir: dir, Vault: vaulttest.Options()})
	for {
		if !l.keys.Encrypted() {
			fmt.Println("encrypt")
			if err := l.mover.Encrypt(ctx, alone(onePhrase)); err != nil {
				return err
			}
		}
		fmt.Println("lock")
		if err := l.keys.Lock(); err != nil {
			return err
		}
		fmt.Println("unlock")
		now, err := unlockWithEither(l)
		if err != nil {
			return err
		}
		if _, err := l.contents(); err != nil {
			return err
		}
		next := onePhrase
		if now == onePhrase {
			next = otherPhrase
		}
		fmt.Println("change PIN")
		if err := l.keys.ChangePIN(now, Secrets{PIN: next, NoKeyring: true}); err != nil {
			return err
		}
		fmt.Println("change key")
		if err := l.mover.Rekey(ctx, next, alone(now)); err != nil {
			return err
		}
		fmt.Println("decrypt")
		if err := l.mover.Decrypt(ctx, now); err != nil {
			return err
		}
	}
}

// unlockWithEither returns the passphrase that unlocks the archive.
func unlockWithEither(l *archive) (string, error) {
	var failed error
	for _, phrase := range []string{onePhrase, otherPhrase} {
		err := l.keys.Unlock(phrase)
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
	first := archiveIn(t, dir)
	first.fill()
	before, err := first.contents()
	must(t, err)
	first.quit()
	during := map[string]int{}
	for range kills() {
		step := moveAndKill(t, dir, time.Duration(rand.Int64N(int64(700*time.Millisecond))))
		during[step]++
		l := archiveIn(t, dir)
		sealed := l.keys.Encrypted()
		if sealed {
			if _, err := unlockWithEither(l); err != nil {
				t.Fatalf("killed at %q: %v", step, err)
			}
		}
		if after, err := l.contents(); err != nil || after != before {
			t.Fatalf("killed at %q: got %d bytes, want %d; %v", step, len(after), len(before), err)
		}
		if left := l.folder.leftover(); left != "" {
			t.Errorf("killed at %q: %s", step, left)
		}
		if found := findsCanary(t, dir); sealed && len(found) > 0 {
			t.Errorf("killed at %q: found in %v", step, found)
		}
		l.quit()
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
	cmd.Env = append(os.Environ(), "LENS_KEYS_CHILD="+dir)
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
		do    func(t *testing.T, l *archive)
		under move
		plain bool
	}{
		"begun": {func(*testing.T, *archive) {}, move{To: "sealed-1", Files: beside}, true},
		"partly written": {func(t *testing.T, l *archive) {
			must(t, os.MkdirAll(filepath.Join(l.dir, "sealed-1"), 0o700))
			must(t, os.WriteFile(filepath.Join(l.dir, "sealed-1", ArchiveFile), []byte("half"), 0o600))
			must(t, os.WriteFile(filepath.Join(l.dir, "lens.vault.1.tmp"), []byte("half"), 0o600))
		}, move{To: "sealed-1", Files: beside}, true},
		"encrypted, not cleaned up": {func(t *testing.T, l *archive) {
			plain, err := os.ReadFile(filepath.Join(l.dir, ArchiveFile))
			must(t, err)
			must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
			must(t, os.WriteFile(filepath.Join(l.dir, ArchiveFile), plain, 0o600))
			must(t, os.WriteFile(filepath.Join(l.dir, "explorer.json"), []byte(canary), 0o600))
			must(t, os.Remove(filepath.Join(l.dir, "lens.vault.bak")))
		}, move{To: "sealed-1", Files: beside}, false},
		"partly decrypted": {func(t *testing.T, l *archive) {
			must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
			must(t, os.WriteFile(filepath.Join(l.dir, ArchiveFile), []byte(canary), 0o600))
		}, move{From: "sealed-1", Files: beside}, false},
	} {
		dir := t.TempDir()
		l := archiveIn(t, dir)
		l.fill()
		before, err := l.contents()
		must(t, err)
		must(t, l.Close())
		interrupt.do(t, l)
		l.quit()
		must(t, interrupt.under.begin(dir))
		l = archiveIn(t, dir)
		if c := l.folder.Check(t.Context())[0]; c.Status != doctor.Warn {
			t.Errorf("%s: got %+v", name, c)
		}
		if !interrupt.plain {
			must(t, l.keys.Unlock(onePhrase))
		}
		if after, err := l.contents(); err != nil || after != before || l.keys.Encrypted() == interrupt.plain {
			t.Errorf("%s: got %d bytes, want %d; %v", name, len(after), len(before), err)
		}
		l.quit()
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
