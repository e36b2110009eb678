package retrieval

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"lens/store"
	"lens/store/terms"
)

// turnWords keeps which words turns have that were matches lately, since zooming, typing and asking again find many of
// them again: reading and stemming their texts costs more than the search itself.
type turnWords struct {
	mu      sync.Mutex
	numbers map[string]turnWord
	words   []string                 // by number
	of      map[int32][]turnWord     // by row
	spelled map[termOfTurn]*spelling // never modified
	kept    int                      // words of all rows
}

// termOfTurn is a term that was shown, and the row of a turn that has it.
type termOfTurn struct {
	row  int32
	term string
}

// turnWord is the number of a word, with inTitle if the title of the turn's conversation has it, too.
type turnWord uint32

const inTitle turnWord = 1 << 31

func (w turnWord) number() int { return int(w &^ inTitle) }

// maxTurnWords is how many words of turns are kept, four bytes each: those of some 20,000 turns.
const maxTurnWords = 2 << 20

// spellingCost is the memory of a spelling, in words.
const spellingCost = 100

// turnWordsOf returns what is kept of a snapshot, which begins again once it is full.
func turnWordsOf(a *snapshot) *turnWords {
	t := a.turnWords.Load()
	if t == nil || t.isFull() {
		t = &turnWords{
			numbers: make(map[string]turnWord), of: make(map[int32][]turnWord), spelled: make(map[termOfTurn]*spelling),
		}
		a.turnWords.Store(t)
	}
	return t
}

func (t *turnWords) isFull() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.kept > maxTurnWords
}

// read returns the words of rows, and the words by their numbers. It reads the texts of rows that it does not know.
// Errors: as textsOf.
func (t *turnWords) read(
	ctx context.Context, reader store.TextReader, a *snapshot, titles *titles, rows []int32,
) (found [][]turnWord, words []string, err error) {
	found = make([][]turnWord, len(rows))
	var unknown []int
	var missing []int32
	t.mu.Lock()
	for i, row := range rows {
		var known bool
		if found[i], known = t.of[row]; !known {
			unknown, missing = append(unknown, i), append(missing, row)
		}
	}
	words = t.words
	t.mu.Unlock()
	if len(missing) == 0 {
		return found, words, nil
	}
	texts, err := textsOf(ctx, reader, a, missing)
	if err != nil {
		return nil, nil, err
	}
	analyzer := analyzers.Get().(*terms.Analyzer)
	defer analyzers.Put(analyzer)
	for i, row := range missing {
		counts := analyzer.Document(texts[i][0], texts[i][1])
		found[unknown[i]] = t.keep(row, counts, analyzer.Query(titles.text[a.Conversation[row]]))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return found, t.words, nil
}

// keep keeps the words of a row.
func (t *turnWords) keep(row int32, counts []store.TermCount, title []string) []turnWord {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := make([]turnWord, len(counts))
	for i, c := range counts {
		list[i] = t.number(c.Term)
		for _, word := range title {
			if word == c.Term {
				list[i] |= inTitle
			}
		}
	}
	t.of[row] = list
	t.kept += len(list)
	return list
}

// number returns the number of a word, the next one for a new word.
func (t *turnWords) number(word string) turnWord {
	n, known := t.numbers[word]
	if !known {
		n = turnWord(len(t.words))
		t.numbers[word] = n
		t.words = append(t.words, word)
	}
	return n
}

// spelledAtOnce is how many texts are read at a time, until they are enough.
const spelledAtOnce = 8

// spell returns terms as they are commonly written in rows, which it sorts. It reads as many of their texts as are
// enough. Errors: as textsOf.
func (t *turnWords) spell(
	ctx context.Context, reader store.TextReader, a *snapshot, terms []string, rows []int32,
) (forms []string, err error) {
	slices.Sort(rows)
	all := make([]*spelling, len(terms))
	for i := range all {
		all[i] = newSpelling()
	}
	areEnough := func() bool {
		return !slices.ContainsFunc(all, func(s *spelling) bool { return !s.isEnough() })
	}
	for some := range slices.Chunk(rows, spelledAtOnce) {
		if areEnough() {
			break
		}
		found, err := t.spellings(ctx, reader, a, terms, some)
		if err != nil {
			return nil, err
		}
		for r := 0; r < len(some) && !areEnough(); r++ {
			for i := range all {
				all[i].add(found[r*len(terms)+i])
			}
		}
	}
	forms = make([]string, len(terms))
	for i, term := range terms {
		forms[i] = cmp.Or(all[i].form(), term)
	}
	return forms, nil
}

// spellings returns how each term is written in each row: all terms of the first row, then those of the next. It reads
// the texts of ascending rows that it does not know.
func (t *turnWords) spellings(
	ctx context.Context, reader store.TextReader, a *snapshot, terms []string, rows []int32,
) ([]*spelling, error) {
	found := make([]*spelling, 0, len(rows)*len(terms))
	var missing []int32
	t.mu.Lock()
	for _, row := range rows {
		unknown := false
		for _, term := range terms {
			s := t.spelled[termOfTurn{row, term}]
			found, unknown = append(found, s), unknown || s == nil
		}
		if unknown {
			missing = append(missing, row)
		}
	}
	t.mu.Unlock()
	if len(missing) == 0 {
		return found, nil
	}
	texts, err := textsOf(ctx, reader, a, missing)
	if err != nil {
		return nil, err
	}
	for i, row := range missing {
		read := newSpellings(terms)
		read.read(texts[i][0])
		read.read(texts[i][1])
		r, _ := slices.BinarySearch(rows, row)
		t.mu.Lock()
		for j, term := range terms {
			found[r*len(terms)+j], t.spelled[termOfTurn{row, term}] = read.of[term], read.of[term]
		}
		t.kept += spellingCost * len(terms)
		t.mu.Unlock()
	}
	return found, nil
}

// textsOf returns the beginnings of the texts of rows, which are ascending, the user's and the assistant's. Errors:
// not_found when a turn is gone, see readConsistently.
func textsOf(ctx context.Context, reader store.TextReader, a *snapshot, rows []int32) ([][2]string, error) {
	ords, texts := make([]store.Ord, len(rows)), make([][2]string, len(rows))
	for i, row := range rows {
		ords[i] = a.Ord[row]
	}
	err := reader.EachText(ctx, ords, func(i int, user, assistant string) {
		texts[i] = [2]string{cutText(user), cutText(assistant)}
	})
	return texts, err
}

// cutText returns a copy of the beginning of a text, which is valid only for a moment.
func cutText(text string) string {
	if len(text) > captionBytes {
		text = text[:captionBytes]
	}
	return string([]byte(text))
}
