// Package vault keeps the key of an encrypted archive and releases it for the right PIN, passphrase or recovery
// passphrase.
//
// The key is 32 random bytes. Every encrypted file uses a key derived from it, one for each purpose. The file
// lens.vault stores it wrapped twice: once under the PIN or passphrase, once under the recovery passphrase.
// lens.vault.bak is a copy.
//
// The rules are:
//
//   - Neither a PIN nor a hash of one is stored. A secret is right if it unwraps the key.
//   - A PIN is short enough to be guessed offline in minutes. The wrapping key therefore comes from the PIN and from a
//     secret in this machine's keyring: a stolen disk holds only half. Without a keyring, a passphrase replaces the
//     PIN.
//   - The recovery passphrase needs no keyring and works on any machine. Losing both it and the PIN loses the archive.
//   - Every attempt is counted on disk before it is made. After a wrong one, the next must wait 1, 2, 4 … seconds;
//     after ten, only the recovery passphrase works. This slows down someone at the keyboard. Against someone who has
//     the disk, only argon2id helps. In a folder that is read-only for the process, attempts are not counted.
//   - The wrapping authenticates the argon2id parameters, and they are checked against limits before they are used.
//
// # What it guarantees
//
// The archive cannot be decrypted from the disk alone without guessing a passphrase. A PIN cannot be guessed at all
// without this machine's keyring. An altered vault file never yields a key. An interrupted write leaves at least one
// intact file.
//
// Unlocking applies to one process, until it exits or locks. To share the key between processes, Hold puts it into the
// Linux kernel's user keyring, which drops it after a set time and never writes it to disk. While it is there, any
// program of the same user can read it. Other keyrings do not expire keys, so on other systems Hold fails.
//
// # What it does not guarantee
//
// While an archive is unlocked, its key is in memory. Locking zeroes our copy, but not the key schedules inside
// ciphers, which wait for the garbage collector. Swap files and hibernation images may contain the key. On Linux, a
// process that has had a key writes no core dump, and other processes of the same user cannot read its memory, but root
// can. On other systems a debugger of the same user can, too.
//
// Overwriting a file does not reliably erase it from an SSD or a copy-on-write file system: plaintext from before
// encryption may remain there until the disk reuses the space.
package vault

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Options configures a Vault. The zero value is right outside tests.
type Options struct {
	Keyring Keyring          // nil: the operating system's
	Params  Params           // for new wrappings; zero: the defaults
	Delay   time.Duration    // after the first wrong attempt; 0: one second
	Now     func() time.Time // nil: time.Now
}

// Vault is the wrapped key of one archive.
type Vault struct {
	dir  string
	opts Options
	file vaultFile
}

// Secrets are the secrets that unwrap the key.
type Secrets struct {
	PIN       string // a passphrase if NoKeyring is set
	NoKeyring bool   // PIN is a passphrase and needs no keyring
	Recovery  string
}

// New returns a vault with a new key. Call Save to write it. Errors: invalid if a secret is too short, unavailable if
// the keyring cannot store its part.
func New(dir string, s Secrets, opts Options) (*Vault, *Keys, error) {
	v := &Vault{dir: dir, opts: opts.withDefaults()}
	rand.Read(v.file.id[:])
	keys, err := v.rekey(s)
	return v, keys, err
}

// Rotate returns a vault with a new key and new secrets for the same archive. Errors: as New.
func (v *Vault) Rotate(s Secrets) (*Vault, *Keys, error) {
	next := *v
	keys, err := next.rekey(s)
	return &next, keys, err
}

func (v *Vault) rekey(s Secrets) (*Keys, error) {
	v.file.epoch++
	keys := newKeys()
	err := errors.Join(v.SetPIN(keys, s), v.SetRecovery(keys, s.Recovery))
	if err != nil {
		keys.Zero()
		return nil, err
	}
	return keys, nil
}

// Epoch returns how many keys the archive has had, this one included.
func (v *Vault) Epoch() int { return int(v.file.epoch) }

// UsesPassphrase reports whether a passphrase takes the place of the PIN, so that no keyring is needed.
func (v *Vault) UsesPassphrase() bool { return v.file.slots[pinSlot].kind == passphrase }

// Describe says in a few words how the key is protected.
func (v *Vault) Describe() string {
	s := v.file.slots[pinSlot]
	how := "a PIN and this machine's keyring"
	if s.kind == passphrase {
		how = "a passphrase"
	}
	return fmt.Sprintf("opens with %s (argon2id, %d MiB) or with the recovery passphrase", how, s.params.Memory>>10)
}

