package offline

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"lens/retrieval"
	"lens/retrieval/rank"
	"lens/store/terms"
)

// sentences chooses, from texts, the sentences that answer a prompt best.
type sentences struct {
	wanted   []string // terms of the prompt and of its synonyms
	analyzer terms.Analyzer
}

// sentence is one of a hit's text, its white space folded.
type sentence struct {
	hit, position int
	text          string
	score         float64
}

// The shape of an answer in quotations.
const (
	quoted        = 4   // sentences at most
	quotedOfOne   = 2   // of one hit
	worthQuoting  = 0.5 // of the best sentence's score
	longestQuoted = 400 // characters of a sentence
	leastQuoted   = 3   // words
	longestText   = 32 << 10
)

func newSentences(prompt string, synonyms []string) *sentences {
	s := new(sentences)
	s.wanted = append(s.wanted, terms.Query(prompt)...)
	for _, synonym := range synonyms {
		s.wanted = append(s.wanted, terms.Query(synonym)...)
	}
	slices.Sort(s.wanted)
	s.wanted = slices.Compact(s.wanted)
	return s
}

// choose returns the sentences of turns that answer best, best first: by BM25, each sentence being a document. Questions answer nothing.
// Where no sentence has a word of the prompt, it is the first of the first turn: its words may stand in a question, and the answer to that is in others.
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
		if len(chosen) == quoted || one.score <= 0 || one.score < worthQuoting*ranked[0].score {
			break
		}
		said := slices.ContainsFunc(chosen, func(c sentence) bool { return c.text == one.text })
		if of[one.hit] < quotedOfOne && !said {
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
	archive := &rank.Columns{Conversations: 1}
	lists := make([]rank.PostingList, len(s.wanted))
	for row := range all {
		counts := s.analyzer.Document(all[row].text)
		length := int32(terms.Length(counts))
		archive.Length, archive.TotalLength = append(archive.Length, length), archive.TotalLength+int64(length)
		archive.Conversation = append(archive.Conversation, 0)
		archive.Prev, archive.Next = append(archive.Prev, -1), append(archive.Next, -1)
		for _, c := range counts {
			if i, ok := slices.BinarySearch(s.wanted, c.Term); ok {
				lists[i].Rows, lists[i].Counts = append(lists[i].Rows, int32(row)), append(lists[i].Counts, c.Count)
			}
		}
	}
	if len(all) == 0 {
		return
	}
	scores, _ := rank.TurnScores(archive, lists, rank.BM25())
	for row := range all {
		all[row].score = scores[row]
	}
}

// split returns the sentences of a turn that state something, as Unicode draws their bounds (UAX #29). What was said by the person comes first.
func split(hit int, t *retrieval.Turn) (all []sentence) {
	for _, text := range []string{t.User, t.Assistant} {
		for line := range strings.SplitAfterSeq(bounded(text), "\n") {
			for _, one := range sentencesOf(line[len(lineMarkers().FindString(line)):]) {
				if statesSomething(one) {
					all = append(all, sentence{hit: hit, position: len(all), text: shortened(one)})
				}
			}
		}
	}
	return all
}

// Of Markdown only what cannot be meant otherwise is no part of a quotation: >50%, -5 and #3 say something, and so does **kwargs.
var (
	lineMarkers = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[ \t]*(?:(?:>+|#{1,6}|[-*+])[ \t]+)*`) })
	emphasis    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\*\*(?:\S|\S.*?\S)\*\*|__(?:\S|\S.*?\S)__`) })
)

// sentencesOf returns the sentences of a line, their white space folded.
func sentencesOf(line string) (all []string) {
	pairs := emphasis().FindAllStringIndex(line, -1)
	rest, state := line, -1
	for rest != "" {
		from := len(line) - len(rest)
		_, rest, state = uniseg.FirstSentenceInString(rest, state)
		all = append(all, strings.Join(strings.Fields(unpaired(line, from, len(line)-len(rest), pairs)), " "))
	}
	return all
}

// unpaired returns a sentence of a line without the ** or __ at its ends whose other one is in another sentence.
func unpaired(line string, from, to int, pairs [][]int) string {
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

func bounded(text string) string {
	if len(text) <= longestText {
		return text
	}
	end := longestText
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// statesSomething passes over questions, headings of a word or two and lines of symbols.
func statesSomething(text string) bool {
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") || !strings.ContainsFunc(text, unicode.IsLetter) {
		return false
	}
	spaced := strings.Count(text, " ")+1 >= leastQuoted
	return spaced || utf8.RuneCountInString(text) >= 8 && !strings.Contains(text, " ") && text[0] >= utf8.RuneSelf // scripts without spaces
}

// shortened ends a very long sentence with an ellipsis, after a whole word.
func shortened(text string) string {
	if utf8.RuneCountInString(text) <= longestQuoted {
		return text
	}
	runes := []rune(text)[:longestQuoted]
	if at := strings.LastIndexByte(string(runes), ' '); at > 0 {
		return string(runes)[:at] + " …"
	}
	return string(runes) + "…"
}
