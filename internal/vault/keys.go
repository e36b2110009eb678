package vault

import (
	"bytes"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"sync"

	"golang.org/x/crypto/chacha20poly1305"
)

const keyBytes = 32

// errWrongSecret is the error of a slot that the secret does not unwrap.
var errWrongSecret = errors.New("wrong secret")

// Keys holds an archive's key until Zero. It is safe for concurrent use.
type Keys struct {
	mu  sync.RWMutex
	dek []byte // nil after Zero
}

func newKeys() *Keys {
	dek := make([]byte, keyBytes)
	rand.Read(dek)
	return newKeysFrom(dek)
}

// newKeysFrom returns the keys of dek, and protects this process's memory from then on.
func newKeysFrom(dek []byte) *Keys {
	disableDumps()
	return &Keys{dek: dek}
}

// Zero erases the key. Later calls of the other methods fail with locked.
func (k *Keys) Zero() {
	k.mu.Lock()
	defer k.mu.Unlock()
	clear(k.dek)
	k.dek = nil
}

// Derive returns the 32-byte key for one purpose, by HKDF-SHA-256 expansion. Errors: locked.
func (k *Keys) Derive(purpose string) ([]byte, error) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.dek == nil {
		return nil, errLocked()
	}
	return hkdf.Expand(sha256.New, k.dek, "lens "+purpose, keyBytes)
}

// Export returns a copy of the key, to be piped to a worker process; nil after Zero.
func (k *Keys) Export() []byte {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return bytes.Clone(k.dek)
}

// ImportKey returns the keys for a key that another process exported. It takes ownership of key.
func ImportKey(key []byte) (*Keys, error) {
	if len(key) != keyBytes {
		return nil, errLocked()
	}
	return newKeysFrom(key), nil
}

func (k *Keys) wrapInto(s *slot, kek, associatedData []byte) error {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.dek == nil {
		return errLocked()
	}
	aead, err := chacha20poly1305.NewX(kek)
	if err != nil {
		return err
	}
	copy(s.wrapped[:], aead.Seal(nil, s.nonce[:], k.dek, associatedData))
	return nil
}

func unwrapKeys(s slot, kek, associatedData []byte) (*Keys, error) {
	aead, err := chacha20poly1305.NewX(kek)
	if err != nil {
		return nil, err
	}
	dek, err := aead.Open(nil, s.nonce[:], s.wrapped[:], associatedData)
	if err != nil {
		return nil, errWrongSecret
	}
	return newKeysFrom(dek), nil
}
