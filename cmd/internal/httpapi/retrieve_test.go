package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"lens/retrieval"
	"lens/retrieval/query"
)

// shelf is a Retriever of one chunk that records its options.
type shelf struct {
	fail  error
	asked *retrieveRequest
}

func (s shelf) Retrieve(_ context.Context, q query.Query, opts retrieval.RetrieveOptions) (*retrieval.Retrieved, error) {
	if s.asked != nil {
		*s.asked = retrieveRequest{q, opts}
	}
	switch {
	case s.fail != nil:
		return nil, s.fail
	case strings.TrimSpace(q.Text) == "":
		return nil, coded("invalid")
	}
	return &retrieval.Retrieved{
		Query: q.Text, K: opts.K, Filters: map[string]string{},
		Results: []retrieval.RetrievedChunk{{ID: "7", Score: new(0.5), Snippet: "text", Meta: json.RawMessage(`{"entity":"comic","n":1.50,"urls":["a<b"]}`)}},
		Model:   retrieval.RetrievalModel{ID: "m", Dims: 3},
	}, nil
}

func TestRetrieve_MetadataFilters(t *testing.T) {
	var asked retrieveRequest
	s := start(t, func(o *Options) { o.Retriever = shelf{asked: &asked} })
	day := time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)
	meta := func(pairs ...query.Pair) query.Query {
		return query.Query{Text: "x", Filter: query.Filter{Meta: query.Values[query.Pair]{In: pairs}}}
	}
	for raw, want := range map[string]retrieveRequest{
		"q=a+b":                                  {Query: query.Literal("a b")},
		"q=%C3%BC&k=7&threshold=0.25&mode=dense": {query.Query{Text: "ü", Mode: query.Dense}, retrieval.RetrieveOptions{K: 7, Threshold: 0.25}},
		"filter.entity=comic&q=x&filter.id=7":    {Query: meta(query.Pair{Key: "entity", Value: "comic"}, query.Pair{Key: "id", Value: "7"})},
		"q=x&filter.at.place=Rome%26&filter.%C3%BC=": {
			Query: meta(query.Pair{Key: "at.place", Value: "Rome&"}, query.Pair{Key: "ü"}),
		},
		"q=x&filter.since=2024-05&filter.until=2024-05-01T01:00:00Z&&": {
			Query: query.Query{Text: "x", Filter: query.Filter{Since: day, Until: day.Add(time.Hour + time.Microsecond)}},
		},
		"q=x&filter.until=2024-05": {Query: query.Query{Text: "x", Filter: query.Filter{Until: day.AddDate(0, 1, 0)}}},
		"q=x&filter.since=2024-05-01&filter.until=2024-05-01": {
			Query: query.Query{Text: "x", Filter: query.Filter{Since: day, Until: day.AddDate(0, 0, 1)}},
		},
		"q=x&filter.since=2024-05-01..2024-05-01T01:00:00Z": {
			Query: query.Query{Text: "x", Filter: query.Filter{Since: day, Until: day.Add(time.Hour + time.Microsecond)}},
		},
		"q=x&mode=keyword": {Query: query.Query{Text: "x", Mode: query.Keyword}},
		"q=x&filter.sources=a&filter.not.x=b": {
			Query: meta(query.Pair{Key: "not.x", Value: "b"}, query.Pair{Key: "sources", Value: "a"}),
		},
		"q=x&threshold=1&k=50": {query.Literal("x"), retrieval.RetrieveOptions{K: 50, Threshold: 1}},
	} {
		asked = retrieveRequest{}
		if got := s.ask("GET", "/retrieve?"+raw, ""); got.status != http.StatusOK || !reflect.DeepEqual(asked, want) {
			t.Errorf("%s: status %d, asked %+v, want %+v", raw, got.status, asked, want)
		}
	}
}

