package retrieval

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/retrieval/rank"
	"lens/store/terms"
)

// Matches are the best of a query, so their counts say when it comes up most clearly. Occurrences say how often it
// comes up at all.

// Drawn returns what a chart of a peek draws unless asked for the other: in keyword mode the occurrences where there
// are any, which o then is, else the matches.
func (p *Peek) Drawn() (h Histogram, peaks []Peak, o *Occurrences) {
	if o := p.Occurrences; o != nil && p.Mode == query.Keyword && o.Total > 0 {
		return o.Histogram, o.Peaks, o
	}
	return p.Histogram, p.Peaks, nil
}

// OnlyNear reports whether vectors found matches, and none of those listed has a word of the query.
func (p *Peek) OnlyNear() bool {
	hasWord := func(m Match) bool { return m.Worded }
	return p.Mode == query.Hybrid && len(p.Matches) > 0 && !slices.ContainsFunc(p.Matches, hasWord)
}

// IsNearest reports whether the matches are only the nearest by meaning: none has a word of the query, and the archive
// hardly speaks of it.
func (p *Peek) IsNearest() bool { return p.Coverage.Faint || p.OnlyNear() && p.HardlySpeaks() != "" }

// findOccurrences notes which turns hold all words of the query, given those with all words that rank. The words of
// phrases are not looked for one by one: the filter lets through only turns in which the phrases stand as they are.
func (e *Engine) findOccurrences(ctx context.Context, f *searchResult, rowsWithAllTerms []int32) error {
	if !f.asksForWords() {
		return nil
	}
	if len(f.asked.Phrases) > 0 {
		words := terms.Content(f.asked.Text, f.language)
		if len(words) == 0 {
			f.occurring = slices.Collect(f.eligibleInWindow)
			return nil
		}
		lists, err := e.words.wordLists(ctx, f.snapshot, words, f.stems)
		if err != nil {
			return err
		}
		rowsWithAllTerms = intersectAll(lists.forms)
	}
	lo := rowsBefore(rowsWithAllTerms, int32(f.scope.Lo))
	hi := lo + rowsBefore(rowsWithAllTerms[lo:], int32(f.scope.Hi))
	if f.occurring = rowsWithAllTerms[lo:hi]; f.eligible != nil {
		f.occurring = slices.DeleteFunc(slices.Clone(f.occurring), func(row int32) bool { return !f.eligible.Has(row) })
	}
	return nil
}

// asksForWords reports whether the query has words that the index knows: common ones alone are none.
func (f *searchResult) asksForWords() bool {
	return !f.byTime() && f.like == uuid.Nil && len(f.words) > 0 && !onlyStopWords(f.query)
}

// occurrences counts the turns with all words of the query in the bins that cover shown; nil where nothing is asked in
// words. peaks are those of the matches.
func (e *Engine) occurrences(
	ctx context.Context, f *searchResult, shown dateRange, peaks []Peak,
) (*Occurrences, error) {
	if !f.asksForWords() {
		return nil, nil
	}
	o := &Occurrences{Times: f.occurrenceTimes()}
	undated := len(f.occurring) - len(o.Times)
	var err error
	o.Histogram, err = histogram("peek", o.Times, f.baseline(f.filter.AllBranches), undated, shown, f.binning)
	if err != nil {
		return nil, err
	}
	rows := f.occurringRows()
	if len(rows) == len(f.hits) && slices.Equal(rows, f.hitRows()) {
		o.Peaks = peaks
		return o, nil
	}
	o.Peaks = f.peaks(&o.Histogram)
	if f.plan.mode != query.Keyword && !f.asked.Occurrences {
		return o, nil
	}
	clearest := slices.Clone(o.Peaks)
	slices.SortStableFunc(clearest, func(a, b Peak) int { return cmp.Compare(a.P, b.P) })
	clearest = clearest[:min(len(clearest), explained)]
	slices.SortFunc(clearest, func(a, b Peak) int { return a.Start.Compare(b.Start) })
	if err := e.captions(ctx, f, clearest, rows, captionTexts/2); err != nil {
		return nil, err
	}
	for i, at := range o.Peaks {
		if j := slices.IndexFunc(clearest, func(p Peak) bool { return p.Start.Equal(at.Start) }); j >= 0 {
			o.Peaks[i] = clearest[j]
		}
	}
	return o, nil
}

// explained is how many peaks of the occurrences are explained: as many as a chart has captions. A common word has many
// peaks, and texts have to be read for each, so that fewer are read than for the matches.
const explained = 3

// occurrenceTimes returns the UTC seconds of the dated turns with all words of the query, ascending.
func (f *searchResult) occurrenceTimes() []int64 {
	times := make([]int64, rowsBefore(f.occurring, int32(f.Dated)))
	for i := range times {
		times[i] = f.allTimes[f.occurring[i]]
	}
	return times
}

// occurringRows returns the turns with all words of the query, the best matches first.
func (f *searchResult) occurringRows() []int32 {
	hits := rank.NewRows(f.Len())
	rows := make([]int32, 0, len(f.occurring))
	for _, h := range f.hits {
		if _, has := slices.BinarySearch(f.occurring, h.Row); has {
			hits.Add(h.Row)
			rows = append(rows, h.Row)
		}
	}
	for _, row := range f.occurring {
		if !hits.Has(row) {
			rows = append(rows, row)
		}
	}
	return rows
}

// shown returns the time that the histogram of a search covers: that of what it found and of all occurrences.
func (f *searchResult) shown() dateRange {
	return dateRangeOf(f.matchTimes()).with(dateRangeOf(f.occurrenceTimes()))
}
