package vault

import (
	"crypto/rand"
	"strings"
)

// Minimum lengths of secrets, in characters. The keyring strengthens a PIN. A passphrase stands alone: 15 is the
// minimum of NIST SP 800-63B for a sole password. The recovery passphrase is the last resort.
const (
	MinPIN        = 6
	MinPassphrase = 15
	MinRecovery   = 20
)

// NewRecovery returns a recovery passphrase of 128 random bits: eight pronounceable words, each a proquint (D. S.
// Wilkerson, arXiv:0901.4016), in which consonants encode four bits and the vowels between them two.
func NewRecovery() string {
	const consonants, vowels = "bdfghjklmnprstvz", "aiou"
	var bits [16]byte
	rand.Read(bits[:])
	defer clear(bits[:])
	words := make([]string, 8)
	for i := range words {
		n := uint16(bits[2*i])<<8 | uint16(bits[2*i+1])
		words[i] = string([]byte{
			consonants[n>>12], vowels[n>>10&3], consonants[n>>6&15], vowels[n>>4&3], consonants[n&15],
		})
	}
	return strings.Join(words, " ")
}

// normalizeRecovery ignores case, hyphens and extra blanks.
func normalizeRecovery(words string) string {
	return strings.Join(strings.Fields(strings.ToLower(strings.ReplaceAll(words, "-", " "))), " ")
}
