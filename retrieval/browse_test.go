package retrieval_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
)

func browse(t *testing.T, a *fakeSource, f query.Filter, opts retrieval.BrowseOptions) *retrieval.BrowseResult {
	t.Helper()
	b, err := retrieval.New(a, nil).Browse(context.Background(), query.Query{Filter: f}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// days returns the days of matches, "" for undated ones.
func days(matches []retrieval.Match) []string {
	var out []string
	for _, m := range matches {
		day := ""
		if m.Time != nil {
			day = m.Time.Format(time.DateOnly)
		}
		out = append(out, day)
	}
	return out
}

func TestBrowse_OrderByTime(t *testing.T) {
	bread := uuid.NewSHA1(uuid.Nil, []byte("Bread"))
	for name, c := range map[string]struct {
		filter         query.Filter
		opts           retrieval.BrowseOptions
		want           []string
		total, undated int
	}{
		"newest first, undated last": {
			query.Filter{}, retrieval.BrowseOptions{}, []string{"2024-03-06", "2024-03-05", "2023-04-02", "2023-02-01", "2023-02-01", "2023-01-10", ""}, 7, 1,
		},
		"oldest first": {
			query.Filter{}, retrieval.BrowseOptions{Oldest: true}, []string{"2023-01-10", "2023-02-01", "2023-02-01", "2023-04-02", "2024-03-05", "2024-03-06", ""}, 7, 1,
		},
		"limit":             {query.Filter{}, retrieval.BrowseOptions{Limit: 2}, []string{"2024-03-06", "2024-03-05"}, 7, 1},
		"after the newest":  {query.Filter{}, retrieval.BrowseOptions{After: 5}, []string{"2023-01-10", ""}, 7, 1},
		"after the oldest":  {query.Filter{}, retrieval.BrowseOptions{Oldest: true, Limit: 1, After: 5}, []string{"2024-03-06"}, 7, 1},
		"after all of them": {query.Filter{}, retrieval.BrowseOptions{After: 9}, nil, 7, 1},
		"oldest in a window": {
			query.Filter{Since: day("2023-02-01"), Until: day("2024-03-06")}, retrieval.BrowseOptions{Oldest: true, Limit: 3}, []string{"2023-02-01", "2023-02-01", "2023-04-02"}, 4, 0,
		},
		"one conversation with its branches": {
			query.Filter{Conversations: query.Values[uuid.UUID]{In: []uuid.UUID{bread}}, Branches: true}, retrieval.BrowseOptions{}, []string{"2023-04-02", "2023-01-11", "2023-01-10"}, 3, 0,
		},
		"empty window":         {query.Filter{Since: day("2025-01-01")}, retrieval.BrowseOptions{}, nil, 0, 0},
		"source without turns": {query.Filter{Sources: query.Values[string]{In: []string{"claude"}}}, retrieval.BrowseOptions{}, nil, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := browse(t, kitchen(), c.filter, c.opts)
			if got := days(b.Matches); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if b.Total != c.total || b.Undated != c.undated || len(b.Times) != c.total-c.undated || !slices.IsSorted(b.Times) {
				t.Errorf("%d turns, %d undated, times %v", b.Total, b.Undated, b.Times)
			}
			for _, at := range b.Times {
				if s, u := c.filter.Since, c.filter.Until; !s.IsZero() && at < s.Unix() || !u.IsZero() && at >= u.Unix() {
					t.Errorf("%d is not in the window", at)
				}
			}
		})
	}
}

func TestBrowse_TopConversations(t *testing.T) {
	b := browse(t, kitchen(), query.Filter{}, retrieval.BrowseOptions{})
	if len(b.TopConversations) != 3 || b.TopConversations[0].Title != "Later" || b.TopConversations[0].Turns != 3 || b.TopConversations[1].Turns != 2 {
		t.Errorf("top conversations are %v", b.TopConversations)
	}
	if b := browse(t, kitchen(), query.Filter{Until: day("2023-01-12")}, retrieval.BrowseOptions{}); len(b.TopConversations) != 0 {
		t.Errorf("a single turn made a top conversation: %v", b.TopConversations)
	}
}

func TestBrowse_ReadsOnlyListedTurns(t *testing.T) {
	a, read := kitchen(), 0
	a.vanish = func(ids []uuid.UUID) { read += len(ids) }
	if b := browse(t, a, query.Filter{}, retrieval.BrowseOptions{Limit: 2}); len(b.Matches) != 2 || read != 2 || b.Matches[0].UserSnippet != "thanks for the sourdough" {
		t.Errorf("%d turns were read for %v", read, b.Matches)
	}
}

func TestBrowse_InvalidOptions(t *testing.T) {
	for name, c := range map[string]struct {
		filter query.Filter
		opts   retrieval.BrowseOptions
	}{
		"limit too large": {opts: retrieval.BrowseOptions{Limit: retrieval.MaxBrowseLimit + 1}},
		"negative limit":  {opts: retrieval.BrowseOptions{Limit: -1}},
		"negative after":  {opts: retrieval.BrowseOptions{After: -1}},
		"empty window":    {filter: query.Filter{Since: day("2024-01-01"), Until: day("2024-01-01")}},
	} {
		if _, err := retrieval.New(kitchen(), nil).Browse(context.Background(), query.Query{Filter: c.filter}, c.opts); errs.CodeOf(err) != errs.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBrowse_AllBranches(t *testing.T) {
	b := browse(t, kitchen(), query.Filter{Branches: true, Since: day("2023-01-11"), Until: day("2023-02-01")}, retrieval.BrowseOptions{})
	if want := []int64{day("2023-01-11").Unix()}; b.Total != 1 || !slices.Equal(b.Times, want) {
		t.Errorf("%d turns at %v, not at %v", b.Total, b.Times, want)
	}
}
