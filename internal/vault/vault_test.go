package vault

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"lens/internal/errs"
	"lens/internal/testenv"
)

const (
	phrase = "a passphrase of a test"
	words  = "lusab babad gutih tugad lusab babad gutih tugad"
)

// ring is a keyring in memory; nil: no keyring.
type ring map[string]string

var errNoRing = errors.New("no keyring")

func (r ring) Set(service, user, secret string) error {
	if r == nil {
		return errNoRing
	}
	r[service+"/"+user] = secret
	return nil
}

func (r ring) Get(service, user string) (string, error) {
	if secret, ok := r[service+"/"+user]; ok {
		return secret, nil
	}
	if r == nil {
		return "", errNoRing
	}
	return "", keyring.ErrNotFound
}

func (r ring) Delete(service, user string) error {
	delete(r, service+"/"+user)
	return nil
}

// clock is a time that the test advances.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

func cheap(c *clock) Options {
	return Options{Params: Params{Memory: 64, Time: 1, Threads: 1}, Keyring: ring{}, Now: c.Now}
}

// saved creates a vault in a temporary folder, opened by phrase and words.
func saved(t *testing.T) (dir string, c *clock, derived []byte) {
	t.Helper()
	dir, c = t.TempDir(), &clock{time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	v, keys, err := New(dir, Secrets{PIN: phrase, NoKeyring: true, Recovery: words}, cheap(c))
	must(t, err)
	must(t, v.Save())
	derived, err = keys.Derive("test")
	must(t, err)
	return dir, c, derived
}

var must = testenv.Must

// unlock loads the vault in dir and returns what its key derives.
func unlock(dir, secret string, opts Options) ([]byte, error) {
	v, err := Load(dir, opts)
	if err != nil {
		return nil, err
	}
	keys, err := v.Unlock(secret)
	if err != nil {
		return nil, err
	}
	return keys.Derive("test")
}

func TestUnlock_RightAndWrongSecrets(t *testing.T) {
	dir, c, want := saved(t)
	for secret, opens := range map[string]bool{
		phrase: true, words: true, strings.ToUpper(words): true, strings.ReplaceAll(words, " ", "-"): true,
		"": false, phrase + " ": false, strings.ToUpper(phrase): false, words[1:]: false,
	} {
		got, err := unlock(dir, secret, cheap(c))
		if opens != (err == nil) || opens && !bytes.Equal(got, want) || !opens && errs.CodeOf(err) != "locked" {
			t.Errorf("%q: %v", secret, err)
		}
		if err != nil && secret != "" && strings.Contains(err.Error(), secret) {
			t.Errorf("%q is in the error", secret)
		}
		c.now = c.now.Add(time.Hour)
	}
}

func TestUnlock_TenWrongAttempts(t *testing.T) {
	dir, c, want := saved(t)
	for n := range 10 {
		_, err := unlock(dir, "a wrong one", cheap(c))
		delay := time.Second << n
		if errs.CodeOf(err) != "locked" || !strings.Contains(err.(*errs.Error).Hint, "wait "+seconds(delay)) {
			t.Fatalf("attempt %d: %v, %v", n, err, err.(*errs.Error).Hint)
		}
		c.now = c.now.Add(delay - time.Millisecond)
		if _, err := unlock(dir, phrase, cheap(c)); errs.CodeOf(err) != "locked" || errors.Is(err, errWrongSecret) {
			t.Fatalf("too soon after attempt %d: %v", n, err)
		}
		c.now = c.now.Add(time.Millisecond)
	}
	if _, err := unlock(dir, phrase, cheap(c)); errs.CodeOf(err) != "locked" {
		t.Errorf("the right passphrase after ten wrong ones: %v", err)
	}
	c.now = c.now.Add(time.Hour)
	if _, err := unlock(dir, "quite a wrong recovery passphrase", cheap(c)); errs.CodeOf(err) != "locked" {
		t.Errorf("a wrong recovery passphrase: %v", err)
	}
	c.now = c.now.Add(time.Hour)
	if got, err := unlock(dir, words, cheap(c)); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the recovery passphrase: %v", err)
	}
	if _, err := unlock(dir, phrase, cheap(c)); err != nil {
		t.Errorf("the passphrase, after the recovery passphrase: %v", err)
	}
}

func TestUnlock_ClockSetBack(t *testing.T) {
	dir, c, _ := saved(t)
	_, _ = unlock(dir, "a wrong one", cheap(c))
	c.now = c.now.Add(-1000 * time.Hour)
	if _, err := unlock(dir, phrase, cheap(c)); errs.CodeOf(err) != "locked" {
		t.Errorf("at once: %v", err)
	}
	c.now = c.now.Add(time.Second)
	if _, err := unlock(dir, phrase, cheap(c)); err != nil {
		t.Errorf("a second later: %v", err)
	}
}

