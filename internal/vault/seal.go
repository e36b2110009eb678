package vault

import (
	"crypto/rand"
	"errors"

	"golang.org/x/crypto/chacha20poly1305"
)

// A sealed file is "LENSBOX", a byte for the version of this format, a nonce of 24 bytes and the content, encrypted with
// XChaCha20-Poly1305, which also authenticates what is before it, what the file is for and what it is called.
const (
	sealMagic  = "LENSBOX\x01"
	sealHeader = len(sealMagic) + chacha20poly1305.NonceSizeX
)

// ErrSealed is returned for bytes that were not sealed by this key, for this purpose and under this name, or not like that.
var ErrSealed = errors.New("sealed file is damaged")

// Seal returns plain encrypted for a purpose, under the name of the file. Errors: locked.
func (k *Keys) Seal(purpose, name string, plain []byte) ([]byte, error) {
	key, err := k.Derive(purpose)
	if err != nil {
		return nil, err
	}
	defer clear(key)
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		return nil, err
	}
	box := make([]byte, sealHeader, sealHeader+len(plain)+aead.Overhead())
	rand.Read(box[copy(box, sealMagic):])
	return aead.Seal(box, box[len(sealMagic):], plain, sealAssociatedData(purpose, name)), nil
}

// Open returns what was sealed. It is decrypted in place: sealed is of no use afterwards. Errors: locked, ErrSealed.
func (k *Keys) Open(purpose, name string, sealed []byte) ([]byte, error) {
	key, err := k.Derive(purpose)
	if err != nil {
		return nil, err
	}
	defer clear(key)
	if len(sealed) < sealHeader || string(sealed[:len(sealMagic)]) != sealMagic {
		return nil, ErrSealed
	}
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		return nil, err
	}
	plain, err := aead.Open(sealed[sealHeader:sealHeader], sealed[len(sealMagic):sealHeader], sealed[sealHeader:], sealAssociatedData(purpose, name))
	if err != nil {
		return nil, ErrSealed
	}
	return plain, nil
}

func sealAssociatedData(purpose, name string) []byte {
	return []byte(sealMagic + purpose + "\x00" + name)
}
