package httpapi

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"strings"
)

// keyring holds the hashes of the accepted API keys.
type keyring [][sha256.Size]byte

func newKeyring(keys []string) keyring {
	var ring keyring
	for _, key := range keys {
		ring = append(ring, sha256.Sum256([]byte(key)))
	}
	return ring
}

// find looks up the key of an Authorization header and returns an opaque name for it. It runs in constant time: it
// compares all hashes, which have the same length, to their ends.
func (ring keyring) find(header string) (name string, ok bool) {
	scheme, key, _ := strings.Cut(header, " ")
	given := sha256.Sum256([]byte(strings.TrimSpace(key)))
	found := 0
	for _, one := range ring {
		found |= subtle.ConstantTimeCompare(one[:], given[:])
	}
	return hex.EncodeToString(given[:8]), found == 1 && strings.EqualFold(scheme, "Bearer")
}
