package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
)

// listener is an engine that finds nothing and remembers what it was asked.
type listener struct {
	Engine
	asked    query.Query
	compared []query.Query
}

func (l *listener) Peek(_ context.Context, q query.Query) (*retrieval.Peek, error) {
	l.asked = q
	return &retrieval.Peek{}, nil
}

func (l *listener) Activity(_ context.Context, q query.Query) (*retrieval.Activity, error) {
	l.asked = q
	return &retrieval.Activity{Notice: "Some were left out."}, nil
}

// listen starts a server over a listener, with the sentences that lens serve gives to clients.
func listen(t *testing.T) (*service, *listener) {
	t.Helper()
	l := new(listener)
	return start(t, func(o *Options) {
		o.Engine = func(context.Context) (Engine, error) { return l, nil }
		o.Explain = errs.ForClient
	}), l
}

func TestPeek_Parameters(t *testing.T) {
	s, l := listen(t)
	id := uuid.MustParse(knownSession)
	texts := func(in ...string) query.Values[string] { return query.Values[string]{In: in} }
	for raw, want := range map[string]query.Query{
		"query=-django+title:x":       query.Literal("-django title:x"),
		"phrase=docker+compose":       {Phrases: []string{"docker compose"}},
		"phrase=a+b&phrase=c&query=d": {Text: "d", Phrases: []string{"a b", "c"}},
		"without=django&without=x+y":  {Without: []string{"django", "x y"}},
		"like=3f2ab81c":               {Like: "3f2ab81c"},
		"sources=claude&sources=chatgpt,gemini&title=a+b&title=c": {
			Filter: query.Filter{Sources: texts("claude", "chatgpt", "gemini"), Titles: texts("a b", "c")},
		},
		"title=a,b&not.title=c&not.sources=claude,gemini": {Filter: query.Filter{
			Titles:  query.Values[string]{In: []string{"a,b"}, Not: []string{"c"}},
			Sources: query.Values[string]{Not: []string{"claude", "gemini"}},
		}},
		"conversation_id=" + knownSession:     {Filter: query.Filter{Conversations: query.Values[uuid.UUID]{In: []uuid.UUID{id}}}},
		"not.conversation_id=" + knownSession: {Filter: query.Filter{Conversations: query.Values[uuid.UUID]{Not: []uuid.UUID{id}}}},
		"has_code=false&all_branches=true":    {Filter: query.Filter{HasCode: new(false), Branches: true}},
		"query=x&role=user&min_similarity=0":  {Text: "x", Filter: query.Filter{Role: query.User, MinSimilarity: new(0.0)}},
		"min_words=200":                       {Filter: query.Filter{MinWords: 200}},
		"meta=a=b=c&not.meta=d=e": {Filter: query.Filter{Meta: query.Values[query.Pair]{
			In: []query.Pair{{Key: "a", Value: "b=c"}}, Not: []query.Pair{{Key: "d", Value: "e"}},
		}}},
		"query=x&start_time=0001-01-01&end_time=9999-12-31":                             query.Literal("x"),
		"query=x&start_time=0001-01-01T00:00:00Z&end_time=9999-12-31T23:59:59.9999999Z": query.Literal("x"),
		"query=x&start_time=2024-05-03T14:00:00%2B02:00": {
			Text: "x", Filter: query.Filter{Since: time.Date(2024, 5, 3, 12, 0, 0, 0, time.UTC)},
		},
		"query=x+in+May+2023&dates=soft":   {Text: "x in May 2023", Dates: query.DatesSoft},
		"query=x+in+May+2023&dates=off":    {Text: "x in May 2023", Dates: query.DatesOff},
		"query=x&top_k=1&top_n_snippets=0": {Text: "x", TopK: new(1), Snippets: new(0)},
	} {
		l.asked = query.Query{}
		if got := s.ask("GET", "/retrieval/peek?"+raw, ""); got.status != http.StatusOK || !reflect.DeepEqual(l.asked, want) {
			t.Errorf("%s: %d, asked %+v, want %+v\n%s", raw, got.status, l.asked, want, got.body)
		}
	}
}