// SetPIN wraps the key under another PIN. The recovery passphrase stays valid. Errors: as New.
func (v *Vault) SetPIN(keys *Keys, s Secrets) error {
	if err := s.CheckPIN(); err != nil {
		return err
	}
	return v.put(pinSlot, s.kind(), []byte(s.PIN), keys)
}

// CheckPIN returns an error if the PIN, or the passphrase, is too short. Errors: invalid.
func (s Secrets) CheckPIN() error {
	least := MinPIN
	if s.NoKeyring {
		least = MinPassphrase
	}
	if len([]rune(s.PIN)) < least {
		return errTooShort(s.kind(), least)
	}
	return nil
}

func (s Secrets) kind() kind {
	if s.NoKeyring {
		return passphrase
	}
	return pin
}

// SetRecovery wraps the key under another recovery passphrase. Errors: invalid if it is too short.
func (v *Vault) SetRecovery(keys *Keys, words string) error {
	if len([]rune(normalizeRecovery(words))) < MinRecovery {
		return errTooShort(recovery, MinRecovery)
	}
	return v.put(recoverySlot, recovery, []byte(normalizeRecovery(words)), keys)
}

func (v *Vault) put(at int, k kind, secret []byte, keys *Keys) error {
	s := slot{kind: k, params: v.opts.Params}
	rand.Read(s.salt[:])
	rand.Read(s.nonce[:])
	kek, err := v.kek(s, secret, true)
	if err != nil {
		return err
	}
	defer clear(kek)
	if err := keys.wrapInto(&s, kek, v.file.associatedData(s)); err != nil {
		return err
	}
	v.file.slots[at] = s
	return nil
}

// Load reads the vault in dir from the newer intact file. Errors: fs.ErrNotExist if there is none, unavailable if both
// files are damaged.
func Load(dir string, opts Options) (*Vault, error) {
	v := &Vault{dir: dir, opts: opts.withDefaults()}
	var err error
	v.file, err = load(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err != nil:
		return nil, errUnreadable(dir, err)
	}
	return v, nil
}

// Unlock returns the key for secret, which is the PIN or the recovery passphrase. Errors: locked if it is neither, or
// too soon after a wrong attempt; unavailable if the keyring lacks its part or the attempt cannot be counted.
func (v *Vault) Unlock(secret string) (*Keys, error) {
	attempts, err := v.attempts()
	if err != nil {
		return nil, errNotCounted(err)
	}
	defer attempts.close()
	now := v.opts.Now()
	attempts.clampToNow(now)
	if wait := attempts.wait(now); wait > 0 {
		return nil, errTooEarly(wait, attempts.left())
	}
	if err := attempts.count(now); err != nil {
		return nil, errNotCounted(err)
	}
	keys, err := v.unwrapSecret(secret, attempts.left() >= 0)
	switch {
	case err == nil:
		attempts.reset()
		if attempts.lock != nil {
			_ = repair(v.dir) // otherwise the copy may still open with an earlier secret
		}
		return keys, nil
	case !errors.Is(err, errWrongSecret):
		attempts.undo() // the secret was never compared
		return nil, err
	}
	return nil, errAttemptFailed(v.UsesPassphrase(), attempts.delay(), attempts.left())
}

// unwrapSecret tries secret on the PIN's slot, if withPIN is set, and on the recovery slot.
func (v *Vault) unwrapSecret(secret string, withPIN bool) (*Keys, error) {
	failed := errWrongSecret
	if withPIN {
		keys, err := v.open(v.file.slots[pinSlot], []byte(secret))
		if err == nil {
			return keys, nil
		}
		failed = err
	}
	words := normalizeRecovery(secret)
	if len([]rune(words)) < MinRecovery {
		return nil, failed
	}
	keys, err := v.open(v.file.slots[recoverySlot], []byte(words))
	if errors.Is(err, errWrongSecret) {
		return nil, failed // may say that the PIN could not be tried
	}
	return keys, err
}

func (v *Vault) open(s slot, secret []byte) (*Keys, error) {
	kek, err := v.kek(s, secret, false)
	if err != nil {
		return nil, err
	}
	defer clear(kek)
	return unwrapKeys(s, kek, v.file.associatedData(s))
}
