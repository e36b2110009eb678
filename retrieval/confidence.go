package retrieval

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"lens/retrieval/dates"
	"lens/retrieval/query"
	"lens/retrieval/rank"
	"lens/store"
	"lens/store/terms"
)

// Scores order the turns of one query. Whether the archive speaks of the query at all shows in two numbers: the best
// cosine, and the greatest share of the query's idf that one turn holds. A logistic regression of the two separates
// questions about a person's own archive from questions about somebody else's. It does not know whether a turn answers
// the question.

// calibration are the weights of a logistic regression.
type calibration struct{ cosine, coverage, constant float64 }

// The calibrations were fitted in a notebook, on questions about one's own and about somebody else's life; package
// quality measures them, and rank/EXPERIMENTS.md has the figures. Cosines of every model have their own scale. A model
// that is not here goes by words alone, which have one scale.
var (
	calibrationOfWords = calibration{0, 7.2, -3.15}

	// calibrationOfUnread is that of words in a language that the model does not read. In most archives it is that of
	// few turns, and what a query lacks there is rarely said in other words.
	calibrationOfUnread = calibration{0, 7.2, -4.25}
	calibrations        = map[string]calibration{ // by model
		"use-lite":         {10.9, 6.1, -7.2},
		"all-MiniLM-L6-v2": {15.8, 4.7, -8.5},
	}
)

// leastEmbedded is the share of turns with a vector from which the best cosine is that of the archive.
const leastEmbedded = 0.9

// unlikely is the confidence below which an archive hardly speaks of something: up to 5 % of the questions about
// one's own life lie there, and 38 to 82 % of those about others' (rank/EXPERIMENTS.md).
const unlikely = 0.2

// findCovered sets how much of the query one turn holds, NaN if it has nothing to hold. words are those of the request.
func (f *searchResult) findCovered(words []rank.Word, rowsWithAllTerms []int32) {
	if slices.ContainsFunc(rowsWithAllTerms, f.isEligible) {
		if f.covered = 1; isChance(f.Catalog, len(rowsWithAllTerms), words) {
			f.covered = rank.Rarest(words)
		}
		return
	}
	said := f.topic()
	var topic []rank.Word
	for i, w := range words {
		if slices.Contains(said, f.words[i]) {
			topic = append(topic, w)
		}
	}
	if f.covered = rank.Covered(topic, f.isEligible); len(topic) == 0 {
		f.covered = math.NaN()
	}
}

// chance is the probability from which on turns with all words of a query may have them by chance.
const chance = 0.05

// mostByChance is how many turns have all words by chance, at most: more are not counted on, whatever the words.
const mostByChance = 20

// lengthsSampled is about how many turns tell how long turns are: every key of a query asks for it.
const lengthsSampled = 8192

// isChance reports whether as many turns as all could hold all of the words if these were spread over the archive
// independently of each other, by the length of turns: a long turn has the common words of any question, far apart. The
// number of such turns is taken as a Poisson variable.
func isChance(c *store.Catalog, all int, words []rank.Word) bool {
	if len(words) < 2 || all > mostByChance || c.Len() < minSample {
		return false
	}
	rates := make([]float64, len(words)) // of each term of a turn being the word
	for i, w := range words {
		rates[i] = float64(len(w.Rows)) / float64(c.TotalLength)
	}
	step := max(1, c.Len()/lengthsSampled)
	expected := 0.0
	for row := 0; row < c.Len(); row += step {
		p, length := float64(step), float64(c.Length[row])
		for _, rate := range rates {
			p *= min(1, rate*length)
		}
		expected += p
	}
	fewer, term := 0.0, math.Exp(-expected)
	for i := range all {
		fewer += term
		term *= expected / float64(i+1)
	}
	return 1-fewer >= chance
}

// topic returns the words of a query but for those of the dates that it names. These say when, and turns about that
// time need not hold them, unless they are asked for as words.
func (r *request) topic() []string {
	if r.asked.Dates == query.DatesOff {
		return r.words
	}
	now := time.Now()
	var ofDates []string
	for _, e := range dates.Find(r.query, now, now) {
		ofDates = append(ofDates, terms.Query(r.query[e.From:e.To])...)
	}
	return slices.DeleteFunc(slices.Clone(r.words), func(word string) bool { return slices.Contains(ofDates, word) })
}

// coverQuery sets how much of the query one turn holds, where nothing else needs its words.
func (e *Engine) coverQuery(ctx context.Context, f *searchResult) error {
	if f.query == "" {
		return nil
	}
	lists, err := e.words.wordLists(ctx, f.snapshot, f.words, f.stems)
	if err != nil {
		return err
	}
	f.findCovered(rank.Words(f.Len(), lists.forms), nil)
	f.findWords(lists.worded(f.Len()), lists.by)
	return e.findOccurrences(ctx, f, intersectAll(lists.forms))
}