func (l *listener) Compare(_ context.Context, all []query.Query) (*retrieval.Comparison, error) {
	l.compared = all
	return &retrieval.Comparison{Peeks: []*retrieval.Peek{}}, nil
}

func TestCompare_Parameters(t *testing.T) {
	s, l := listen(t)
	got := s.ask("GET", "/retrieval/compare?query=rust&query=-python+x&title=a&bin=month&top_k=7&mode=keyword", "")
	shared := query.Query{
		Filter: query.Filter{Titles: query.Values[string]{In: []string{"a"}}}, Bin: "month", TopK: new(7), Snippets: new(1), Mode: query.Keyword,
	}
	want := []query.Query{shared, shared}
	want[0].Text, want[1].Text = "rust", "-python x"
	if got.status != http.StatusOK || !reflect.DeepEqual(l.compared, want) {
		t.Errorf("%d, compared %+v, want %+v\n%s", got.status, l.compared, want, got.body)
	}
	for raw, says := range map[string]string{
		"":                 "query is missing",
		"?query=":          "query is empty",
		"?query=a&query=+": "query is empty",
		"?query=a" + strings.Repeat("&query=x", 10): "query may be repeated up to 10 times",
		"?query=a&like=3f2a":                        "Unknown parameter",
		"?query=a&top_k=0":                          "top_k must be",
		"?query=a&query=b&role=user&mode=dense":     "a role is about words",
	} {
		if got := s.ask("GET", "/retrieval/compare"+raw, ""); got.status != http.StatusBadRequest || !strings.Contains(strings.ToLower(sentencesOf(got)), strings.ToLower(says)) {
			t.Errorf("%s: %d %s", raw, got.status, got.body)
		}
	}
}

// The comparison has what a peek of each query has, over bins that all share.
func TestCompare_SameAsPeek(t *testing.T) {
	s := start(t, nil)
	var compared retrieval.Comparison
	got := s.ask("GET", "/retrieval/compare?query=bread&query=garden&query=zeppelin&bin=month", "")
	if err := json.Unmarshal(got.body, &compared); err != nil || len(compared.Peeks) != 3 || compared.Bin != "month" {
		t.Fatalf("%v: %d %.300s", err, got.status, got.body)
	}
	for i, text := range []string{"bread", "garden", "zeppelin"} {
		var one retrieval.Peek
		if err := json.Unmarshal(s.ask("GET", "/retrieval/peek?bin=month&top_n_snippets=1&top_k=100&query="+text, "").body, &one); err != nil {
			t.Fatal(err)
		}
		p := compared.Peeks[i]
		if p.Query != text || p.Histogram.Total != one.Histogram.Total || !reflect.DeepEqual(p.Matches, one.Matches) || len(p.Histogram.Bins) != len(compared.Peeks[0].Histogram.Bins) {
			t.Errorf("%s: %d turns, a peek finds %d", text, p.Histogram.Total, one.Histogram.Total)
		}
	}
}

func TestTurns_SameAsTurn(t *testing.T) {
	s := start(t, nil)
	var found retrieval.Peek
	if err := json.Unmarshal(s.ask("GET", "/retrieval/peek?has_code=false&top_n_snippets=20", "").body, &found); err != nil || len(found.Matches) < 10 {
		t.Fatalf("%v: %d matches", err, len(found.Matches))
	}
	path, absent := "/retrieval/turns?id=ffffffff", "ffffffff"
	for _, m := range found.Matches {
		path += "&id=" + m.TurnID.String()
	}
	var read struct {
		Turns   []json.RawMessage
		Missing []string
	}
	if got := s.ask("GET", path, ""); json.Unmarshal(got.body, &read) != nil || len(read.Turns) != len(found.Matches) || len(read.Missing) != 1 || read.Missing[0] != absent {
		t.Fatalf("%d %.300s", got.status, got.body)
	}
	for i, m := range found.Matches {
		one := s.ask("GET", "/retrieval/turn/"+m.TurnID.String(), "")
		var a, b any
		if json.Unmarshal(read.Turns[i], &a) != nil || json.Unmarshal(one.body, &b) != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%s differs", m.TurnID)
		}
	}
	for raw, says := range map[string]string{
		"": "id is missing", "?id=zz": "not the start of a turn ID", "?id=ffffffff&id=zz": "not the start of a turn ID",
		"?id=ffffffff" + strings.Repeat("&id=ffffffff", retrieval.MaxTurns): "id may be repeated up to 50 times",
	} {
		if got := s.ask("GET", "/retrieval/turns"+raw, ""); got.status != http.StatusBadRequest {
			t.Errorf("%s: %d %s, want %s", raw, got.status, got.body, says)
		}
	}
}

