package retrieval

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lens/retrieval/query"
	"lens/retrieval/rank"
	"lens/store"
	"lens/store/terms"
)

// The index knows stems, texts tell words. So a phrase, an exclusion and a role are looked up in the index, which finds
// all turns in question and some more, and then checked in their texts. What is not in the index, a phrase of common
// words, is looked for in all texts.

// quickTexts is how many texts a quick search reads for a phrase, an exclusion or a role. Of more turns in question it
// reads the best by their words, so that an answer takes milliseconds among 100,000 turns.
const quickTexts = 200

// textRule is a condition on the texts of turns.
type textRule struct {
	key      string  // names what is looked for, in the cache
	not      bool    // a turn that has it is dropped, not kept
	question []int32 // the rows that may have it, ascending
	everyRow bool    // any row may have it
	has      func(user, assistant string) bool
}

// keepTexts drops the rows whose texts the phrases, exclusions and the role of the request do not let through.
func (r *rowFilter) keepTexts(ctx context.Context, f *searchResult) error {
	type rulesOf func(context.Context, *searchResult) ([]textRule, error)
	for _, rulesOf := range []rulesOf{r.phraseRules, r.withoutRules, r.roleRules} {
		rules, err := rulesOf(ctx, f)
		if err != nil {
			return err
		}
		for _, rule := range rules {
			if err := r.keepByText(ctx, f, rule); err != nil {
				return err
			}
		}
	}
	return nil
}

// phraseRules returns the rule that a turn has all phrases, each on the side of the role, or on either.
func (r *rowFilter) phraseRules(ctx context.Context, f *searchResult) ([]textRule, error) {
	if len(f.asked.Phrases) == 0 {
		return nil, nil
	}
	role := f.asked.Filter.Role
	phrases := phrasesOf(f.asked.Phrases)
	var words []string
	for _, phrase := range f.asked.Phrases {
		words = append(words, terms.Required(phrase)...)
	}
	rule := textRule{
		key: fmt.Sprintf("phrases %q %q", role, f.asked.Phrases), everyRow: len(words) == 0,
		has: func(user, assistant string) bool {
			return !slices.ContainsFunc(phrases, func(p *terms.Phrase) bool { return !onSide(p, role, user, assistant) })
		},
	}
	lists, err := r.words.lists(ctx, f.snapshot, words)
	rule.question = intersectAll(lists)
	return []textRule{rule}, err
}

// onSide reports whether a phrase occurs on the side of a role, on either with none.
func onSide(p *terms.Phrase, role query.Role, user, assistant string) bool {
	return role != query.Assistant && p.In(user) || role != query.User && p.In(assistant)
}

// withoutRules returns the rules that a turn has none of the exclusions: one for those that the index knows, and one
// for the others.
func (r *rowFilter) withoutRules(ctx context.Context, f *searchResult) (rules []textRule, err error) {
	var known, common []string
	var lists []rank.PostingList
	for _, text := range f.asked.Without {
		words := terms.Required(text)
		if len(words) == 0 {
			common = append(common, text)
			continue
		}
		each, err := r.words.lists(ctx, f.snapshot, words)
		if err != nil {
			return nil, err
		}
		known, lists = append(known, text), append(lists, rank.PostingList{Rows: intersectAll(each)})
	}
	if len(known) > 0 {
		rule := withoutRule(known)
		rule.question = union(f.Len(), lists)
		rules = append(rules, rule)
	}
	if len(common) > 0 {
		rule := withoutRule(common)
		rule.everyRow = true
		rules = append(rules, rule)
	}
	return rules, nil
}

func withoutRule(excluded []string) textRule {
	phrases := phrasesOf(excluded)
	return textRule{
		key: fmt.Sprintf("without %q", excluded), not: true,
		has: func(user, assistant string) bool {
			return slices.ContainsFunc(phrases, func(p *terms.Phrase) bool { return p.In(user) || p.In(assistant) })
		},
	}
}

