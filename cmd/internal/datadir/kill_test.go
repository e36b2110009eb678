//go:build system

package datadir

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"lens/cmd/internal/keys"
	"lens/internal/testenv"
	"lens/internal/vault/vaulttest"
)

// moving encrypts, locks and unlocks, changes PIN and key, decrypts, and starts again, from wherever a killed
// process stopped. It prints each step before it starts.
var moving = testenv.NewChild("move", func(args []string) error {
	ctx := context.Background()
	l := newArchive(keys.Options{Dir: args[0], Vault: vaulttest.Options()})
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
		if err := l.keys.ChangePIN(now, keys.Secrets{PIN: next, NoKeyring: true}); err != nil {
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
})

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
	lines := testenv.KillAfter(t, moving.Command(t, dir), after)
	if len(lines) == 0 {
		return ""
	}
	step = lines[len(lines)-1]
	if strings.Contains(step, ":") {
		t.Fatalf("the process failed: %s", step)
	}
	return step
}
