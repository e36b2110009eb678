package retrieval_test

import (
	"strings"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
)

func TestPeek_OptionsOutOfRange(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		opts query.Query
		code errs.Code
		says string
	}{
		"an empty query":            {"", query.Query{}, "invalid", "the query is empty"},
		"a blank query":             {" \n", query.Query{}, "invalid", "the query is empty"},
		"a query over 8 KiB":        {strings.Repeat("a", 8<<10+1), query.Query{}, "too_large", "longer than 8 KiB"},
		"a negative top_k":          {"a", query.Query{TopK: new(-1)}, "invalid", "top_k is -1, must be 1 to 1000"},
		"a top_k over 1000":         {"a", query.Query{TopK: new(1001)}, "invalid", "top_k is 1001, must be 1 to 1000"},
		"too many snippets":         {"a", query.Query{Snippets: new(1001)}, "invalid", "1001 snippets requested, must be 0 to 1000"},
		"an unknown mode":           {"a", query.Query{Mode: "magic"}, "invalid", "unknown mode"},
		"an unknown bin":            {"a", query.Query{Bin: "fortnight"}, "invalid", ""},
		"a negative number of bins": {"a", query.Query{AutoBins: -1}, "invalid", "-1 bins"},
		"a window that is reversed": {"a", query.Query{Filter: query.Filter{Since: day("2024-01-02"), Until: day("2024-01-01")}}, "invalid", "ends before it starts"},
		"a window of nothing":       {"a", query.Query{Filter: query.Filter{Since: day("2024-01-02"), Until: day("2024-01-02")}}, "invalid", "is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			c.opts.Text = c.text
			_, err := retrieval.New(kitchen(), nil).Peek(t.Context(), c.opts)
			if got := errs.CodeOf(err); got != c.code {
				t.Fatalf("code %q, want %q: %v", got, c.code, err)
			}
			if !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "magic") {
				t.Errorf("%q lacks %q, or repeats the query", err, c.says)
			}
		})
	}
}

// daily is an archive of one turn a day, all of which match alike.
func daily(days int) *fakeSource {
	var turns [][3]string
	for i := range days {
		turns = append(turns, [3]string{day("2023-01-02").AddDate(0, 0, i).Format(time.DateOnly), "sourdough", "starter"})
	}
	return newFakeSource(1, conversationOf("Daily", turns...))
}

func TestPeek_Defaults(t *testing.T) {
	p := peek(t, retrieval.New(daily(130), nil), "sourdough", query.Query{})
	if p.Histogram.Total != 100 || len(p.Matches) != 10 || p.Coverage.Matching != 130 || !p.Coverage.Truncated {
		t.Errorf("%d turns, %d matches, %+v", p.Histogram.Total, len(p.Matches), p.Coverage)
	}
	for days, want := range map[int]string{60: "day", 61: "week"} {
		if got := peek(t, retrieval.New(daily(days), nil), "sourdough", query.Query{}).Histogram; got.Bin != want || len(got.Bins) > 60 {
			t.Errorf("%d days: %d bins of a %s", days, len(got.Bins), got.Bin)
		}
	}
}

func TestPeek_MaximumOptions(t *testing.T) {
	text := strings.Repeat("a", 8<<10)
	_, err := retrieval.New(kitchen(), nil).Peek(t.Context(), query.Query{Text: text, TopK: new(1000), Snippets: new(100), Bin: "3d", Filter: query.Filter{Until: time.Now()}})
	if err != nil {
		t.Error(err)
	}
}
