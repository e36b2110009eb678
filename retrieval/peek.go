package retrieval

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"lens/retrieval/query"
)

// Peek finds the top_k turns nearest to q's words, or most similar to the turn that q.Like names, among those that pass
// its filter, and counts all of them over time. With nothing but filters or exclusions it counts all turns that pass,
// and lists the newest. Errors: invalid (see query.Query.Validate), too_large (words over 8 KiB), not_found (an unknown
// turn), dimension_mismatch, unavailable (dense mode or a least similarity without vectors or model, a filter by code
// or model that is not indexed yet), rate_limited.
func (e *Engine) Peek(ctx context.Context, q query.Query) (p *Peek, err error) {
	started := time.Now()
	other := ""
	err = e.searchFor(ctx, q, func(f *searchResult) error {
		if p, err = e.buildPeek(ctx, f, f.shown()); err == nil {
			other = f.otherLanguage()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if p.Histogram.Total > 0 || p.Language == "" { // else it says already why nothing is found
		p.Language = strings.TrimSpace(p.Language + " " + other)
		p.note(other)
	}
	if p.Histogram.Total > 0 { // else there is nothing to doubt
		p.note(p.HardlySpeaks())
	}
	p.Timing.Total = milliseconds(time.Since(started))
	return p, nil
}

// note adds a sentence on what the search may have missed; "" adds nothing.
func (p *Peek) note(sentence string) {
	p.Notice = strings.TrimSpace(p.Notice + " " + sentence)
	p.LeftOut = strings.TrimSpace(p.LeftOut + " " + sentence)
}

// searchFor searches for q and hands over what it found.
func (e *Engine) searchFor(ctx context.Context, q query.Query, use func(*searchResult) error) error {
	r, err := newRequest(q)
	if err != nil {
		return err
	}
	return e.readConsistently(ctx, func(a *snapshot) error {
		r, by, err := e.prepare(ctx, a, r)
		if err != nil {
			return err
		}
		if e.searchSlots != nil {
			if err := e.searchSlots.Acquire(ctx, 1); err != nil {
				return err
			}
			defer e.searchSlots.Release(1)
		}
		f, err := e.searchWith(ctx, a, r, by)
		if err != nil {
			return err
		}
		return use(f)
	})
}

// buildPeek turns a search result into a Peek whose bins cover shown.
func (e *Engine) buildPeek(ctx context.Context, f *searchResult, shown dateRange) (*Peek, error) {
	times := f.matchTimes()
	h, err := histogram("peek", times, f.baseline(f.filter.AllBranches), len(f.hits)-len(times), shown, f.binning)
	if err != nil {
		return nil, err
	}
	matches, err := e.matches(ctx, f)
	if err != nil {
		return nil, err
	}
	titles, titleCount, titleWord, err := e.titleMatches(ctx, f)
	if err != nil {
		return nil, err
	}
	peaks := f.peaks(&h)
	occurrences, err := e.occurrences(ctx, f, shown, peaks)
	if err != nil {
		return nil, err
	}
	beside := f.asked.Filter
	beside.Since, beside.Until = time.Time{}, time.Time{}
	filtered := !beside.IsZero() || len(f.asked.Phrases)+len(f.asked.Without) > 0
	p := &Peek{
		Query: f.query, Like: f.like, Mode: f.plan.mode, Dates: f.dates, Notice: f.notice(), LeftOut: f.leftOut(),
		Language: f.unread, Partial: f.partial, held: f.held,
		allBranches: f.filter.AllBranches,
		filtered:    filtered, windowed: !f.asked.Filter.Since.IsZero() || !f.asked.Filter.Until.IsZero(),
		Histogram: h, Peaks: peaks, Occurrences: occurrences, Mentions: f.mentions(), Matches: matches,
		Titles: titles, TitleCount: titleCount, TitleWord: titleWord, Coverage: f.coverage(), Times: times,
		Words:  f.found,
		Timing: Timing{Embed: milliseconds(f.plan.embedTime), Search: milliseconds(f.took)},
	}
	if p.ExplainsPeaks() { // the peaks of occurrences may be the same
		if err := e.captions(ctx, f, peaks, f.hitRows(), captionTexts); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// note adds a sentence on what the search did not do as asked, once.
func (f *searchResult) note(sentence string) {
	if !slices.Contains(f.notices, sentence) {
		f.notices = append(f.notices, sentence)
	}
}

// leftOut says what the filter did not look at.
func (f *searchResult) leftOut() string {
	return strings.TrimSpace(strings.Join(f.notices, " ") + " " + f.unread)
}

// notice says what the search did not do as asked.
func (f *searchResult) notice() string { return strings.TrimSpace(f.plan.notice + " " + f.leftOut()) }

// noticesOf returns what several searches have to say, each sentence once: all of it, and its end, which is not about
// the mode.
func noticesOf(searches ...*searchResult) (notice, leftOut string) {
	var all, ends []string
	for _, f := range searches {
		if f.plan.notice != "" && !slices.Contains(all, f.plan.notice) {
			all = append(all, f.plan.notice)
		}
		for _, sentence := range append(slices.Clip(f.notices), f.unread) {
			if sentence != "" && !slices.Contains(ends, sentence) {
				ends = append(ends, sentence)
			}
		}
	}
	return strings.Join(append(all, ends...), " "), strings.Join(ends, " ")
}

func (f *searchResult) coverage() Coverage {
	return Coverage{
		Faint: f.faint, Candidates: f.candidates(), Embedded: f.embeddedShare(f.filter.AllBranches),
		Matching: f.matching, Uncounted: f.uncounted, Truncated: f.matching > len(f.hits) || f.uncounted,
		Confidence: f.confidence(),
	}
}

// matchTimes returns the UTC seconds of the dated hits, ascending.
func (f *searchResult) matchTimes() []int64 {
	times := make([]int64, 0, len(f.hits))
	for _, h := range f.hits {
		if int(h.Row) < f.Dated {
			times = append(times, second(f.Time[h.Row]))
		}
	}
	slices.Sort(times)
	return times
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// optional returns a pointer to a number, nil for NaN.
func optional(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}