func TestActivity_Notice(t *testing.T) {
	s, _ := listen(t)
	if got := s.ask("GET", "/retrieval/activity", ""); !strings.Contains(string(got.body), `"notice":"Some were left out."`) {
		t.Errorf("%s", got.body)
	}
	for _, name := range []string{"Activity", "Peek"} {
		if schema := readContract(t, s.OpenAPI()).Components.Schemas[name]; schema == nil || schema.Properties["notice"] == nil {
			t.Errorf("the notice of %s is not documented", name)
		}
	}
}

func TestPeek_InvalidParameters(t *testing.T) {
	s, _ := listen(t)
	zero := uuid.Nil.String()
	for raw, says := range map[string]string{
		"":                                 "the query is empty",
		"top_k=5&bin=week":                 "the query is empty",
		"conversation_id=":                 "conversation_id is empty",
		"query=x&conversation_id=":         "conversation_id is empty",
		"query=x&title=":                   "title is empty",
		"query=x&phrase=":                  "phrase is empty",
		"query=x&without=+":                "without is empty",
		"query=x&start_time=":              "start_time is empty",
		"query=x&not.tag=":                 "not.tag is empty",
		"like=":                            "like is empty",
		"query=":                           "query is empty",
		"query=&title=x":                   "query is empty",
		"query=+":                          "query is empty",
		"conversation_id=" + zero:          "conversation_id is not a complete ID: copy the conversation ID",
		"not.conversation_id=" + zero:      "not.conversation_id is not a complete ID",
		"query=x&conversation_id=3f2ab81c": "conversation_id is not a complete ID",
		"query=x&sources=web":              "sources is unknown: use one of chatgpt, claude",
		"query=x&sources=claude,":          "sources is empty: use one of",
		"query=x&has_code=maybe":           "has_code is neither true nor false",
		"query=x&min_similarity=2":         "min_similarity must be a number from 0 to 1: use a value such as 0.4",
		"query=x&min_words=few":            "min_words must be a whole number from 1 to 1000000: use a value such as 200",
		"query=x&min_words=0":              "min_words must be a whole number from 1 to 1000000",
		"query=x&not.min_words=2":          `Unknown parameter "not.min_words". Valid parameters: query, phrase,`,
		"query=x&meta=acme":                "meta must be a key and a value",
		"query=x&start_time=2024-05-03T14:00:00+02:00": "start_time has a + that was not encoded, and means a space: send %2B",
		"query=x&end_time=2024-05-03T14:00:00.5+0200":  "end_time has a + that was not encoded",
		"query=x&end_time=0001-01-01T00:00:00Z":        "end_time has nothing before it: omit it for no end",
		"query=x&start_time=0000":                      "start_time is not in the years 1 to 9999",
		"query=x&end_time=2023..2024":                  "end_time takes one time, not a range",
		"query=x&not.has_code=true":                    `Unknown parameter "not.has_code". Valid parameters: query, phrase, without, like, start_time,`,
		"query=x&%1b[31m%0ared=1":                      `Unknown parameter "␛[31m red".`,
		"query=x&" + strings.Repeat("é", 60) + "=1":    `Unknown parameter "` + strings.Repeat("é", 40) + `…".`,
		"query=x&not.role=user":                        "Unknown parameter",
		"query=x&source=claude":                        "Unknown parameter",
		"query=x&provider=openai":                      `Unknown parameter "provider"`, // the server's embedding model is fixed
		"query=x&embedding_model=use-lite":             `Unknown parameter "embedding_model"`,
		"query=x&role=user&role=assistant":             "role is repeated",
		"title=x&role=user":                            "a role says who used the words",
		"query=x&like=3f2ab81c":                        "not both",
		"phrase=!?":                                    "a phrase has no word in it",
		"query=x&mode=keyword&min_similarity=.5":       "a similarity is about vectors",
		"query=x&start_time=2024&end_time=2023":        "the window is empty",
		"query=x&dates=hard":                           "dates must be one of off, soft",
		"query=x&start_time=2020..2021&end_time=2019":  "the window is empty",
		"query=x&title=" + strings.Repeat("x", 1025):   "title has a value longer than 1 KiB: shorten it",
		"query=x" + manyTitles(33):                     "title has more than 32 values",
		"query=x" + strings.Repeat("&without=x", 33):   "33 phrases and exclusions, at most 32 allowed",
	} {
		got := s.ask("GET", "/retrieval/peek?"+raw, "")
		if got.status != http.StatusBadRequest || got.code() != codeInvalid || !strings.Contains(strings.ToLower(sentencesOf(got)), strings.ToLower(says)) {
			t.Errorf("%s: %d %s, want %q", raw, got.status, got.body, says)
		}
	}
	chat := start(t, func(o *Options) { o.Investigate = asking(words("no")) })
	if got := chat.ask("POST", "/chat", `{"conversation_id":"`+zero+`",`+emptyQuestion[1:]); got.code() != codeInvalid {
		t.Errorf("an investigation of conversation %s: %d %s", zero, got.status, got.body)
	}
}

