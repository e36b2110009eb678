// Package vaulttest makes vaults for tests: they open at once, and keep their device secrets in memory.
package vaulttest

import (
	"github.com/zalando/go-keyring"

	"lens/internal/vault"
)

// Secrets of tests.
const (
	Passphrase      = "one passphrase for a test"
	OtherPassphrase = "another passphrase for a test"
	Recovery        = "lusab babad gutih tugad lusab babad gutih tugad"
)

// Alone returns secrets that need no keyring.
func Alone(passphrase string) vault.Secrets {
	return vault.Secrets{PIN: passphrase, NoKeyring: true, Recovery: Recovery}
}

// Options returns options for vaults that open at once, without a delay after a wrong secret. Each call returns another
// keyring.
func Options() vault.Options {
	return vault.Options{Params: vault.Params{Memory: 64, Time: 1, Threads: 1}, Keyring: ring{}, Delay: 1}
}

// ring is a keyring in memory.
type ring map[string]string

func (r ring) Set(service, user, secret string) error { r[service+user] = secret; return nil }
func (r ring) Delete(service, user string) error      { delete(r, service+user); return nil }
func (r ring) Get(service, user string) (string, error) {
	if secret, ok := r[service+user]; ok {
		return secret, nil
	}
	return "", keyring.ErrNotFound
}
