package offline

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"lens/internal/lazyregexp"
	"lens/retrieval"
	"lens/retrieval/rank"
	"lens/store/terms"
)

// sentences chooses the sentences of texts that answer a prompt best.
type sentences struct {
	terms    []string // terms of the prompt and of its synonyms
	analyzer terms.Analyzer
}

// sentence is a sentence of a hit's text, its white space folded.
type sentence struct {
	hit, position int
	text          string
	score         float64
}

// The shape of an answer in quotations.
const (
	maxQuotes        = 4   // sentences at most
	maxQuotesPerHit  = 2   // of one hit
	minRelativeScore = 0.5 // of the best sentence's score
	maxSentenceRunes = 400 // characters of a sentence
	minSentenceWords = 3   // words
	maxTextBytes     = 32 << 10
)

func newSentences(prompt string, synonyms []string) *sentences {
	s := new(sentences)
	s.terms = append(s.terms, terms.Query(prompt)...)
	for _, synonym := range synonyms {
		s.terms = append(s.terms, terms.Query(synonym)...)
	}
	slices.Sort(s.terms)
	s.terms = slices.Compact(s.terms)
	return s
}

// choose returns the sentences of turns that answer best, best first: by BM25, with each sentence as a document.
// Questions do not count as answers. Where no sentence has a word of the prompt, it returns the first one of the
// first turn: the words may stand in a question whose answer uses others.
func (s *sentences) choose(turns []retrieval.Turn) []sentence {
	var all []sentence
	for i := range turns {
		all = append(all, split(i, &turns[i])...)
	}
	s.score(all)
	ranked := slices.Clone(all)
	slices.SortStableFunc(ranked, func(a, b sentence) int { return cmp.Compare(b.score, a.score) })
	var chosen []sentence
	of := map[int]int{}
	for _, one := range ranked {
		if len(chosen) == maxQuotes || one.score <= 0 || one.score < minRelativeScore*ranked[0].score {
			break
		}
		said := slices.ContainsFunc(chosen, func(c sentence) bool { return c.text == one.text })
		if of[one.hit] < maxQuotesPerHit && !said {
			chosen = append(chosen, one)
			of[one.hit]++
		}
	}
	if len(chosen) == 0 && len(all) > 0 {
		chosen = all[:1]
	}
	return chosen
}

// snippet returns the sentence of a turn that answers best; "" for none.
func (s *sentences) snippet(t *retrieval.Turn) string {
	if chosen := s.choose([]retrieval.Turn{*t}); len(chosen) > 0 {
		return chosen[0].text
	}
	return ""
}

// score fills in BM25 scores.
func (s *sentences) score(all []sentence) {
	columns := &rank.Columns{Conversations: 1}
	lists := make([]rank.PostingList, len(s.terms))
	for row := range all {
		counts := s.analyzer.Document(all[row].text)
		length := int32(terms.Length(counts))
		columns.Length, columns.TotalLength = append(columns.Length, length), columns.TotalLength+int64(length)
		columns.Conversation = append(columns.Conversation, 0)
		columns.Prev, columns.Next = append(columns.Prev, -1), append(columns.Next, -1)
		for _, c := range counts {
			if i, ok := slices.BinarySearch(s.terms, c.Term); ok {
				lists[i].Rows, lists[i].Counts = append(lists[i].Rows, int32(row)), append(lists[i].Counts, c.Count)
			}
		}
	}
	if len(all) == 0 {
		return
	}
	scores, _ := rank.TurnScores(columns, lists, rank.BM25())
	for row := range all {
		all[row].score = scores[row]
	}
}

// split returns the sentences of a turn that state something, with the sentence boundaries of Unicode (UAX #29).
// The user's text comes first.
func split(hit int, t *retrieval.Turn) (all []sentence) {
	for _, text := range []string{t.User, t.Assistant} {
		for line := range strings.SplitAfterSeq(truncate(text), "\n") {
			for _, one := range sentencesOf(line[len(lineMarkers().FindString(line)):]) {
				if isStatement(one) {
					all = append(all, sentence{hit: hit, position: len(all), text: shorten(one)})
				}
			}
		}
	}
	return all
}

// Quotations leave out only unambiguous Markdown: >50%, -5 and #3 say something, and so does **kwargs.
var (
	lineMarkers = lazyregexp.New(`^[ \t]*(?:(?:>+|#{1,6}|[-*+])[ \t]+)*`)
	emphasis    = lazyregexp.New(`\*\*(?:\S|\S.*?\S)\*\*|__(?:\S|\S.*?\S)__`)
)

// sentencesOf returns the sentences of a line, their white space folded.
func sentencesOf(line string) (all []string) {
	pairs := emphasis().FindAllStringIndex(line, -1)
	rest, state := line, -1
	for rest != "" {
		from := len(line) - len(rest)
		_, rest, state = uniseg.FirstSentenceInString(rest, state)
		all = append(all, strings.Join(strings.Fields(trimUnpaired(line, from, len(line)-len(rest), pairs)), " "))
	}
	return all
}

// trimUnpaired returns a sentence of a line without a ** or __ at its ends whose counterpart is in another
// sentence.
func trimUnpaired(line string, from, to int, pairs [][]int) string {
	const mark = 2 // bytes
	begin, end := from, to
	for _, pair := range pairs {
		at, closing := pair[0], pair[1]-mark
		opens, closes := at >= from && at < to, closing >= from && closing < to
		if opens == closes {
			continue
		}
		if closes {
			at = closing
		}
		switch "" {
		case strings.TrimSpace(line[from:at]):
			begin = at + mark
		case strings.TrimSpace(line[at+mark : to]):
			end = at
		}
	}
	return line[begin:max(begin, end)]
}

func truncate(text string) string {
	if len(text) <= maxTextBytes {
		return text
	}
	end := maxTextBytes
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// isStatement rejects questions, headings of a word or two, and lines of symbols.
func isStatement(text string) bool {
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") || !strings.ContainsFunc(text, unicode.IsLetter) {
		return false
	}
	if strings.Count(text, " ")+1 >= minSentenceWords {
		return true
	}
	unspaced := !strings.Contains(text, " ") && text[0] >= utf8.RuneSelf // a script without spaces
	return unspaced && utf8.RuneCountInString(text) >= 8
}

// shorten ends a very long sentence with an ellipsis, after a whole word.
func shorten(text string) string {
	if utf8.RuneCountInString(text) <= maxSentenceRunes {
		return text
	}
	runes := []rune(text)[:maxSentenceRunes]
	if at := strings.LastIndexByte(string(runes), ' '); at > 0 {
		return string(runes)[:at] + " …"
	}
	return string(runes) + "…"
}
