package search

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"lens/retrieval"
	"lens/retrieval/query"
)

// Turns are listed a page at a time, as the cursor needs them.

// moreKey identifies a page: the turns of a result after those that it lists.
type moreKey struct {
	Key
	after int
}

// moreMsg delivers a result with its next page.
type moreMsg foundMsg

// requestMore asks for the next page of the turns that are listed, if at least so many are wanted. What failed or was
// canceled is asked for again once the cursor has left the end of the list and come back.
func (f *Finder) requestMore(wanted int) tea.Cmd {
	known, ok := f.results.Get(f.wanted.Key)
	if !ok || !known.hasMoreTurns() || len(known.Peek.Matches) >= wanted {
		f.more.Forget()
		return nil
	}
	of := moreKey{known.Key, len(known.Peek.Matches)}
	ctx, number, ok := f.more.Ask(f.ui.Ctx, of, f.ui.Now())
	if !ok {
		return nil
	}
	p := pager{f.engine, known.In(known.Window), known}
	return f.ui.Tasks.Command(func() tea.Msg {
		found, err := p.list(ctx, known, wanted)
		if ctx.Err() != nil {
			return nil
		}
		return moreMsg{number, found, err}
	})
}

// pager lists the turns of a query without words.
type pager struct {
	engine Engine
	q      query.Query
	was    Result // the turns that were listed before, if any
}

// pagerOf returns a pager of a key. It lists all turns again that are shown, since the cursor may be on any of them.
func (f *Finder) pagerOf(key Key) pager {
	p := pager{engine: f.engine, q: key.In(key.Window)}
	if f.found.Key == key && f.found.turns() > listed {
		p.was = f.found
	}
	return p
}

// list returns a result with the pages after it, until it lists n turns, and all up to the last one that was listed
// before. When the archive has changed between two pages, the later one may not follow the other: it begins again.
func (p pager) list(ctx context.Context, r Result, n int) (Result, error) {
	for least := listed; ; least = 0 {
		page, err := p.page(ctx, r, max(least, n-r.turns(), r.reach(p.was)-r.turns()))
		switch {
		case err != nil:
			return r, err
		case r.Peek != nil && !r.agrees(page):
			r = Result{Key: r.Key}
			continue
		}
		r = r.with(page)
		if len(page.Peek.Matches) == 0 || !r.hasMoreTurns() || len(r.Peek.Matches) >= max(n, r.reach(p.was)) {
			return r, nil
		}
	}
}

// page reads about n of the turns after those of a result.
func (p pager) page(ctx context.Context, r Result, n int) (Result, error) {
	opts := retrieval.BrowseOptions{
		Oldest: r.Order == OldestFirst, Limit: min(n, retrieval.MaxBrowseLimit), After: r.turns(),
	}
	b, err := p.engine.Browse(ctx, p.q, opts)
	if err != nil {
		return r, err
	}
	page := Result{Key: r.Key, Fullest: b.TopConversations, Peek: &retrieval.Peek{
		Matches:   b.Matches,
		Times:     b.Times,
		Histogram: retrieval.Histogram{Total: b.Total, Undated: b.Undated},
		Notice:    b.Notice,
		Partial:   b.Partial,
	}}
	page.clean()
	return page, nil
}

// hasMoreTurns reports whether there are turns after those that are listed without a query.
func (r Result) hasMoreTurns() bool {
	return !r.IsSomething() && r.Peek != nil && !r.Peek.Partial && len(r.Peek.Matches) < r.Peek.Histogram.Total
}

// turns returns how many turns are listed.
func (r Result) turns() int {
	if r.Peek == nil {
		return 0
	}
	return len(r.Peek.Matches)
}

// agrees reports whether a page is of the same turns.
func (r Result) agrees(page Result) bool {
	return r.Peek.Histogram.Total == page.Peek.Histogram.Total && slices.Equal(r.Peek.Times, page.Peek.Times)
}

// with returns a result that also lists the turns of the next page.
func (r Result) with(page Result) Result {
	if r.Peek != nil {
		page.Peek.Matches = slices.Concat(r.Peek.Matches, page.Peek.Matches)
	}
	return page
}

// reach returns how many turns there are up to the last one that was listed before, where others may have come before
// it: at most a page more than were listed.
func (r Result) reach(was Result) int {
	n := was.turns()
	if n == 0 || r.Peek == nil {
		return n
	}
	at, all := was.Peek.Matches[n-1].Time, len(r.Peek.Times)
	reach := all + n - len(was.Peek.Times) // as many undated ones
	if at != nil {
		before, _ := slices.BinarySearch(r.Peek.Times, at.Unix())
		after, _ := slices.BinarySearch(r.Peek.Times, at.Unix()+1)
		reach = all - before
		if r.Order == OldestFirst {
			reach = after
		}
	}
	return min(reach, n+retrieval.MaxBrowseLimit)
}
