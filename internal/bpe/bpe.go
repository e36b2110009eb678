// Package bpe splits text into tokens as OpenAI's models do: by byte-pair encoding, with their vocabularies cl100k_base
// and o200k_base.
//
// A vocabulary is embedded as the list of its tokens in order of rank, each after a byte with its length. Both lists
// take 2.3 MB; the maps that a compiler makes of them take 9 MB.
package bpe

import (
	_ "embed" // for the vocabularies
	"iter"
	"sync"
)

//go:generate go test -C ../bench -run Vocabularies -write

var (
	//go:embed cl100k.tokens
	cl100kTokens string
	//go:embed o200k.tokens
	o200kTokens string
)

// Vocabulary splits text into the tokens of a family of models. It is safe for concurrent use.
type Vocabulary struct {
	ranks map[string]uint32        // of every token, which is also its id: the lower, the earlier it is merged
	piece func(text string) string // the first piece of a text that is not empty; no token spans two pieces
}

// Cl100k returns the vocabulary of GPT-4, GPT-3.5 and the embedding models. The first call takes some 15 ms and 3.4 MB.
var Cl100k = sync.OnceValue(func() *Vocabulary { return &Vocabulary{ranks(cl100kTokens, 100_256), cl100kPiece} })

// O200k returns the vocabulary of GPT-4o and later models. The first call takes some 40 ms and 6.8 MB.
var O200k = sync.OnceValue(func() *Vocabulary { return &Vocabulary{ranks(o200kTokens, 199_998), o200kPiece} })

// ranks reads a list of tokens of that size.
func ranks(list string, size int) map[string]uint32 {
	all := make(map[string]uint32, size)
	for list != "" {
		end := 1 + int(list[0])
		all[list[1:end]] = uint32(len(all))
		list = list[end:]
	}
	return all
}

// Count returns the number of tokens of text.
func (v *Vocabulary) Count(text string) int {
	n := 0
	for range v.Tokens(text) {
		n++
	}
	return n
}

// Tokens yields the tokens of text, which together are text. A token may end within a character.
func (v *Vocabulary) Tokens(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			piece := v.piece(text)
			text = text[len(piece):]
			if _, known := v.ranks[piece]; known {
				if !yield(piece) {
					return
				}
				continue
			}
			next := v.merge(piece)
			for from := 0; from < len(piece); from = int(next[from]) {
				if !yield(piece[from:next[from]]) {
					return
				}
			}
		}
	}
}
