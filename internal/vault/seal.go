package vault

import (
	"crypto/rand"
	"errors"

	"golang.org/x/crypto/chacha20poly1305"
)

// A sealed file is "LENSBOX", a version byte, a nonce of 24 bytes and the content, encrypted with XChaCha20-Poly1305.
// The magic, the version, the purpose and the file's name are authenticated, too.
const (
	sealMagic  = "LENSBOX\x01"
	sealHeader = len(sealMagic) + chacha20poly1305.NonceSizeX
)

// ErrSealed means that the bytes were not sealed by this key, for this purpose and under this name, or were altered
// since.
var ErrSealed = errors.New("sealed file is damaged")

// Seal encrypts plain for a purpose, bound to the name of its file. Errors: locked.
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

// Open decrypts what Seal returned. It decrypts in place: the caller must not use sealed afterwards. Errors: locked,
// ErrSealed.
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
	nonce, content := sealed[len(sealMagic):sealHeader], sealed[sealHeader:]
	plain, err := aead.Open(content[:0], nonce, content, sealAssociatedData(purpose, name))
	if err != nil {
		return nil, ErrSealed
	}
	return plain, nil
}

func sealAssociatedData(purpose, name string) []byte {
	return []byte(sealMagic + purpose + "\x00" + name)
}
