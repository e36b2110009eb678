//go:build system

package main

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lens/internal/errs"
	"lens/internal/vault"
)

// mode returns the settings of the terminal. It does not call Fd, after which the file would block.
func (t *terminal) mode() (settings *unix.Termios, err error) {
	t.t.Helper()
	raw, err := t.control.SyscallConn()
	if err != nil {
		return nil, err
	}
	var failed error
	err = raw.Control(func(fd uintptr) { settings, failed = unix.IoctlGetTermios(int(fd), unix.TCGETS) })
	return settings, errors.Join(err, failed)
}

// pressUnseen types once the terminal's echo is off.
func (t *terminal) pressUnseen(keys string) {
	t.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		mode, err := t.mode()
		if err == nil && mode.Lflag&unix.ECHO == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.t.Fatalf("echo is still on: %v\n%q", err, t.text())
		}
	}
	t.press(keys)
}

const phrase = "nobody looks over my shoulder"

// setPassphrase encrypts the archive in dir with phrase.
func setPassphrase(t *testing.T, dir string) {
	t.Helper()
	set := onTerminal(t, dir, "pin", "set", "--passphrase")
	for _, says := range []string{"New passphrase", "Repeat it"} {
		set.expect(says)
		set.pressUnseen(phrase + "\n")
	}
	set.expect("now encrypted")
}

func TestPIN_IsAskedForAgainBeforeTheExplorer(t *testing.T) {
	dir := t.TempDir()
	setPassphrase(t, dir)
	explore := onTerminal(t, dir)
	explore.expect("PIN or passphrase")
	explore.pressUnseen("nobody looks over my head\n")
	explore.expect("wrong passphrase or recovery passphrase; ")
	explore.expect("PIN or passphrase")
	explore.pressUnseen(phrase + "\n") // at once: the vault does not try it for a second
	explore.expect("search by words")
}

// Long before the next one is tried, none is asked for.
func TestPIN_TooSoonEndsTheExplorer(t *testing.T) {
	dir := t.TempDir()
	setPassphrase(t, dir)
	for ago := 3; ago >= 0; ago-- {
		then := time.Now().Add(-time.Duration(ago) * time.Hour)
		v, err := vault.Load(filepath.Join(dir, "lens"), vault.Options{Now: func() time.Time { return then }})
		must(t, err)
		if _, err = v.Unlock("nobody looks over my head"); errs.CodeOf(err) != errs.Locked {
			t.Fatal(err)
		}
	}
	explore := onTerminal(t, dir)
	explore.expect("PIN or passphrase")
	explore.pressUnseen(phrase + "\n")
	explore.expect("too soon after a wrong attempt")
	explore.expect("hint: wait ")
	if n := strings.Count(explore.text(), "PIN or passphrase"); n != 1 {
		t.Errorf("it is asked for %d times:\n%s", n, explore.text())
	}
}

func TestPIN_IsNotEchoed(t *testing.T) {
	dir := t.TempDir()
	const phrase = "nobody looks over my shoulder"
	set := onTerminal(t, dir, "pin", "set", "--passphrase")
	set.expect("New passphrase")
	set.pressUnseen(phrase + "\n")
	set.expect("Repeat it")
	set.pressUnseen(phrase + "\n")
	set.expect("now encrypted")
	peek := onTerminal(t, dir, "peek", "anything")
	peek.expect("PIN or passphrase")
	peek.pressUnseen(phrase + "\n")
	peek.expect("No turns")
	for _, shown := range []string{set.text(), peek.text()} {
		if strings.Contains(shown, phrase) {
			t.Errorf("the passphrase is shown:\n%s", shown)
		}
	}
	stopped := onTerminal(t, dir, "peek", "anything")
	stopped.expect("PIN or passphrase")
	stopped.pressUnseen("\x03")
	stopped.expect("stopped")
}
