package retrieval

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/retrieval/rank"
	"lens/store/terms"
)

// The limits of corrections.
const (
	maxCorrections = 3 // unknown words of a query, at most
	minCorrectable = 5 // letters of a word: a shorter one is one edit from anything, such as dict for diet
	maxCorrectable = 24
)

// Suggest returns text with its unknown words replaced by likely corrections; "" when every word is known or no
// correction is near. A correction is one edit away (a letter inserted, deleted or changed, or two swapped), occurs
// in the archive and keeps the first letter: most typing errors are one such edit (Damerau, A technique for
// computer detection and correction of spelling errors, 1964). Of several, the one in most turns wins. Suggest
// reads the index about 50 times for each letter of an unknown word. Errors: see Peek.
func (e *Engine) Suggest(ctx context.Context, text string) (string, error) {
	if err := query.Literal(text).Validate(); err != nil {
		return "", err
	}
	var suggestion string
	err := e.readConsistently(ctx, func(a *snapshot) (err error) {
		suggestion, err = e.words.suggest(ctx, a, strings.Fields(text))
		return err
	})
	return suggestion, err
}

func (w *wordIndex) suggest(ctx context.Context, a *snapshot, words []string) (string, error) {
	tried, changed := 0, false
	for i, word := range words {
		if tried == maxCorrections || !isCorrectable(word) {
			continue
		}
		known, err := w.isKnown(ctx, a, word)
		if err != nil {
			return "", err
		}
		if known {
			continue
		}
		tried++
		better, err := w.nearestWord(ctx, a, strings.ToLower(word))
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

// isKnown reports whether a turn has a word, in any form of the languages of the archive.
func (w *wordIndex) isKnown(ctx context.Context, a *snapshot, word string) (bool, error) {
	words := terms.Query(word)
	forms, err := w.stems(ctx, a, words, []string{word})
	if err != nil {
		return false, err
	}
	lists, err := w.lists(ctx, a, slices.Concat(words, forms.facts()))
	return slices.ContainsFunc(lists, func(l rank.PostingList) bool { return len(l.Rows) > 0 }), err
}

// isCorrectable reports whether word is looked up at all, has ASCII letters only and a suitable length.
func isCorrectable(word string) bool {
	lower := strings.ToLower(word)
	fits := len(word) >= minCorrectable && len(word) <= maxCorrectable
	onlyLetters := strings.Trim(lower, "abcdefghijklmnopqrstuvwxyz") == ""
	return fits && onlyLetters && !terms.IsStopWord(lower)
}

// nearestWord returns the correction of word that is in most turns, as it is written there, "" for none. A term itself
// comes before a mere inflection of one, because most of those are not words. Short words and function words, such as
// far for fear, are near by chance.
func (w *wordIndex) nearestWord(ctx context.Context, a *snapshot, word string) (string, error) {
	near := slices.DeleteFunc(edits(word), func(s string) bool {
		return len(s) < minCorrectable || terms.IsFunctionWord(s)
	})
	known, err := w.docFreqs(ctx, a, near)
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
	form, err := w.spelled(ctx, a, near[best])
	if isTerm(near[best]) == 0 && !slices.Contains(near, form) {
		return "", err // only the stem of what is near is there: care, for career
	}
	return form, err
}

// spelled returns the form of a word that is commonest in a few turns which have it: the index has stems, and a
// correction may be a stem that is not written so.
func (w *wordIndex) spelled(ctx context.Context, a *snapshot, word string) (string, error) {
	term := terms.Query(word)[0]
	lists, err := w.lists(ctx, a, []string{term})
	if err != nil {
		return "", err
	}
	var ids []uuid.UUID
	for _, row := range lists[0].Rows[:min(len(lists[0].Rows), turnsPerWord)] {
		ids = append(ids, a.ID[row])
	}
	turns, err := w.source.Turns(ctx, ids)
	if err != nil {
		return "", err
	}
	all := newSpellings([]string{term})
	for _, turn := range turns {
		all.read(turn.UserText)
		all.read(turn.AssistantText)
	}
	if form := commonest(all.of[term].whole); form != "" {
		return strings.ToLower(form), nil
	}
	return word, nil
}

// isTerm returns 1 for a word that is in the index as it stands.
func isTerm(word string) int {
	if t := terms.Query(word); len(t) == 1 && t[0] == word {
		return 1
	}
	return 0
}

// docFreqs counts the turns that hold each word: 0 for a stop word, which is not indexed.
func (w *wordIndex) docFreqs(ctx context.Context, a *snapshot, words []string) ([]int, error) {
	var analyzer terms.Analyzer
	all := make([]string, len(words))
	for i, word := range words {
		if t := analyzer.Query(word); len(t) == 1 {
			all[i] = t[0]
		}
	}
	lists, err := w.lists(ctx, a, all)
	if err != nil {
		return nil, err
	}
	counts := make([]int, len(words))
	for i, l := range lists {
		counts[i] = len(l.Rows)
	}
	return counts, nil
}

// edits returns all words one edit away from word, sorted, without duplicates.
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
