package vault

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"

	"lens/internal/errs"

	"github.com/zalando/go-keyring"
)

// Keyring stores a user's secrets on this machine. Get fails with keyring.ErrNotFound if there is no such secret.
type Keyring interface {
	Get(service, user string) (string, error)
	Set(service, user, secret string) error
	Delete(service, user string) error
}

const service = "lens"

type osKeyring struct{}

func (osKeyring) Get(service, user string) (string, error) { return keyring.Get(service, user) }
func (osKeyring) Set(service, user, secret string) error   { return keyring.Set(service, user, secret) }
func (osKeyring) Delete(service, user string) error        { return keyring.Delete(service, user) }

// HasKeyring reports whether the machine can store secrets. It stores a probe to find out.
func HasKeyring(opts Options) bool {
	ring := opts.withDefaults().Keyring
	if ring.Set(service, "probe", "probe") != nil {
		return false
	}
	kept, err := ring.Get(service, "probe")
	return ring.Delete(service, "probe") == nil && err == nil && kept == "probe"
}

// deviceSecret returns the keyring's part of a PIN; with make, it creates a missing one. Errors: unavailable.
func (v *Vault) deviceSecret(make bool) ([]byte, error) {
	text, err := v.opts.Keyring.Get(service, v.name())
	switch {
	case err == nil:
		deviceSecret, err := base64.StdEncoding.DecodeString(text)
		if err == nil && len(deviceSecret) == keyBytes {
			return deviceSecret, nil
		}
		return nil, errDeviceSecret(err)
	case !make || !errors.Is(err, keyring.ErrNotFound):
		return nil, errDeviceSecret(err)
	}
	deviceSecret := newKeys().dek
	rand.Read(deviceSecret)
	if err := v.opts.Keyring.Set(service, v.name(), base64.StdEncoding.EncodeToString(deviceSecret)); err != nil {
		return nil, errDeviceSecret(err)
	}
	return deviceSecret, nil
}

// DeleteDeviceSecret removes the keyring's part of a PIN, for an archive that was removed.
func (v *Vault) DeleteDeviceSecret() error {
	if err := v.opts.Keyring.Delete(service, v.name()); v.UsesPassphrase() || errors.Is(err, keyring.ErrNotFound) {
		return nil
	} else {
		return err
	}
}

// name identifies the archive in keyrings.
func (v *Vault) name() string { return hex.EncodeToString(v.file.id[:]) }

func errDeviceSecret(err error) error {
	return &errs.Error{
		Code: errs.Unavailable, Op: "vault", Message: "this machine's keyring has no secret for this archive",
		Hint: "unlock the keyring, or use the recovery passphrase and run lens pin change", Err: err,
	}
}
