package vault

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"lens/internal/errs"
)

// A vault that another process wrote or removed meanwhile is not overwritten: that could replace the only other key.
func TestSave_VaultChangedMeanwhile(t *testing.T) {
	for name, first := range map[string]func(t *testing.T, dir string, v *Vault, keys *Keys){
		"another PIN": func(t *testing.T, _ string, v *Vault, keys *Keys) {
			must(t, v.SetPIN(keys, Secrets{PIN: "another passphrase", NoKeyring: true}))
			must(t, v.Save())
		},
		"another key": func(t *testing.T, _ string, v *Vault, _ *Keys) {
			next, _, err := v.Rotate(Secrets{PIN: "another passphrase", NoKeyring: true, Recovery: words})
			must(t, err)
			must(t, next.Save())
		},
		"removed": func(t *testing.T, dir string, _ *Vault, _ *Keys) { must(t, Remove(dir)) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, c, _ := saved(t)
			one, keys := opened(t, dir, c)
			other, keysOfOther := opened(t, dir, c)
			first(t, dir, one, keys)
			before, _ := os.ReadFile(filepath.Join(dir, fileName)) // empty if removed
			must(t, other.SetPIN(keysOfOther, Secrets{PIN: "yet another passphrase", NoKeyring: true}))
			if err := other.Save(); errs.CodeOf(err) != "unavailable" {
				t.Errorf("second Save: got %v", err)
			}
			if after, _ := os.ReadFile(filepath.Join(dir, fileName)); !bytes.Equal(before, after) {
				t.Error("the second Save wrote the file")
			}
		})
	}
}

// A change that was interrupted between the two files leaves a copy that opens with the earlier secret. Unlock repairs it.
func TestUnlock_RepairsTheCopy(t *testing.T) {
	dir, c, _ := saved(t)
	v, keys := opened(t, dir, c)
	old, err := os.ReadFile(filepath.Join(dir, backupName))
	must(t, err)
	must(t, v.SetPIN(keys, Secrets{PIN: "another passphrase", NoKeyring: true}))
	must(t, v.Save())
	must(t, WriteFile(filepath.Join(dir, backupName), old))
	if _, err := unlock(dir, "another passphrase", cheap(c)); err != nil {
		t.Fatal(err)
	}
	must(t, os.Remove(filepath.Join(dir, fileName)))
	if _, err := unlock(dir, phrase, cheap(c)); errs.CodeOf(err) != "locked" {
		t.Errorf("the copy opens with the earlier passphrase: %v", err)
	}
}

func TestUnlock_AttemptCannotBeCounted(t *testing.T) {
	dir, c, _ := saved(t)
	must(t, remove(dir, attemptsName))
	must(t, os.MkdirAll(filepath.Join(dir, attemptsName, "in the way"), 0o700))
	if keys, err := unlock(dir, phrase, cheap(c)); keys != nil || errs.CodeOf(err) != "unavailable" {
		t.Errorf("got %v, %v", keys, err)
	}
}

func opened(t *testing.T, dir string, c *clock) (*Vault, *Keys) {
	t.Helper()
	v, err := Load(dir, cheap(c))
	must(t, err)
	keys, err := v.Unlock(phrase)
	must(t, err)
	return v, keys
}

func TestCopy_TakesTheNewerIntactFile(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	if err := Copy(from, to); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no vault: %v", err)
	}
	v, _, err := New(from, Secrets{PIN: "a passphrase for a test", NoKeyring: true, Recovery: NewRecovery()},
		Options{Params: Params{Memory: 64, Time: 1, Threads: 1}})
	must(t, err)
	must(t, v.Save())
	must(t, os.WriteFile(filepath.Join(from, fileName), []byte("damaged"), 0o600))
	must(t, Copy(from, to))
	for _, name := range []string{fileName, backupName} {
		copied, err := loadFile(filepath.Join(to, name))
		must(t, err)
		if copied != v.file {
			t.Errorf("%s is another vault", name)
		}
	}
}
