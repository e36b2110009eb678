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

// To a model that was trained on English, all texts in another language are alike: a question in Dutch is near to every
// Dutch turn, and its nearest say nothing. Its words say more alone (rank/EXPERIMENTS.md has the figures).

// languageShare is the share of the turns with a word of a query, or of those nearest to it, that are in its language
// where nothing else tells that.
const languageShare = 0.9

// telling is how many of the nearest turns tell the language of a query without a word of the archive. Where none
// stands out, the ones further down are in any language.
const telling = 10

// inLanguage completes a request with the language of its query, where the archive tells it better than the query: a
// word alone is in the language of the turns that have it.
func (w *wordIndex) inLanguage(ctx context.Context, a *snapshot, r request) (request, error) {
	if len(r.words) == 0 {
		return r, nil
	}
	known, err := w.languages(ctx, a)
	if err != nil || len(known) == 0 {
		return r, err
	}
	among := make([]terms.Language, len(known))
	for i := range known {
		among[i] = known[i].language
	}
	if r.language = terms.QueryLanguage(r.query, among...); r.language != terms.Unknown {
		r.words = terms.Content(r.query, r.language)
		return r, nil
	}
	isUnread := func(l terms.Language) bool { return !readsLanguage(a.active.Model, l) }
	if !slices.ContainsFunc(among, isUnread) {
		return r, nil // it would make no difference, and common words take time
	}
	lists, err := w.lists(ctx, a, r.topic())
	if err != nil {
		return r, err
	}
	worded := slices.Collect(rank.Union(a.Len(), lists).All())
	for _, l := range known {
		if len(worded) > 0 && float64(count(worded, l.rows)) >= languageShare*float64(len(worded)) {
			r.language, r.byTurns = l.language, true
		}
	}
	return r, nil
}

// languageOf returns the language that a text of a turn is in, other than English.
func (w *wordIndex) languageOf(ctx context.Context, a *snapshot, turn store.Ord) (terms.Language, error) {
	known, err := w.languages(ctx, a)
	row, alive := a.Row(turn)
	for _, l := range known {
		if alive && l.rows.Has(int32(row)) {
			return l.language, nil
		}
	}
	return terms.Unknown, err
}

// count returns how many of some rows are among others.
func count(some []int32, others rank.Rows) (n int) {
	for _, row := range some {
		if others.Has(row) {
			n++
		}
	}
	return n
}

// readsLanguage reports whether a model was trained on a language, for all that is known of it.
func readsLanguage(model string, l terms.Language) bool {
	if l == terms.Unknown || l == terms.English {
		return true
	}
	model = strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	hasPrefix := func(name string) bool { return strings.HasPrefix(model, name) }
	return !strings.Contains(model+"-", "-en-") && !slices.ContainsFunc(englishModels, hasPrefix)
}

// englishModels begin the names of models that were trained on English alone and do not say so.
var englishModels = []string{
	"use-lite", "all-minilm", "all-mpnet", "mxbai-embed-large", "multi-qa-", "gte-small", "gte-base", "gte-large",
	"e5-small-v2", "e5-base-v2", "e5-large-v2", "nomic-embed-text-v1",
}

// isUnread reports whether a request can do without the vectors of a model that does not read its language.
func (r *request) isUnread(model string) bool {
	return (r.mode == query.Auto || r.mode == query.Hybrid) && !r.needsVector() && !readsLanguage(model, r.language)
}

// dropUnread drops the hits of a query that has no word of the archive and is of no known language, where nearly all
// of the nearest are in one language that the model does not read: to it, a query in another such language is near to
// all of them alike. It says so.
func (w *wordIndex) dropUnread(ctx context.Context, f *searchResult) error {
	topic := f.topic()
	if len(topic) == 0 || f.language != terms.Unknown || f.needsVector() || len(f.hits) == 0 {
		return nil
	}
	known, err := w.languages(ctx, f.snapshot)
	if err != nil {
		return err
	}
	hits := f.hitRows()
	hits = hits[:min(len(hits), telling)]
	for _, l := range known {
		if readsLanguage(f.active.Model, l.language) || float64(count(hits, l.rows)) < languageShare*float64(len(hits)) {
			continue
		}
		f.hits, f.matching, f.uncounted, f.faint, f.nearest = nil, 0, false, false, 0
		f.plan.mode, f.plan.unread = query.Keyword, true
		f.unread = fmt.Sprintf("No turn has %s. What is near is in %s, which the model does not read.",
			strings.Join(asWritten(f.query, topic), " or "), l.language)
		return nil
	}
	return nil
}

// sayUnread says why a query was searched by its words alone, and which of them, but for those of its dates, nothing
// has: where meaning is not searched, that is all there is to know.
func (f *searchResult) sayUnread(words []rank.Word) string {
	var missing, held []string
	topic := f.topic()
	for i, w := range words {
		switch word := f.words[i]; {
		case !slices.Contains(topic, word):
		case len(w.Rows) == 0:
			missing = append(missing, word)
		default:
			held = append(held, word)
		}
	}
	missing, held = asWritten(f.query, missing), asWritten(f.query, held)
	sentence := fmt.Sprintf("%s is searched by words alone: the model reads only English.", f.language)
	if f.byTurns {
		sentence = fmt.Sprintf("By words only: what has %s is in %s, which the model does not read.",
			strings.Join(held, " or "), f.language)
	}
	if len(missing) == 0 || len(held) == 0 {
		return sentence
	}
	f.held = strings.Join(held, " or ")
	return "No turn has " + strings.Join(missing, " or ") + ". " + sentence
}

// asWritten returns words of a text, in quotes, for those of its terms that are given.
func asWritten(text string, some []string) []string {
	words := written(text, some)
	for i, word := range words {
		words[i] = "“" + word + "”"
	}
	return words
}

// written returns words of a text for those of its terms that are given, each once.
func written(text string, some []string) (words []string) {
	for from, to := range terms.Tokens(text) {
		for _, term := range terms.Query(text[from:to]) {
			if word := text[from:to]; slices.Contains(some, term) && !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	return words
}
