package vault

import (
	"crypto/rand"
	"strings"
)

// How long secrets must be, in characters. A PIN has the keyring's help, a passphrase has not (15 is what NIST SP 800-63B asks of a
// password that stands alone), and a recovery passphrase is there for the day when all else is lost.
const (
	MinPIN        = 6
	MinPassphrase = 15
	MinRecovery   = 20
)

// NewRecovery returns a recovery passphrase of 128 random bits: eight words that can be spoken, each a proquint (D. S. Wilkerson,
// arXiv:0901.4016): consonants stand for four bits, the vowels between them for two.
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

// normal is how a recovery passphrase counts: capitals, hyphens and how many blanks there are between words make no difference.
func normalizeRecovery(words string) string {
	return strings.Join(strings.Fields(strings.ToLower(strings.ReplaceAll(words, "-", " "))), " ")
}