func TestUnlock_PINNeedsKeyring(t *testing.T) {
	dir, c := t.TempDir(), &clock{time.Now()}
	here := cheap(c)
	const longPIN = "a PIN of more than twenty"
	v, _, err := New(dir, Secrets{PIN: longPIN, Recovery: words}, here)
	must(t, err)
	must(t, v.Save())
	_, err = unlock(dir, longPIN, here)
	must(t, err)
	for name, keyring := range map[string]Keyring{"another machine": ring{}, "no keyring": ring(nil), "nonsense": ring{"lens/" + v.name(): "?"}} {
		elsewhere := here
		elsewhere.Keyring = keyring
		if _, err := unlock(dir, longPIN, elsewhere); errs.CodeOf(err) != "unavailable" || errors.Is(err, errWrongSecret) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, attemptsName)); err == nil {
			attempts, err := v.attempts()
			must(t, err)
			attempts.close()
			if attempts.n != 0 {
				t.Errorf("%s: %d attempts counted, want 0", name, attempts.n)
			}
		}
		if _, err := unlock(dir, words, elsewhere); err != nil {
			t.Errorf("%s, with the recovery passphrase: %v", name, err)
		}
	}
	if !HasKeyring(here) || HasKeyring(Options{Keyring: ring(nil)}) {
		t.Error("HasKeyring is wrong")
	}
	_, _, err = New(dir, Secrets{PIN: "271828", Recovery: words}, Options{Params: here.Params, Keyring: ring(nil)})
	if errs.CodeOf(err) != "unavailable" {
		t.Errorf("a PIN without a keyring: %v", err)
	}
}

func TestLoad_NewerFileWins(t *testing.T) {
	dir, c, want := saved(t)
	old, err := os.ReadFile(filepath.Join(dir, fileName))
	must(t, err)
	v, err := Load(dir, cheap(c))
	must(t, err)
	keys, err := v.Unlock(phrase)
	must(t, err)
	must(t, v.SetPIN(keys, Secrets{PIN: "the passphrase that follows", NoKeyring: true}))
	must(t, v.Save())
	must(t, os.WriteFile(filepath.Join(dir, fileName), old, 0o600))
	if got, err := unlock(dir, "the passphrase that follows", cheap(c)); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the new passphrase: %v", err)
	}
	if _, err := unlock(dir, phrase, cheap(c)); errs.CodeOf(err) != "locked" {
		t.Errorf("the old passphrase: %v", err)
	}
}

func TestRotate(t *testing.T) {
	dir, c, old := saved(t)
	v, err := Load(dir, cheap(c))
	must(t, err)
	next, keys, err := v.Rotate(Secrets{PIN: phrase, NoKeyring: true, Recovery: words})
	must(t, err)
	must(t, next.Save())
	got, err := keys.Derive("test")
	if err != nil || bytes.Equal(got, old) || next.Epoch() != 2 || next.name() != v.name() {
		t.Errorf("epoch %d, %v", next.Epoch(), err)
	}
	must(t, Remove(dir))
	if _, err := Load(dir, cheap(c)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("removed: %v", err)
	}
}

func TestNewRecovery(t *testing.T) {
	seen := map[string]bool{}
	for range 100 {
		made := NewRecovery()
		if len(strings.Fields(made)) != 8 || len(made) != 8*5+7 || normalizeRecovery(made) != made || seen[made] {
			t.Fatalf("made %q", made)
		}
		seen[made] = true
	}
}

func TestHold_UntilDrop(t *testing.T) {
	dir, c, want := saved(t)
	v, err := Load(dir, cheap(c))
	must(t, err)
	keys, err := v.Unlock(phrase)
	must(t, err)
	if err := v.Hold(keys, time.Minute); err != nil {
		if errs.CodeOf(err) != "unavailable" {
			t.Fatal(err)
		}
		t.Skipf("SKIPPED: this system has no kernel keyring: %v", err)
	}
	again, err := Load(dir, cheap(c))
	must(t, err)
	held, ok := again.Held()
	if !ok {
		t.Fatal("the key is not held")
	}
	if got, err := held.Derive("test"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("another key is held: %v", err)
	}
	if kept, err := again.Drop(); !kept || err != nil {
		t.Errorf("dropping: %v, %v", kept, err)
	}
	if _, ok := v.Held(); ok {
		t.Error("the key is still held")
	}
}

func BenchmarkUnlock(b *testing.B) {
	dir := b.TempDir()
	v, _, err := New(dir, Secrets{PIN: phrase, NoKeyring: true, Recovery: words}, Options{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := v.Unlock(phrase); err != nil {
			b.Fatal(err)
		}
	}
}
