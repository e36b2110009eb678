package retrieval_test

import (
	"strings"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/retrieval"
)

func TestPeek_OptionsOutOfRange(t *testing.T) {
	for name, c := range map[string]struct {
		query string
		opts  retrieval.PeekOptions
		code  errs.Code
		says  string
	}{
		"an empty query":            {"", retrieval.PeekOptions{}, "invalid", "the query is empty"},
		"a blank query":             {" \n", retrieval.PeekOptions{}, "invalid", "the query is empty"},
		"a query over 8 KiB":        {strings.Repeat("a", 8<<10+1), retrieval.PeekOptions{}, "too_large", "longer than 8 KiB"},
		"a negative top_k":          {"a", retrieval.PeekOptions{TopK: -1}, "invalid", "top_k is -1, must be 1 to 1000"},
		"a top_k over 1000":         {"a", retrieval.PeekOptions{TopK: 1001}, "invalid", "top_k is 1001, must be 1 to 1000"},
		"too many snippets":         {"a", retrieval.PeekOptions{Snippets: 101}, "invalid", "101 snippets requested, at most 100 allowed"},
		"an unknown mode":           {"a", retrieval.PeekOptions{Mode: "magic"}, "invalid", "unknown mode"},
		"an unknown bin":            {"a", retrieval.PeekOptions{Bin: "fortnight"}, "invalid", ""},
		"a negative number of bins": {"a", retrieval.PeekOptions{AutoBins: -1}, "invalid", "-1 bins"},
		"a window that is reversed": {"a", retrieval.PeekOptions{Since: day("2024-01-02"), Until: day("2024-01-01")}, "invalid", "ends before it starts"},
		"a window of nothing":       {"a", retrieval.PeekOptions{Since: day("2024-01-02"), Until: day("2024-01-02")}, "invalid", "is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := retrieval.New(kitchen(), nil).Peek(t.Context(), c.query, c.opts)
			if got := errs.CodeOf(err); got != c.code {
				t.Fatalf("code %q, want %q: %v", got, c.code, err)
			}
			if !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "magic") {
				t.Errorf("%q lacks %q, or repeats the query", err, c.says)
			}
		})
	}
}

func TestPeek_MaximumOptions(t *testing.T) {
	query := strings.Repeat("a", 8<<10)
	_, err := retrieval.New(kitchen(), nil).Peek(t.Context(), query, retrieval.PeekOptions{TopK: 1000, Snippets: 100, Bin: "3d", Until: time.Now()})
	if err != nil {
		t.Error(err)
	}
}
