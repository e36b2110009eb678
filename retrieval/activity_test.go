package retrieval_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
)

func TestActivity_CountsActivePaths(t *testing.T) {
	e := retrieval.New(kitchen(), nil)
	got, err := e.Activity(t.Context(), query.Query{Bin: "year"})
	if err != nil {
		t.Fatal(err)
	}
	h := got.Histogram
	if h.Total != 7 || h.Undated != 1 || len(h.Bins) != 2 || h.Bins[0].Count != 4 || h.Bins[1].Count != 2 {
		t.Errorf("%+v", h)
	}
	windowed, err := e.Activity(t.Context(), query.Query{Bin: "day", Filter: query.Filter{Since: day("2023-02-01"), Until: day("2024-03-05")}})
	if err != nil {
		t.Fatal(err)
	}
	if h := windowed.Histogram; h.Total != 3 || h.Undated != 0 || h.Bins[0].Count != 2 || len(h.Bins) != 61 {
		t.Errorf("total %d, undated %d, %d bins", h.Total, h.Undated, len(h.Bins))
	}
}

func TestActivity_EmptyArchive(t *testing.T) {
	e := retrieval.New(newFakeSource(1, nil), nil)
	got, err := e.Activity(t.Context(), query.Query{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(got)
	if want := `"buckets":[],"total":0,"undated":0}}`; err != nil || !strings.HasSuffix(string(text), want) {
		t.Errorf("%s, %v", text, err)
	}
	p := peek(t, e, "anything", query.Query{})
	if p.Histogram.Total != 0 || p.Matches == nil || p.Coverage.Embedded != 0 {
		t.Errorf("%+v", p)
	}
}

func TestActivity_JSONWithoutBaselines(t *testing.T) {
	got, err := retrieval.New(kitchen(), nil).Activity(t.Context(), query.Query{Bin: "year"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(got)
	want := `{"histogram":{"bin":"year","buckets":[{"start":"2023-01-01T00:00:00Z","end":"2024-01-01T00:00:00Z","count":4},` +
		`{"start":"2024-01-01T00:00:00Z","end":"2025-01-01T00:00:00Z","count":2}],"total":7,"undated":1}}`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
}

func TestActivity_InvalidOptions(t *testing.T) {
	e := retrieval.New(kitchen(), nil)
	for _, opts := range []query.Query{{Bin: "eon"}, {Filter: query.Filter{Since: day("2024-01-02"), Until: day("2024-01-01")}}, {AutoBins: -1}} {
		if _, err := e.Activity(t.Context(), opts); errs.CodeOf(err) != errs.Invalid {
			t.Errorf("%+v: %v", opts, err)
		}
	}
}

// queriesFor returns a query for each text, counted by bin.
func queriesFor(bin string, texts ...string) []query.Query {
	queries := make([]query.Query, len(texts))
	for i, text := range texts {
		queries[i] = query.Query{Text: text, Bin: bin}
	}
	return queries
}

func TestCompare_SharedBins(t *testing.T) {
	e := retrieval.New(kitchen(), nil)
	c, err := e.Compare(t.Context(), queriesFor("quarter", "sourdough", "context"))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Peeks) != 2 || c.Bin != "quarter" || c.Peeks[0].Query != "sourdough" || c.Peeks[1].Query != "context" {
		t.Fatalf("%+v", c)
	}
	for _, p := range c.Peeks {
		if len(p.Histogram.Bins) != 5 || p.Histogram.Bin != "quarter" {
			t.Errorf("%s: %d bins of a %s", p.Query, len(p.Histogram.Bins), p.Histogram.Bin)
		}
	}
	if got := c.Peeks[1].Histogram; got.Bins[0].Count != 2 || got.Bins[4].Count != 0 || got.Bins[4].Baseline != 2 {
		t.Errorf("%+v", got)
	}
}

func TestCompare_NumberOfQueries(t *testing.T) {
	e := retrieval.New(kitchen(), nil)
	for _, n := range []int{0, 11} {
		if _, err := e.Compare(t.Context(), make([]query.Query, n)); errs.CodeOf(err) != errs.Invalid {
			t.Errorf("%d queries: %v", n, err)
		}
	}
	if _, err := e.Compare(t.Context(), queriesFor("", "a", "")); errs.CodeOf(err) != errs.Invalid {
		t.Errorf("an empty query: %v", err)
	}
	ten := strings.Fields("a b c d e f g h i j")
	if c, err := e.Compare(t.Context(), queriesFor("", ten...)); err != nil || len(c.Peeks) != 10 {
		t.Errorf("ten queries: %v", err)
	}
}

func TestRebin_SameMatches(t *testing.T) {
	a := kitchen()
	e := retrieval.New(a, nil)
	p := peek(t, e, "sourdough", query.Query{Bin: "month"})
	h, err := e.Rebin(t.Context(), p, "year", 0)
	if err != nil {
		t.Fatal(err)
	}
	if want := peek(t, e, "sourdough", query.Query{Bin: "year"}).Histogram; h.Total != want.Total || h.Undated != want.Undated ||
		len(h.Bins) != 2 || h.Bins[0] != want.Bins[0] || h.Bins[1] != want.Bins[1] {
		t.Errorf("got %+v, want %+v", h, want)
	}
	if _, err := e.Rebin(t.Context(), p, "eon", 0); errs.CodeOf(err) != errs.Invalid {
		t.Errorf("got %v", err)
	}
}

func TestOverview(t *testing.T) {
	got, err := retrieval.New(kitchen(), nil).Overview(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got.Turns != 7 || got.OffPath != 1 || got.Undated != 1 || got.Conversations != 3 || got.Embedded != 1 || got.Model != "words" {
		t.Errorf("%+v", got)
	}
	if got.First.Format(time.DateOnly) != "2023-01-10" || got.Last.Format(time.DateOnly) != "2024-03-06" {
		t.Errorf("from %v to %v", got.First, got.Last)
	}
	empty, err := retrieval.New(newFakeSource(1, nil), nil).Overview(t.Context())
	if err != nil || empty.First != nil || empty.Turns != 0 {
		t.Errorf("%+v, %v", empty, err)
	}
}