// sentencesOf returns the message and the hint of an error as people read them: "message: hint".
func sentencesOf(got answer) string {
	var e errorBody
	_ = json.Unmarshal(got.body, &e)
	return strings.TrimSuffix(e.Error.Message, ".") + ": " + e.Error.Hint
}

// manyTitles returns n parameters, every other one of which leaves out.
func manyTitles(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "&%stitle=x%d", []string{"", excludePrefix}[i%2], i)
	}
	return b.String()
}

// TestFilters_EveryFilterIsAParameter needs no change for a new row of the table.
func TestFilters_EveryFilterIsAParameter(t *testing.T) {
	s, l := listen(t)
	documented := readContract(t, s.OpenAPI())
	for _, d := range query.Filters {
		value := d.Example
		switch d.Kind {
		case query.Switch:
			value = "true"
		case query.ID:
			value = knownSession
		}
		for _, name := range []string{d.Param, excludePrefix + d.Param} {
			if name != d.Param && !d.Excludable() {
				continue
			}
			l.asked = query.Query{}
			got := s.ask("GET", "/retrieval/peek?query=x&"+name+"="+url.QueryEscape(value), "")
			if got.status != http.StatusOK || len(d.Strings(l.asked.Filter)) != 1 {
				t.Errorf("peek with %s=%s: %d %s, asked %+v", name, value, got.status, got.body, l.asked)
			}
			l.asked = query.Query{}
			got = s.ask("GET", "/retrieval/activity?"+name+"="+url.QueryEscape(value), "")
			if counts := got.status == http.StatusOK && len(d.Strings(l.asked.Filter)) == 1; counts == d.SearchOnly {
				t.Errorf("activity with %s=%s: %d %s, asked %+v", name, value, got.status, got.body, l.asked)
			}
			if !isDocumented(documented, "/retrieval/peek", name) || isDocumented(documented, "/retrieval/activity", name) == d.SearchOnly {
				t.Errorf("%s is not documented where it is taken", name)
			}
			if got := s.ask("GET", "/retrieve?q=x&"+name+"="+url.QueryEscape(value), ""); got.status != http.StatusBadRequest {
				t.Errorf("/retrieve with %s: %d", name, got.status)
			}
		}
	}
}

func isDocumented(c *contract, path, name string) bool {
	for _, p := range c.Paths[path]["get"].Parameters {
		if p.Name == name {
			return true
		}
	}
	return false
}