// confidence returns how likely it is that the eligible turns speak of the query; nil where nothing is asked in words.
func (f *searchResult) confidence() *float64 {
	if f.query == "" || math.IsNaN(f.covered) || f.candidates() == 0 {
		return nil
	}
	by, known := calibrations[f.active.Model]
	if !known || f.plan.mode == query.Keyword || f.embeddedShare(f.filter.AllBranches) < leastEmbedded {
		by = calibrationOfWords
	}
	if f.plan.unread {
		by = calibrationOfUnread
	}
	p := 1 / (1 + math.Exp(-(by.cosine*f.nearest + by.coverage*f.covered + by.constant)))
	return new(math.Round(p*1000) / 1000)
}

// HardlySpeaks returns a sentence that says so of the turns that were searched, "" if they may well speak of the query,
// or a conversation has all its words in the title. Where a word is in no turn and meaning is not searched, whether
// they speak of it is not known, only what the matches have.
func (p *Peek) HardlySpeaks() string {
	switch c := p.Coverage.Confidence; {
	case c == nil || *c >= unlikely || p.TitleCount > 0 && p.TitleWord == "":
		return ""
	case p.held != "":
		return "The matches have only " + p.held + "."
	case p.filtered:
		return "What passes the filter hardly speaks of this."
	case p.windowed:
		return "This period hardly speaks of this."
	}
	return "Your archive hardly speaks of this."
}

// unsure is the confidence below which a search may have missed what the archive says in another language.
const unsure = 0.5

// Where hardly a turn has all words of the query, a model that does not read a language may have missed more: with
// fewer than littleWorded of them, the confidence below which that is said is unsureOfFew. A search by words alone has
// missed what stands in any other language, however well these few turns match.
const (
	littleWorded = 3
	unsureOfFew  = 0.85
)

// leastShare is the share of the turns searched from which on a language is worth a question of its own.
const leastShare = 0.05

// isUnsure reports whether the turns that were searched may not speak of the query.
func (c *Coverage) isUnsure() bool { return c.Confidence != nil && *c.Confidence < unsure }

// ExplainsPeaks reports whether it may be said what sets peaks apart. Where no turn has all words of the query and the
// others may not speak of it, that would be read as an answer.
func (p *Peek) ExplainsPeaks() bool {
	return p.Occurrences == nil || p.Occurrences.Total > 0 || !p.Coverage.isUnsure()
}

// otherLanguage returns a sentence that names the language, other than English, that most of the turns searched are in
// and the query is not, where the matches may not speak of it; "" if there is none. Words do not find what stands in
// another language, nor do models that know one. A query is in a language if most turns with a word of it are; of one
// without such turns nothing is known, and it names those that are not searched by meaning, but by words alone not one
// that most turns are in: the query may well be in that.
func (f *searchResult) otherLanguage() string {
	coverage := f.coverage()
	byWords := f.plan.mode == query.Keyword && (f.language == terms.Unknown || f.language == terms.English)
	few := coverage.Confidence != nil && (byWords || *coverage.Confidence < unsureOfFew) && len(f.occurring) < littleWorded
	if !few && !coverage.isUnsure() {
		return ""
	}
	var worded []int32
	switch {
	case byWords && len(f.occurring) > 0:
		worded = f.occurring
	case f.wordedRows != nil:
		worded = slices.Collect(f.wordedRows.All())
	}
	turns, most, language := 0, 0, ""
	for range f.eligibleInWindow {
		turns++
	}
	for _, l := range f.stems {
		reads := readsLanguage(f.active.Model, l.language)
		isOfQuery := mostly(worded, l.rows) && (len(worded) > 0 || !byWords)
		switch {
		case l.language == f.language, (reads || byWords) && isOfQuery: // else inLanguage asks for more
			continue
		case reads && f.plan.mode != query.Keyword && !coverage.isUnsure():
			continue
		}
		in := 0
		for row := range f.eligibleInWindow {
			if l.rows.Has(row) {
				in++
			}
		}
		if in > most {
			most, language = in, l.language.String()
		}
	}
	isUsual := byWords && len(worded) == 0 && 2*most > turns
	if most == 0 || isUsual || float64(most) < leastShare*float64(turns) {
		return ""
	}
	return fmt.Sprintf("%d of %d turns are in %s: ask in %[3]s, too.", most, turns, language)
}
