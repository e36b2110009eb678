package retrieval

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"lens/store/terms"
)

// The keyword index has stems. What a person sees is the form that is commonest where the stem was found.

// spelling counts the forms in which a term is written.
type spelling struct {
	whole map[string]int // how often each form occurs as a word
	parts map[string]int // the same, within words such as page_title
}

func newSpelling() *spelling {
	return &spelling{whole: make(map[string]int), parts: make(map[string]int)}
}

// add counts what another has counted, too.
func (s *spelling) add(other *spelling) {
	for form, n := range other.whole {
		s.whole[form] += n
	}
	for form, n := range other.parts {
		s.parts[form] += n
	}
}

// enoughForms is how often a term has to be read to know how it is spelled.
const enoughForms = 8

// isEnough reports whether the term was read so often.
func (s *spelling) isEnough() bool {
	n := 0
	for _, times := range s.whole {
		n += times
	}
	return n >= enoughForms
}

// form returns the commonest form: of two, the one in lower case; a part of a word where the term was read only so, ""
// where it was not read.
func (s *spelling) form() string { return cmp.Or(commonest(s.whole), commonest(s.parts)) }

// spellings is how terms are spelled in the texts that were read.
type spellings struct {
	begins beginnings // of the terms
	of     map[string]*spelling
}

// newSpellings returns what will look for terms.
func newSpellings(terms []string) *spellings {
	s := &spellings{of: make(map[string]*spelling, len(terms))}
	for _, term := range terms {
		if s.of[term] == nil {
			s.of[term] = newSpelling()
			s.begins.add(term)
		}
	}
	return s
}

// read counts the forms in a text.
func (s *spellings) read(text string) {
	analyzer := analyzers.Get().(*terms.Analyzer)
	defer analyzers.Put(analyzer)
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return unicode.IsSpace(r) || isBracket(r) }) {
		word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		word = strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
		if word == "" || len(word) > maxSpelled {
			continue
		}
		if _, _, found := s.begins.scan([]byte(word), 0); found == 0 {
			continue
		}
		for _, term := range analyzer.Query(word) {
			switch of, wanted := s.of[term]; {
			case !wanted:
			case isWhole(analyzer, word, term):
				of.whole[word]++
			default:
				of.readParts(analyzer, word, term)
			}
		}
	}
}

// readParts counts the parts of a word that are a term.
func (s *spelling) readParts(analyzer *terms.Analyzer, word, term string) {
	for from, to := range terms.Tokens(word) {
		token := word[from:to]
		for from, to := range terms.WordsOf(token) {
			if part := token[from:to]; isWhole(analyzer, part, term) {
				s.parts[part]++
			}
		}
	}
}

// maxSpelled is the length of a form in bytes, above which it is not shown.
const maxSpelled = 40

// isWhole reports whether a term stands for all of a word, and not for a part of an identifier.
func isWhole(analyzer *terms.Analyzer, word, term string) bool {
	all := analyzer.Query(word)
	if len(all) == 0 || all[0] != term {
		return false
	}
	return len(all) == 1 || strings.EqualFold(word, term) || isCamelCase(word)
}

// isCamelCase reports whether a word that has several terms is letters alone, as DataFrame is: the first is the stem of
// it all. In a script without spaces, it is of a pair of characters.
func isCamelCase(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) || unspaced(r) })
}

// isBracket reports whether r encloses or joins words, as in "Kyoto/Osaka".
func isBracket(r rune) bool { return strings.ContainsRune("()[]{}<>\"“”„«»/|*`=,;", r) }

// commonest returns the form with the highest count, "" for none.
func commonest(forms map[string]int) (best string) {
	for form, n := range forms {
		if best == "" || cmp.Or(
			cmp.Compare(n, forms[best]), cmp.Compare(form, best), // lower case comes after upper case
		) > 0 {
			best = form
		}
	}
	return best
}

// turnsPerWord is how many turns of a topic are read for the spelling of a word that no title of it has.
const turnsPerWord = 3

// spellTopics finds the words of topics: from their titles and, where those lack one, from a few turns.
func (e *Engine) spellTopics(ctx context.Context, a *snapshot, titles *titles, k *keptTopics) error {
	t := k.join(a)
	all := make([]*spellings, len(k.Topics))
	for i := range k.Topics {
		all[i] = newSpellings(k.Topics[i].Terms)
	}
	for c, topic := range t.of {
		if topic >= 0 {
			all[topic].read(titles.text[c])
		}
	}
	for i := range k.Topics {
		rows, err := e.unspelled(ctx, a, t, int32(i), all[i])
		if err != nil {
			return err
		}
		turns, err := e.source.Turns(ctx, rows)
		if err != nil {
			return err
		}
		for _, turn := range turns {
			all[i].read(turn.UserText)
			all[i].read(turn.AssistantText)
		}
		k.Topics[i].Words = make([]string, len(k.Topics[i].Terms))
		for w, term := range k.Topics[i].Terms {
			k.Topics[i].Words[w] = cmp.Or(all[i].of[term].form(), term)
		}
	}
	return nil
}

// unspelled returns a few turns of a topic for each of its terms of which no form is known.
func (e *Engine) unspelled(
	ctx context.Context, a *snapshot, t *archiveTopics, topic int32, s *spellings,
) (ids []uuid.UUID, err error) {
	var unknown []string
	for _, term := range t.Topics[topic].Terms {
		if len(s.of[term].whole) == 0 {
			unknown = append(unknown, term)
		}
	}
	lists, err := e.words.lists(ctx, a, unknown)
	if err != nil {
		return nil, err
	}
	for _, list := range lists {
		n := 0
		for _, row := range list.Rows {
			if n < turnsPerWord && a.isOnPath(int(row)) && t.of[a.Conversation[row]] == topic {
				n++
				if !slices.Contains(ids, a.ID[row]) {
					ids = append(ids, a.ID[row])
				}
			}
		}
	}
	return ids, nil
}
