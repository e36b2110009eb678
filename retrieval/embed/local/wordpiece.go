package local

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// wordPiece cuts a word greedily into the longest pieces of the vocabulary, as BERT does; a word that cannot be cut is
// [UNK] as a whole.
type wordPiece struct {
	ids      map[string]int32
	prefix   string
	longest  int // bytes of the longest piece
	maxRunes int // a longer word is unknown
	unk      int32
	highest  int32 // the highest id
}

func readWordPiece(f *modelFile) (*wordPiece, error) {
	w := &wordPiece{prefix: f.Prefix, maxRunes: f.MaxRunes}
	if err := json.Unmarshal(f.Vocabulary, &w.ids); err != nil {
		return nil, err
	}
	return w, w.check(f.Unknown)
}

func (w *wordPiece) check(unknown string) error {
	for piece, id := range w.ids {
		if id < 0 {
			return fmt.Errorf("piece %q has the id %d", piece, id)
		}
		w.longest = max(w.longest, len(piece))
		w.highest = max(w.highest, id)
	}
	var ok bool
	if w.unk, ok = w.ids[unknown]; !ok {
		return fmt.Errorf("token %q is missing", unknown)
	}
	if w.maxRunes <= 0 {
		w.maxRunes = 100
	}
	return nil
}

func (w *wordPiece) top() int32 { return w.highest }

// cut appends the ids of a word's pieces, always the longest that fits; [UNK] when some part matches no piece.
func (w *wordPiece) cut(ids []int32, word string) []int32 {
	if utf8.RuneCountInString(word) > w.maxRunes {
		return append(ids, w.unk)
	}
	before := len(ids)
	var joined [256]byte
	for start := 0; start < len(word); {
		head := joined[:0]
		if start > 0 {
			head = append(head, w.prefix...)
		}
		end := min(len(word), start+w.longest)
		for ; end > start; end-- {
			if id, ok := w.ids[string(append(head, word[start:end]...))]; ok {
				ids = append(ids, id)
				break
			}
		}
		if end == start {
			return append(ids[:before], w.unk)
		}
		start = end
	}
	return ids
}
