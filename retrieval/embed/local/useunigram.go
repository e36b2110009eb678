package local

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// useUnigram is the SentencePiece unigram tokenizer as the Universal Sentence Encoder Lite was published with it:
// among all ways to split a text in known pieces it takes the one with the highest sum of scores (Viterbi). Two
// quirks of the original stay, because the model's vectors depend on them: a sum of exactly 0 counts as no path
// yet, and 7 pieces without a score count 0.
type useUnigram struct {
	pieces  map[string]piece
	longest int // bytes of the longest piece
}

type piece struct {
	id    int32
	score float32
}

// firstPiece is the first id that stands for text; 0 is the unknown piece, the others are reserved.
const firstPiece = 6

// space stands for a blank in pieces.
const space = "\u2581"

func openUseUnigram(path string) (*useUnigram, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	u, err := readUseUnigram(data)
	if err != nil {
		return nil, fmt.Errorf("vocab.json: %w", err)
	}
	return u, nil
}

func readUseUnigram(data []byte) (*useUnigram, error) {
	var rows [][]json.RawMessage
	if err := json.Unmarshal(data, &rows); err != nil {
		return nil, err
	}
	if len(rows) <= firstPiece || len(rows) > useWords {
		return nil, fmt.Errorf("%d pieces, not %d to %d", len(rows), firstPiece+1, useWords)
	}
	u := &useUnigram{pieces: make(map[string]piece, len(rows))}
	for id, row := range rows {
		if len(row) != 2 {
			return nil, fmt.Errorf("piece %d is not a pair of text and score", id)
		}
		var text string
		var score float32 // null leaves 0
		if err := json.Unmarshal(row[0], &text); err != nil {
			return nil, fmt.Errorf("piece %d: %w", id, err)
		}
		if err := json.Unmarshal(row[1], &score); err != nil {
			return nil, fmt.Errorf("score of piece %d: %w", id, err)
		}
		if id < firstPiece || text == "" {
			continue
		}
		u.pieces[text] = piece{int32(id), score}
		u.longest = max(u.longest, len(text))
	}
	return u, nil
}

// step is the best known path to a position in the text.
type step struct {
	score float32
	from  int32 // where its last piece begins
	id    int32
	known bool // some piece ends here
}

// encode appends the ids of text. Blanks become U+2581, one more goes in front, and runs of unknown characters are
// one id.
func (u *useUnigram) encode(ids []int32, text string) []int32 {
	text = norm.NFKC.String(text)
	if text == "" {
		return ids
	}
	text = space + strings.ReplaceAll(text, " ", space)
	steps := make([]step, len(text)+1)
	for at := 0; at < len(text); {
		_, size := utf8.DecodeRuneInString(text[at:])
		if !u.extend(steps, text, at) {
			steps[at+size].offer(steps[at].score, int32(at), 0)
		}
		at += size
	}
	return backtrack(ids, steps)
}

// extend offers every piece that begins at a position to the step where it ends, and reports whether there was one.
func (u *useUnigram) extend(steps []step, text string, at int) bool {
	found := false
	for end := at + 1; end <= min(len(text), at+u.longest); end++ {
		if p, ok := u.pieces[text[at:end]]; ok {
			found = true
			steps[end].offer(steps[at].score+p.score, int32(at), p.id)
		}
	}
	return found
}

func (s *step) offer(score float32, from, id int32) {
	if s.score == 0 || score >= s.score {
		*s = step{score, from, id, true}
	}
}

// backtrack follows the best steps from the end to the start and appends their ids in reading order.
func backtrack(ids []int32, steps []step) []int32 {
	first := len(ids)
	for at := len(steps) - 1; at > 0; {
		s := steps[at]
		if !s.known { // inside a character, or no piece ends here
			at--
			continue
		}
		if s.id != 0 || len(ids) == first || ids[len(ids)-1] != 0 {
			ids = append(ids, s.id)
		}
		at = int(s.from)
	}
	for i, j := first, len(ids)-1; i < j; i, j = i+1, j-1 {
		ids[i], ids[j] = ids[j], ids[i]
	}
	return ids
}
