package store

import (
	"crypto/sha256"

	"github.com/google/uuid"
)

// Embedded describes the text that a turn's vector was made of, in one generation.
type Embedded struct {
	Turn        uuid.UUID
	Generation  GenerationID // 0: the turn has no vector
	Content     Hash         // of Text, also where that is unknown
	UsedSummary bool         // Text has the turn's summary instead of the reply
	Text        string       // the exact text that the model got; "": unknown
}

// EmbeddedText is a text that was embedded. It is stored once, however many turns and generations it made vectors of.
type EmbeddedText struct {
	Content Hash
	Text    string // "": it was looked for in vain
}

// ContentHash returns the Content of an embedded text.
func ContentHash(text string) (h Hash) {
	sum := sha256.Sum256([]byte(text))
	copy(h[:], sum[:])
	return h
}

// ContentHash returns Content, or that of Text where it is known.
func (v *Vector) ContentHash() Hash {
	if v.Text != "" {
		return ContentHash(v.Text)
	}
	return v.Content
}
