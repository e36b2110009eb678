package vault

import (
	"crypto/hkdf"
	"crypto/sha256"

	"golang.org/x/crypto/argon2"
)

// Params are what argon2id is run with: memory in KiB, passes over it, lanes (RFC 9106).
type Params struct {
	Memory, Time uint32
	Threads      uint8
}

// standard is the second choice of RFC 9106: 64 MiB, 3 passes, 4 lanes; 0.2 s on a laptop.
var defaultParams = Params{Memory: 64 << 10, Time: 3, Threads: 4}

// What a file may ask for: with more, opening it could take the machine down.
const (
	maxMemory  = 1 << 20 // 1 GiB
	maxTime    = 16
	maxThreads = 16
)

func (p Params) check() error {
	if p.Memory < 8*uint32(p.Threads) || p.Memory > maxMemory || p.Time == 0 || p.Time > maxTime || p.Threads == 0 || p.Threads > maxThreads {
		return errParams
	}
	return nil
}

// kek returns the key that a slot's key is wrapped with: HKDF-SHA-256 over argon2id of the secret and, for a PIN, the machine's
// secret, which is made when it is to be.
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
