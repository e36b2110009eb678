package store

import (
	"context"
	"crypto/sha256"

	"github.com/google/uuid"
)

// EmbeddedReader is the part of Reader that knows which texts vectors were made of.
type EmbeddedReader interface {
	// Embedded returns the text that the vector of each of turns was made of in the active generation, in their order.
	// A turn without a vector there, or that does not exist, has no Generation.
	Embedded(ctx context.Context, turns []uuid.UUID) ([]Embedded, error)

	// VectorsOfTexts returns, for each of contents, the vector of generation gen whose embedded text has that hash, of the
	// first turn by id; nil if there is none. Store it for another turn with the same text as a Vector that is Stored.
	VectorsOfTexts(ctx context.Context, gen GenerationID, contents []Hash) ([][]float32, error)

	// EmbeddedTexts returns up to limit of the stored texts with a Content above after, by ascending Content: all of
	// them in pages, for a copy of the archive. Write them with Tx.PutEmbeddedTexts, after the vectors.
	EmbeddedTexts(ctx context.Context, after Hash, limit int) ([]EmbeddedText, error)

	// VectorsWithoutText returns up to limit vectors of any generation whose text is unknown, by ascending Content,
	// Turn and Generation, all of them above those of after: the vectors whose text was looked for in vain if lost,
	// else those whose text nothing has looked for yet (see FillEmbeddedTexts). It leaves UsedSummary out.
	VectorsWithoutText(ctx context.Context, lost bool, after Embedded, limit int) ([]Embedded, error)
}

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
