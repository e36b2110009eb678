// Package vault holds the key of an encrypted archive, and gives it to who knows the PIN.
//
// The key is 32 random bytes, and everything on the disk is encrypted under keys derived from it, one for each purpose. It is kept
// wrapped, twice, in lens.vault (with lens.vault.bak, the same once more, beside it): once for the PIN and once for the recovery
// passphrase.
//
// The rules are:
//
//   - No PIN is stored, nor a hash of one: what a PIN unwraps is the check.
//   - A PIN is short, and would be found offline in minutes. So what unwraps is made of the PIN and of a secret that this machine's
//     keyring keeps: a stolen disk has only one of the two. Without a keyring there is no PIN but a passphrase.
//   - The recovery passphrase needs no keyring: it works on any machine. Who loses both has lost the archive.
//   - Each try is counted on the disk before it is made. After a wrong one the next has to wait 1, 2, 4 … seconds, and after ten
//     only the recovery passphrase is taken. That is for who sits at the keyboard; who has the disk is kept off by argon2id alone.
//   - The parameters of argon2id are part of what the wrapping authenticates, and are capped before they are believed.
//
// # What unlocked means
//
// A process that was given the PIN is unlocked, until it ends or locks itself, and no other is: each asks for itself. Anything else
// needs a place for the key that outlives a process, and forgets. Linux has one, a keyring in the kernel whose keys expire by
// themselves and never touch a disk: Hold keeps the key there for some minutes, where every process of the same user may read it,
// whatever program it is. For so long what is said below of the memory of a process keeps nobody of that user from the archive.
// The keyrings of desktops and of other systems forget nothing by themselves, so there Hold says no.
//
// # What it does not do
//
// While an archive is unlocked its key is in memory: zeroed when it is locked, as far as it is ours (key schedules inside of ciphers
// are left to the garbage collector), but not kept out of a swap file or an image written for hibernation. On Linux a process that has
// had a key writes no core dump, and no other of the same user may look into its memory; root may, and elsewhere the same user's debugger.
// And overwriting a file does not reliably remove it from an SSD or a copy-on-write file system: what was
// there before encryption may be found below the file system until the disk has reused the space.
package vault

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Options are what a Vault works with. The zero value is what everybody uses; tests use others.
type Options struct {
	Keyring Keyring          // nil: the operating system's
	Params  Params           // of new wrappings; zero: the standard ones
	Delay   time.Duration    // after the first wrong try; 0: a second
	Now     func() time.Time // nil: time.Now
}

// Vault is the wrapped key of one archive.
type Vault struct {
	dir  string
	opts Options
	file vaultFile
}

// Secrets are what a key is wrapped for.
type Secrets struct {
	PIN       string // with Alone a passphrase
	NoKeyring bool   // it unwraps by itself, without a keyring
	Recovery  string
}

// New returns a vault with a new key. Nothing is written before Save. Errors: invalid for a secret that is too short, unavailable
// when the keyring takes none.
func New(dir string, s Secrets, opts Options) (*Vault, *Keys, error) {
	v := &Vault{dir: dir, opts: opts.withDefaults()}
	rand.Read(v.file.id[:])
	keys, err := v.rekey(s)
	return v, keys, err
}

// Next returns the vault that follows v: with another key, and other secrets, for the same archive. Errors: as New.
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

// Epoch counts the keys that an archive has had, from 1.
func (v *Vault) Epoch() int { return int(v.file.epoch) }

// Alone reports whether the first of the secrets is a passphrase, which needs no keyring.
func (v *Vault) UsesPassphrase() bool { return v.file.slots[pinSlot].kind == passphrase }

// Describe says how the key is kept, in a few words.
func (v *Vault) Describe() string {
	s := v.file.slots[pinSlot]
	how := "a PIN and this machine's keyring"
	if s.kind == passphrase {
		how = "a passphrase"
	}
	return fmt.Sprintf("opened by %s (argon2id, %d MiB), or by the recovery passphrase", how, s.params.Memory>>10)
}

// Change wraps the key for another PIN. The recovery passphrase stays. Errors: as New.
func (v *Vault) SetPIN(keys *Keys, s Secrets) error {
	if err := s.CheckPIN(); err != nil {
		return err
	}
	return v.put(pinSlot, s.kind(), []byte(s.PIN), keys)
}

// CheckPIN returns an error for a PIN, or a passphrase, that is too short. Errors: invalid.
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

// Recover wraps the key for another recovery passphrase. Errors: invalid when it is too short.
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

// Load reads the vault in dir, from either of its files. Errors: fs.ErrNotExist when there is none, unavailable when both are damaged.
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

// Unlock returns the key. secret is the PIN, or the recovery passphrase. Errors: locked when it is neither, or when it is too early
// for another try; unavailable when the machine's keyring does not have its part, or when the try cannot be counted.
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
			_ = repair(v.dir) // else the copy, should it ever be needed, may open with a secret of before
		}
		return keys, nil
	case !errors.Is(err, errWrongSecret):
		attempts.undo() // it was no try
		return nil, err
	}
	return nil, errAttemptFailed(v.UsesPassphrase(), attempts.delay(), attempts.left())
}

// unwrap tries the slots that secret may be for.
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
		return nil, failed // which may be that it could not be tried as a PIN at all
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
