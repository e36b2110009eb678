package local

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// unigram cuts a word as SentencePiece's unigram model does (Kudo, "Subword Regularization"): among all ways to cut it
// into pieces of the vocabulary it takes the one with the highest sum of scores (Viterbi). A character that is not a
// piece is unknown and scores less than any piece; unknown ones that follow each other are one token, or one for each
// of their bytes.
type unigram struct {
	pieces  map[string]scoredPiece
	longest int // bytes of the longest piece
	unknown int32
	penalty float64        // the score of an unknown character
	bytes   map[byte]int32 // the pieces for single bytes; nil: not used
	size    int            // of the vocabulary
}

type scoredPiece struct {
	id    int32
	score float64
}

// unknownPenalty is how much less an unknown character scores than the worst piece.
const unknownPenalty = 10

func readUnigram(f *modelFile) (*unigram, error) {
	u := &unigram{pieces: make(map[string]scoredPiece, min(len(f.Vocabulary)/32, 1<<18))}
	worst := math.Inf(1)
	for row, err := range pieceRows(f.Vocabulary) {
		if err != nil {
			return nil, err
		}
		u.pieces[row.text] = scoredPiece{int32(u.size), row.score}
		u.size++
		u.longest = max(u.longest, len(row.text))
		worst = min(worst, row.score)
	}
	if f.UnknownID == nil || *f.UnknownID < 0 || *f.UnknownID >= u.size {
		return nil, errors.New("the unigram model has no unknown piece")
	}
	u.unknown = int32(*f.UnknownID)
	u.penalty = worst - unknownPenalty
	if f.ByteFallback {
		u.bytes = make(map[byte]int32)
		for b := range 256 {
			if p, ok := u.pieces[fmt.Sprintf("<0x%02X>", b)]; ok {
				u.bytes[byte(b)] = p.id
			}
		}
	}
	return u, nil
}

// pieceRow is a pair of a piece and its score.
type pieceRow struct {
	text  string
	score float64
}

// pieceRows reads the rows of a vocabulary one by one: XLM-RoBERTa's has 250,002.
func pieceRows(vocabulary []byte) iter.Seq2[pieceRow, error] {
	return func(yield func(pieceRow, error) bool) {
		d := jsontext.NewDecoder(bytes.NewBuffer(vocabulary), jsontext.AllowInvalidUTF8(true))
		if err := expect(d, '['); err != nil {
			yield(pieceRow{}, err)
			return
		}
		for d.PeekKind() == '[' {
			row, err := readPieceRow(d)
			if !yield(row, err) || err != nil {
				return
			}
		}
		if err := expect(d, ']'); err != nil {
			yield(pieceRow{}, err)
		}
	}
}

func readPieceRow(d *jsontext.Decoder) (row pieceRow, err error) {
	if err := expect(d, '['); err != nil {
		return row, err
	}
	text, err := d.ReadToken()
	if err != nil || text.Kind() != '"' {
		return row, cmp.Or(err, errPieceRow)
	}
	row.text = text.String() // before the next token is read
	score, err := d.ReadToken()
	if err != nil || score.Kind() != '0' {
		return row, cmp.Or(err, errPieceRow)
	}
	if row.score, err = score.Float(); err != nil {
		return row, err
	}
	return row, expect(d, ']')
}

var errPieceRow = errors.New("vocab: not a row of a piece and its score")

// expect reads a token of a kind.
func expect(d *jsontext.Decoder, kind jsontext.Kind) error {
	if t, err := d.ReadToken(); err != nil || t.Kind() != kind {
		return cmp.Or(err, errPieceRow)
	}
	return nil
}

func (u *unigram) top() int32 { return int32(u.size - 1) }

// node is the best known way to a position in the word.
type node struct {
	score float64
	from  int32 // where its last piece begins
	id    int32
	known bool
}

func (n *node) offer(score float64, from int, id int32) {
	if !n.known || score > n.score {
		*n = node{score, int32(from), id, true}
	}
}

// cut appends the ids of a word's pieces.
func (u *unigram) cut(ids []int32, word string) []int32 {
	var few [64]node
	best := few[:]
	if len(word) >= len(few) {
		best = make([]node, len(word)+1)
	}
	for at := 0; at < len(word); {
		_, size := utf8.DecodeRuneInString(word[at:])
		if !u.extend(best, word, at, size) {
			best[at+size].offer(best[at].score+u.penalty, at, u.unknown)
		}
		at += size
	}
	return u.backtrack(ids, word, best)
}

// extend offers every piece that begins at a position to the node where it ends, and reports whether the character of
// size bytes there is one of them.
func (u *unigram) extend(best []node, word string, at, size int) bool {
	found := false
	for end := at + 1; end <= min(len(word), at+u.longest); end++ {
		if p, ok := u.pieces[word[at:end]]; ok {
			best[end].offer(best[at].score+p.score, at, p.id)
			found = found || end == at+size
		}
	}
	return found
}

// backtrack follows the best nodes from the end of the word to its start and appends their ids in reading order.
func (u *unigram) backtrack(ids []int32, word string, best []node) []int32 {
	first, unknown := len(ids), 0 // bytes of the unknown characters that follow
	for at := len(word); at > 0; {
		n := best[at]
		if n.id == u.unknown {
			unknown += at - int(n.from)
		} else {
			ids = append(u.unknownIDs(ids, word[at:at+unknown]), n.id)
			unknown = 0
		}
		at = int(n.from)
	}
	ids = u.unknownIDs(ids, word[:unknown])
	for i, j := first, len(ids)-1; i < j; i, j = i+1, j-1 {
		ids[i], ids[j] = ids[j], ids[i]
	}
	return ids
}

// unknownIDs appends the ids of unknown characters, in reverse order.
func (u *unigram) unknownIDs(ids []int32, text string) []int32 {
	if text == "" {
		return ids
	}
	if p, ok := u.pieces[text]; ok {
		return append(ids, p.id)
	}
	if u.bytes == nil {
		return append(ids, u.unknown)
	}
	before := len(ids)
	for i := len(text) - 1; i >= 0; i-- {
		id, ok := u.bytes[text[i]]
		if !ok {
			return append(ids[:before], u.unknown)
		}
		ids = append(ids, id)
	}
	return ids
}
