package retrieval

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"lens/store/terms"
)

// What is tried to find what was meant.
const (
	maxCorrections = 3 // unknown words of a query, at most
	minCorrectable = 4 // letters of a word: shorter ones are a step from anything
	maxCorrectable = 24
)

// Suggest returns query with the words that no turn holds replaced by those that were probably meant; "" when nothing is to be replaced,
// or nothing is near. A word is near when one letter more, less or other, or two swapped, makes it one that occurs, with its
// first letter kept: most slips are one such step (Damerau, A technique for computer detection and correction of spelling errors, 1964).
// Of several, the one that most turns hold. It reads the index about 50 times for each letter of an unknown word. Errors: as Peek's.
func (e *Engine) Suggest(ctx context.Context, query string) (string, error) {
	if err := checkQuery(query); err != nil {
		return "", err
	}
	var suggestion string
	err := e.readConsistently(ctx, func(a *snapshot) (err error) {
		suggestion, err = e.suggest(ctx, a, strings.Fields(query))
		return err
	})
	return suggestion, err
}

func (e *Engine) suggest(ctx context.Context, a *snapshot, words []string) (string, error) {
	tried, changed := 0, false
	for i, word := range words {
		if tried == maxCorrections || !isCorrectable(word) {
			continue
		}
		known, err := e.docFreqs(ctx, a, []string{word})
		if err != nil {
			return "", err
		}
		if known[0] > 0 {
			continue
		}
		tried++
		better, err := e.nearestWord(ctx, a, strings.ToLower(word))
		if err != nil {
			return "", err
		}
		if better != "" {
			words[i], changed = better, true
		}
	}
	if !changed {
		return "", nil
	}
	return strings.Join(words, " "), nil
}

// isCorrectable reports whether word is of ASCII letters alone, neither too short nor too long, and looked up at all.
func isCorrectable(word string) bool {
	lower := strings.ToLower(word)
	return len(word) >= minCorrectable && len(word) <= maxCorrectable && strings.Trim(lower, "abcdefghijklmnopqrstuvwxyz") == "" &&
		!terms.IsStopWord(lower)
}

// nearestWord returns the word one step from word that most turns hold, "" for none. What is a term itself comes before what is only the
// inflection of one, because most of those are not words.
func (e *Engine) nearestWord(ctx context.Context, a *snapshot, word string) (string, error) {
	near := edits(word)
	known, err := e.docFreqs(ctx, a, near)
	if err != nil {
		return "", err
	}
	best := -1
	for i, n := range known {
		if n > 0 && (best < 0 || cmp.Or(cmp.Compare(isTerm(near[i]), isTerm(near[best])), cmp.Compare(n, known[best])) > 0) {
			best = i
		}
	}
	if best < 0 {
		return "", nil
	}
	return near[best], nil
}

// isTerm is 1 for a word that stands in the index as it is.
func isTerm(word string) int {
	if t := terms.Query(word); len(t) == 1 && t[0] == word {
		return 1
	}
	return 0
}

// docFreqs counts the turns that hold each of words; for a stop word, which is in no index, none.
func (e *Engine) docFreqs(ctx context.Context, a *snapshot, words []string) ([]int, error) {
	var analyzer terms.Analyzer
	all := make([]string, len(words))
	for i, word := range words {
		if t := analyzer.Query(word); len(t) == 1 {
			all[i] = t[0]
		}
	}
	lists, err := e.postingLists(ctx, a, all)
	if err != nil {
		return nil, err
	}
	counts := make([]int, len(words))
	for i, l := range lists {
		counts[i] = len(l.Rows)
	}
	return counts, nil
}

// edits returns what is one step from word, without repeats, sorted.
func edits(word string) []string {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	var all []string
	for i := 1; i <= len(word); i++ {
		head, tail := word[:i], word[i:]
		if i < len(word) {
			all = append(all, head+tail[1:], head[:i-1]+tail[:1]+head[i-1:]+tail[1:])
		}
		for _, letter := range letters {
			all = append(all, head+string(letter)+tail)
			if i < len(word) {
				all = append(all, head+string(letter)+tail[1:])
			}
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(s string) bool { return s == word })
}
