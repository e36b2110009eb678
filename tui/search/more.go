package search

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval"
)

// Turns are listed a page at a time, as the cursor needs them.

// moreKey identifies a page: the turns of a result after those that it lists.
type moreKey struct {
	Key
	after int
}

// moreMsg delivers a page.
type moreMsg struct {
	foundMsg
	of moreKey
}

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
	engine := f.engine
	return f.ui.Tasks.Command(func() tea.Msg {
		found := Result{Key: of.Key}
		err := found.browse(ctx, engine, of.In(of.Window), of.after)
		if ctx.Err() != nil {
			return nil
		}
		if err == nil {
			found.clean()
		}
		return moreMsg{foundMsg{number, found, err}, of}
	})
}

// hasMoreTurns reports whether there are turns after those that are listed without a query.
func (r Result) hasMoreTurns() bool {
	return !r.IsSomething() && r.Peek != nil && !r.Peek.Partial && len(r.Peek.Matches) < r.Peek.Histogram.Total
}

// with returns a result that also lists the turns of a page. Those that it has, since others came before them, are not
// listed twice.
func (r Result) with(page []retrieval.Match) Result {
	known := make(map[uuid.UUID]bool, len(r.Peek.Matches))
	for i := range r.Peek.Matches {
		known[r.Peek.Matches[i].TurnID] = true
	}
	peek := *r.Peek
	peek.Matches = slices.Clone(r.Peek.Matches)
	for i := range page {
		if !known[page[i].TurnID] {
			peek.Matches = append(peek.Matches, page[i])
		}
	}
	r.Peek = &peek
	return r
}
