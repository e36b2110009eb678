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

// errNoKey is why a slot does not open: the secret is another one.
var errWrongSecret = errors.New("the key does not open")

// Keys is an archive's key, until it is zeroed. It is safe for concurrent use.
type Keys struct {
	mu  sync.RWMutex
	dek []byte // nil: zeroed
}

func newKeys() *Keys {
	dek := make([]byte, keyBytes)
	rand.Read(dek)
	return newKeysFrom(dek)
}

// keysOf returns the keys of a process that has got them, and from then on is looked into by nobody.
func newKeysFrom(dek []byte) *Keys {
	disableDumps()
	return &Keys{dek: dek}
}

// Zero forgets the key. What is asked of it afterwards fails with locked.
func (k *Keys) Zero() {
	k.mu.Lock()
	defer k.mu.Unlock()
	clear(k.dek)
	k.dek = nil
}

// Derive returns the 32 bytes that are for one purpose: HKDF-SHA-256, expanded by it. Errors: locked.
func (k *Keys) Derive(purpose string) ([]byte, error) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.dek == nil {
		return nil, errLocked()
	}
	return hkdf.Expand(sha256.New, k.dek, "lens "+purpose, keyBytes)
}

// Lend returns a copy of the key, for a process that works for this one and gets it through a pipe; nil when it is zeroed.
func (k *Keys) Export() []byte {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return bytes.Clone(k.dek)
}

// Borrow returns the keys that another process lent. key is theirs from then on.
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
