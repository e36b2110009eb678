package retrieval

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/retrieval/rank"
)

// The limits of BrowseOptions and of BrowseResult.TopConversations.
const (
	DefaultBrowseLimit  = 100
	MaxBrowseLimit      = 400
	maxTopConversations = 3
)

// BrowseOptions says which turns are listed. The zero value lists the newest.
type BrowseOptions struct {
	Oldest bool // list the oldest, not the newest
	Limit  int  // 1..400 turns; 0: 100
	After  int  // leaves out so many of the first ones
}

// BrowseResult lists the turns of a window, whatever they are about.
type BrowseResult struct {
	Matches          []Match // in the requested order of time, the undated last; without scores
	Total            int     // eligible turns, dated and undated
	Undated          int
	TopConversations []ConversationCount // those with the most turns, at least two each; titled ones only
	Notice           string              // what the filter did not look at
	Partial          bool                // texts that decide were not read: see query.Query.Quick

	// Times holds the times of all dated turns, ascending, in UTC seconds. It may be shared: do not modify it.
	Times []int64
}

// ConversationCount says how many of the selected turns a conversation has.
type ConversationCount struct {
	Conversation uuid.UUID
	Title        string
	Turns        int // of the selected ones
}

// Browse lists the turns that pass q's filter, phrases and exclusions by time, whatever they are about. Unless texts
// decide which pass, it reads those of the listed turns only. Errors: invalid.
func (e *Engine) Browse(ctx context.Context, q query.Query, opts BrowseOptions) (*BrowseResult, error) {
	limit := cmp.Or(opts.Limit, DefaultBrowseLimit)
	if limit < 1 || limit > MaxBrowseLimit {
		return nil, invalid("browse", "", "limit is %d, must be 1 to %d", opts.Limit, MaxBrowseLimit)
	}
	if opts.After < 0 {
		return nil, invalid("browse", "", "after is %d, must not be negative", opts.After)
	}
	if err := q.Filter.Validate(q); err != nil {
		return nil, err
	}
	var b *BrowseResult
	err := e.readConsistently(ctx, func(a *snapshot) (err error) {
		f, err := e.newSearch(ctx, a, listing(q), searchPlan{})
		if err != nil {
			return err
		}
		s := f.selectRows()
		b = &BrowseResult{
			Total: len(s.rows), Undated: len(s.rows) - s.dated, Times: s.times,
			Notice: f.leftOut(), Partial: f.partial,
		}
		if b.Matches, err = e.hydrate(ctx, a, s.page(opts.After, limit, opts.Oldest), nil, nil); err != nil {
			return err
		}
		b.TopConversations, err = e.topConversations(ctx, a, s)
		return err
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// selection holds the rows that pass a filter.
type selection struct {
	rows  []int32 // ascending: in order of time, the undated last
	dated int     // rows[:dated] have a time
	times []int64 // of the dated rows, UTC seconds
	turns []int32 // how many rows each conversation of the catalog has
}

// listing is the request for all turns that pass q's filter, phrases and exclusions, whatever they are about.
func listing(q query.Query) request {
	q.Text, q.Like = "", ""
	return request{asked: q, filter: storeFilter(q.Filter)}
}

func (f *searchResult) selectRows() selection {
	s := selection{rows: make([]int32, 0, f.scope.Hi-f.scope.Lo), turns: make([]int32, len(f.Conversations))}
	for row := range f.eligibleInWindow {
		s.rows = append(s.rows, row)
		s.turns[f.Conversation[row]]++
	}
	s.dated, _ = slices.BinarySearch(s.rows, int32(f.Dated))
	switch {
	case s.dated == 0:
	case f.scope.TimeOnly() && !f.narrowed:
		from := int(s.rows[0])
		if !f.filter.AllBranches {
			from = int(f.onPathBefore[from])
		}
		s.times = slices.Clip(f.baseline(f.filter.AllBranches)[from : from+s.dated])
	default:
		for _, row := range s.rows[:s.dated] {
			s.times = append(s.times, f.allTimes[row])
		}
	}
	return s
}

// page returns the newest or the oldest rows after some, then the undated ones.
func (s selection) page(after, limit int, oldest bool) []rank.Hit {
	after = min(after, len(s.rows))
	hits := make([]rank.Hit, min(limit, len(s.rows)-after))
	for i := range hits {
		at := after + i
		row := s.rows[at]
		if !oldest && at < s.dated {
			row = s.rows[s.dated-1-at]
		}
		hits[i] = rank.Hit{Row: row, Score: math.NaN(), Similarity: math.NaN()}
	}
	return hits
}

// topConversations returns the titled conversations with the most selected turns.
func (e *Engine) topConversations(ctx context.Context, a *snapshot, s selection) ([]ConversationCount, error) {
	var most []int32 // conversations, those with most rows first
	for c, n := range s.turns {
		if n < 2 {
			continue
		}
		at := len(most)
		for at > 0 && s.turns[most[at-1]] < n {
			at--
		}
		if at < maxTopConversations {
			most = slices.Insert(most, at, int32(c))
			most = most[:min(len(most), maxTopConversations)]
		}
	}
	if len(most) == 0 {
		return nil, nil
	}
	ids := make([]uuid.UUID, len(most))
	for i, c := range most {
		ids[i] = a.Conversations[c]
	}
	conversations, err := e.source.Conversations(ctx, ids)
	if err != nil {
		return nil, err
	}
	var top []ConversationCount
	for i, c := range conversations {
		if c.Title != "" {
			top = append(top, ConversationCount{c.ID, c.Title, int(s.turns[most[i]])})
		}
	}
	return top, nil
}
