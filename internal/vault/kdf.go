package vault

import (
	"crypto/hkdf"
	"crypto/sha256"

	"golang.org/x/crypto/argon2"
)

// Params are the argon2id parameters: memory in KiB, passes and lanes (RFC 9106).
type Params struct {
	Memory, Time uint32
	Threads      uint8
}

// defaultParams is the second choice of RFC 9106: 64 MiB, 3 passes, 4 lanes. It takes 0.2 s on a laptop.
var defaultParams = Params{Memory: 64 << 10, Time: 3, Threads: 4}

// Limits for the parameters in a file: more could exhaust the machine.
const (
	maxMemory  = 1 << 20 // 1 GiB
	maxTime    = 16
	maxThreads = 16
)

func (p Params) check() error {
	if p.Memory < 8*uint32(p.Threads) || p.Memory > maxMemory ||
		p.Time == 0 || p.Time > maxTime || p.Threads == 0 || p.Threads > maxThreads {
		return errParams
	}
	return nil
}

// kek returns the key that wraps a slot's key: HKDF-SHA-256 over argon2id of the secret and, for a PIN, the device
// secret. With make, a missing device secret is created.
func (v *Vault) kek(s slot, secret []byte, make bool) ([]byte, error) {
	var deviceSecret []byte
	if s.kind == pin {
		var err error
		if deviceSecret, err = v.deviceSecret(make); err != nil {
			return nil, err
		}
	}
	stretched := argon2.IDKey(secret, s.salt[:], s.params.Time, s.params.Memory, s.params.Threads, keyBytes)
	defer clear(stretched)
	material := append(stretched, deviceSecret...)
	defer clear(material)
	return hkdf.Key(sha256.New, material, s.salt[:], "lens vault "+s.kind.String(), keyBytes)
}

func (k kind) String() string {
	switch k {
	case pin:
		return "PIN"
	case passphrase:
		return "passphrase"
	case recovery:
		return "recovery passphrase"
	}
	return "unknown"
}