// roleRules returns the rule that a turn has a word of the query on the side of the role. A phrase on that side already
// says so.
func (r *rowFilter) roleRules(ctx context.Context, f *searchResult) ([]textRule, error) {
	role := f.asked.Filter.Role
	if role == "" || len(f.asked.Phrases) > 0 {
		return nil, nil
	}
	lists, err := r.words.wordLists(ctx, f.snapshot, f.words, f.stems)
	if err != nil {
		return nil, err
	}
	words := wordFinder{f.words, f.stems}
	return []textRule{{
		key: fmt.Sprintf("role %q %q %q", role, f.words, f.stems.facts()), question: union(f.Len(), lists.forms),
		has: func(user, assistant string) bool {
			if role == query.User {
				return words.in(user)
			}
			return !words.in(user) || words.in(assistant) // it is on one side, and the user's is short
		},
	}}, nil
}

// wordFinder finds any of some terms of the index in texts. It is safe for concurrent use.
type wordFinder struct {
	words []string
	stems stems
}

func (w wordFinder) in(text string) bool {
	analyzer := analyzers.Get().(*terms.Analyzer)
	defer analyzers.Put(analyzer)
	for line := range strings.Lines(text) { // words are often near the beginning
		if slices.ContainsFunc(analyzer.Document(line), w.has) || w.stems.in(analyzer, line) {
			return true
		}
	}
	return false
}

func (w wordFinder) has(c store.TermCount) bool { return slices.Contains(w.words, c.Term) }

// keepByText drops the rows that a rule does not let through. Those in question that a quick search does not read are
// dropped, whatever the rule.
func (r *rowFilter) keepByText(ctx context.Context, f *searchResult, rule textRule) error {
	var question []int32
	if rule.everyRow {
		question = slices.Collect(f.eligibleInWindow)
	} else {
		question = slices.DeleteFunc(slices.Clone(rule.question), func(row int32) bool { return !f.isEligible(row) })
	}
	checked := question
	switch {
	case f.asked.Quick && len(question) > quickTexts:
		var err error
		if checked, err = r.best(ctx, f, question); err != nil {
			return err
		}
		f.partial = true
		f.note(fmt.Sprintf(
			"Of %d turns whose texts decide, the best %d were read; the others are left out.", len(question), quickTexts))
	case rule.everyRow:
		f.note("Common words are not indexed, so all texts were searched.")
	}
	having, err := r.texts.having(ctx, f.snapshot, rule, checked)
	switch {
	case err != nil:
		return err
	case !rule.not:
		f.keepOnly(having)
		return nil
	case len(checked) < len(question):
		set := rank.NewRows(f.Len())
		for _, row := range checked {
			set.Add(row)
		}
		f.drop(slices.DeleteFunc(question, set.Has))
	}
	f.drop(having)
	return nil
}

// best returns those quickTexts of rows, ascending, that score highest by their words; where these are fewer, the
// newest others, too.
func (r *rowFilter) best(ctx context.Context, f *searchResult, rows []int32) ([]int32, error) {
	set := rank.NewRows(f.Len())
	for _, row := range rows {
		set.Add(row)
	}
	best := rank.NewRows(f.Len())
	left := quickTexts
	if len(f.words) > 0 {
		s, release, err := r.words.score(ctx, f.snapshot, f.words, f.identifiers, f.stems)
		if err != nil {
			return nil, err
		}
		defer release()
		q := s.query(quickTexts)
		q.Range, q.Eligible = f.window(), set
		for _, h := range rank.Top(&f.columns, q, rank.KeyWords()).Hits {
			best.Add(h.Row)
			left--
		}
	}
	dated := rowsBefore(rows, int32(f.Dated))
	for i := range rows {
		row := rows[i]
		if i < dated {
			row = rows[dated-1-i]
		}
		if left > 0 && !best.Has(row) {
			best.Add(row)
			left--
		}
	}
	return slices.Collect(best.All()), nil
}