func TestRetrieve_InvalidParameters(t *testing.T) {
	s := start(t, nil)
	for query, says := range map[string]string{
		"":                                 "q is missing",
		"k=3":                              "q is missing",
		"q=x&k=0":                          "k must be a whole number from 1 to 50",
		"q=x&k=51":                         "k must be a whole number",
		"q=x&threshold=1.01":               "threshold must be a number from 0 to 1",
		"q=x&threshold=NaN":                "threshold must be a number",
		"q=x&threshold=0x1p-2":             "threshold must be a number",
		"q=x&mode=auto":                    "mode must be one of dense, hybrid, keyword",
		"q=x&filter.until=2024..2025":      "filter.until takes one time, not a range",
		"q=x&filter.since=soon":            "filter.since is not a date or time",
		"q=x&filter.since=":                "filter.since is empty",
		"q=x&filter.=1":                    "A filter needs a key",
		"q=x&filter.a=1&filter.a=1":        "A filter is repeated: a chunk must match all filters, so each key takes one value",
		"q=x&filter.a=1&filter.a=2":        "A filter is repeated",
		"q=x&filter.since=1&filter.since=": "filter.since",
		"q=x&entity=comic":                 `Unknown parameter "entity". Valid parameters: q, k, threshold, mode, filter.since, filter.until, filter.KEY with any metadata key.`,
		"q=x&filter=comic":                 `Unknown parameter "filter".`,
		"q=x&query=y":                      `Unknown parameter "query".`,
		"q=x&sources=chunks":               "sources is not a filter of chunks: use filter.since, filter.until, or filter.KEY",
		"q=x&not.title=y":                  "not.title is not a filter of chunks",
		"q=x&phrase=y":                     "phrase is not a filter of chunks",
		"q=x&start_time=2024":              "start_time is not a filter of chunks",
		"q=x&filter.a=%ff":                 "percent-encoded UTF-8",
		"q=x" + strings.Repeat("&filter.a=1", maxParameters): "Too many parameters",
	} {
		if got := s.ask("GET", "/retrieve?"+query, ""); got.status != http.StatusBadRequest || got.code() != codeInvalid || !strings.Contains(got.message(), says) {
			t.Errorf("%s: %d %s", query, got.status, got.body)
		}
	}
	if got := s.ask("GET", "/retrieve?q=x&filter.since=2024&filter.until=2023", ""); !strings.Contains(string(got.body), "filter.until is before filter.since") {
		t.Errorf("dates in the wrong order: %d %s", got.status, got.body)
	}
	if got := s.ask("POST", "/retrieve?q=x", ""); got.status != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", got.status)
	}
}

func TestRetrieve_MetadataUnchanged(t *testing.T) {
	got := start(t, nil).ask("GET", "/retrieve?q=x", "")
	if !strings.Contains(strings.Join(strings.Fields(string(got.body)), ""), `"meta":{"entity":"comic","n":1.50,"urls":["a<b"]}`) {
		t.Errorf("%s", got.body)
	}
}

func TestRetrieve_NoRetriever(t *testing.T) {
	s := start(t, func(o *Options) { o.Retriever = nil })
	if got := s.ask("GET", "/retrieve?q=x", ""); got.status != http.StatusServiceUnavailable || got.code() != codeUnavailable {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func FuzzReadRetrieve(f *testing.F) {
	f.Add("q=a&filter.entity=comic&k=3&threshold=.5&mode=dense&filter.since=2024")
	f.Add("q=%zz&filter.=&&=")
	f.Fuzz(func(t *testing.T, raw string) {
		r := &http.Request{URL: &url.URL{RawQuery: raw}}
		ask, err := readRetrieve(r)
		if err != nil {
			return
		}
		if ask.K < 0 || ask.K > retrieval.MaxK || !(ask.Threshold >= 0 && ask.Threshold <= 1) || len(ask.Filter.Meta.In) > maxParameters {
			t.Fatalf("%+v", ask)
		}
		for _, pair := range ask.Filter.Meta.In {
			if pair.Key == "since" {
				t.Fatal("a time became metadata")
			}
		}
	})
}
