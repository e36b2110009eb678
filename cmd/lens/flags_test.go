package main

import (
	"testing"

	"lens/retrieval/query"
)

func TestModelFor_QueryThatNeedsItMost(t *testing.T) {
	words := func(mode query.Mode) query.Query { return query.Query{Text: "bread", Mode: mode} }
	filtered := query.Query{Filter: query.Filter{Branches: true}, Mode: query.Dense}
	role := query.Query{Text: "bread", Filter: query.Filter{Role: query.User}, Mode: query.Hybrid}
	for _, c := range []struct {
		queries []query.Query
		want    query.Mode
	}{
		{nil, query.Keyword},
		{[]query.Query{words(query.Dense)}, query.Dense},
		{[]query.Query{words(query.Dense), filtered}, query.Dense},
		{[]query.Query{filtered, words(query.Dense)}, query.Dense},
		{[]query.Query{filtered, role}, query.Keyword},
		{[]query.Query{role, words(query.Auto), filtered}, query.Auto},
		{[]query.Query{{Like: "3f2a", Mode: query.Dense}}, query.Auto},
		{[]query.Query{words(query.Keyword)}, query.Keyword},
	} {
		if got := modelFor(c.queries...); got != c.want {
			t.Errorf("%v: %s, want %s", c.queries, got, c.want)
		}
	}
}
