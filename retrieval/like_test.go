package retrieval_test

import (
	"fmt"
	"slices"
	"testing"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
)

func like(t *testing.T, e *retrieval.Engine, prefix string, opts query.Query) *retrieval.Peek {
	t.Helper()
	opts.Like = prefix
	p, err := e.Peek(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLike_NeverFindsItself(t *testing.T) {
	a := kitchen()
	id := turnWith(t, a, "Can a sourdough")
	for mode, resolved := range map[query.Mode]query.Mode{
		query.Auto: query.Dense, query.Dense: query.Dense, query.Hybrid: query.Hybrid, query.Keyword: query.Keyword,
	} {
		p := like(t, retrieval.New(a, nil), id.String()[:8], query.Query{Mode: mode})
		if p.Mode != resolved || p.Like != id || p.Query != "" || p.Notice != "" {
			t.Errorf("%s: mode %s, like %s, query %q, notice %q", mode, p.Mode, p.Like, p.Query, p.Notice)
		}
		if len(p.Matches) == 0 || slices.ContainsFunc(p.Matches, func(m retrieval.Match) bool { return m.TurnID == id }) {
			t.Errorf("%s: %v", mode, titlesAndDates(p))
		}
		if got := p.Matches[0].Title; got != "Bread" && got != "Later" {
			t.Errorf("%s: nearest is %s", mode, got)
		}
		if p.Coverage.Candidates != 6 {
			t.Errorf("%s: %d other candidates", mode, p.Coverage.Candidates)
		}
	}
}

func TestLike_FillsTopK(t *testing.T) {
	a := kitchen()
	p := like(t, retrieval.New(a, nil), turnWith(t, a, "Can a sourdough").String(), query.Query{TopK: new(2)})
	if p.Histogram.Total != 2 || !p.Coverage.Truncated {
		t.Errorf("%d found, truncated %v", p.Histogram.Total, p.Coverage.Truncated)
	}
}

func TestLike_TurnWithoutVector(t *testing.T) {
	a := kitchen()
	id := turnWith(t, a, "thanks for the sourdough").String() // has no reply
	p := like(t, retrieval.New(a, nil), id, query.Query{})
	if p.Mode != query.Keyword || p.Notice == "" || len(p.Matches) == 0 {
		t.Errorf("mode %s, notice %q, %v", p.Mode, p.Notice, titlesAndDates(p))
	}
	_, err := retrieval.New(a, nil).Peek(t.Context(), query.Query{Like: id, Mode: query.Dense})
	if errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("dense: %v", err)
	}
}

func TestLike_FailingVectorRead(t *testing.T) {
	a := kitchen()
	a.fail = errDown
	_, err := retrieval.New(a, nil).Peek(t.Context(), query.Query{Like: turnWith(t, a, "Can a sourdough").String()})
	if errs.CodeOf(err) != errs.Internal {
		t.Errorf("got %v", err)
	}
}

func TestLike_InvalidTurn(t *testing.T) {
	e := retrieval.New(kitchen(), nil)
	for prefix, want := range map[string]errs.Code{"": "invalid", "bread": "invalid", "ffffffff": "not_found"} {
		if _, err := e.Peek(t.Context(), query.Query{Like: prefix}); errs.CodeOf(err) != want {
			t.Errorf("%q: %v", prefix, err)
		}
	}
	if _, err := e.Peek(t.Context(), query.Query{Like: "ffffffff", TopK: new(-1)}); errs.CodeOf(err) != errs.Invalid {
		t.Errorf("options: %v", err)
	}
}

// A model that does not read a turn finds all in its language alike.
func TestLike_TurnThatTheModelDoesNotRead(t *testing.T) {
	a := household()
	a.generations[0].Model = "use-lite"
	for name, c := range map[string]struct {
		turn        string
		asked, want query.Mode
	}{
		"German": {"Welche", query.Auto, query.Keyword}, "German, by meaning": {"Welche", query.Dense, query.Dense},
		"English": {"What does", query.Auto, query.Dense},
	} {
		p := like(t, retrieval.New(a, nil), turnWith(t, a, c.turn).String(), query.Query{Mode: c.asked})
		if said := p.Language != ""; p.Mode != c.want || said != (c.want == query.Keyword) {
			t.Errorf("%s: mode %s, notice %q", name, p.Mode, p.Notice)
		}
	}
}

// Of a turn that is like few others, not all of the archive is similar.
func TestLike_OnlyWhatIsSimilar(t *testing.T) {
	var turns []store.Turn
	for i := range 60 {
		subject, on := "bicycle frame and wheel", "2023-06-01"
		if i < 5 {
			subject, on = "sourdough bread and rye", "2023-01-01"
		}
		turns = append(turns, conversationOf(fmt.Sprint("Chat ", i), [3]string{on, fmt.Sprint("Tell me ", i, " of ", subject), "All of " + subject})...)
	}
	e := retrieval.New(newFakeSource(1, turns), nil)
	p := like(t, e, turns[0].ID.String(), query.Query{})
	if p.Histogram.Total != 4 || p.Coverage.Faint || p.Coverage.Truncated {
		t.Errorf("%d found, in %+v", p.Histogram.Total, p.Coverage)
	}
	if p := like(t, e, turns[0].ID.String(), query.Query{Filter: query.Filter{MinSimilarity: new(0.)}}); p.Histogram.Total != 59 {
		t.Errorf("with a least cosine: %d", p.Histogram.Total)
	}
	later := query.Query{Filter: query.Filter{Since: day("2023-03-01")}}
	if p := like(t, e, turns[0].ID.String(), later); p.Histogram.Total != 0 {
		t.Errorf("in months of something else: %d", p.Histogram.Total)
	}
	turns[5].UserText, turns[5].AssistantText = turns[0].UserText, turns[0].AssistantText
	if p := like(t, retrieval.New(newFakeSource(1, turns), nil), turns[0].ID.String(), query.Query{}); p.Histogram.Total != 5 {
		t.Errorf("with a copy: %d", p.Histogram.Total)
	}
}
