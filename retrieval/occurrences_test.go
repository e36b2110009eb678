package retrieval_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
	"lens/store/archivetest"
	"lens/store/terms"
)

func TestPeek_Occurrences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		a := randomArchive(random, 120)
		word := func() string { return vocabulary[random.IntN(len(vocabulary))] }
		q := query.Query{
			Text: word(), TopK: new(rapid.IntRange(1, 20).Draw(t, "k")), AutoBins: rapid.IntRange(1, 60).Draw(t, "bins"),
			Mode:   rapid.SampledFrom([]query.Mode{query.Keyword, query.Hybrid, query.Dense}).Draw(t, "mode"),
			Filter: query.Filter{Branches: rapid.Bool().Draw(t, "branches")},
		}
		if rapid.Bool().Draw(t, "two words") {
			q.Text += " the " + word()
		}
		if rapid.Bool().Draw(t, "phrase") {
			q.Phrases = []string{word()}
		}
		if rapid.Bool().Draw(t, "without") {
			q.Without = []string{word()}
		}
		if rapid.Bool().Draw(t, "windowed") {
			q.Filter.Since = day("2023-01-01").AddDate(0, 0, rapid.IntRange(0, 300).Draw(t, "from"))
		}
		p, err := retrieval.New(a, &words{}).Peek(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		o := p.Occurrences
		var holding []store.Turn
		for _, turn := range a.turns {
			if holds(&turn, q) {
				holding = append(holding, turn)
			}
		}
		if o.Total != len(holding) {
			t.Fatalf("%q: %d occurrences, naively %d", q.Text, o.Total, len(holding))
		}
		if o.Bin != p.Histogram.Bin || len(o.Bins) != len(p.Histogram.Bins) {
			t.Fatalf("%d bins by %s, and %d by %s of matches", len(o.Bins), o.Bin, len(p.Histogram.Bins), p.Histogram.Bin)
		}
		left := holding
		for i, b := range o.Bins {
			if other := p.Histogram.Bins[i]; !b.Start.Equal(other.Start) || !b.End.Equal(other.End) {
				t.Fatalf("bin %v, that of the matches %v", b, other)
			}
			n := len(left)
			left = slices.DeleteFunc(left, func(turn store.Turn) bool {
				return turn.TimeSource != store.Undated && !turn.Time.Before(b.Start) && turn.Time.Before(b.End)
			})
			if n -= len(left); b.Count != n {
				t.Fatalf("%d occurrences since %v, naively %d", b.Count, b.Start, n)
			}
		}
		if o.Undated != len(left) {
			t.Fatalf("%d undated, naively %d", o.Undated, len(left))
		}
	})
}

// holds reports whether a turn passes the filter of q and holds all of its words.
func holds(turn *store.Turn, q query.Query) bool {
	has := func(text string) bool {
		p := terms.NewPhrase(text)
		return p.In(turn.UserText) || p.In(turn.AssistantText)
	}
	for _, word := range strings.Fields(q.Text) {
		if word != "the" && !has(word) {
			return false
		}
	}
	undated := turn.TimeSource == store.Undated
	return (turn.OnPath || q.Filter.Branches) &&
		(q.Filter.Since.IsZero() || !undated && !turn.Time.Before(q.Filter.Since)) &&
		!slices.ContainsFunc(q.Phrases, func(p string) bool { return !has(p) }) &&
		!slices.ContainsFunc(q.Without, has)
}

func TestPeek_OccurrencesOfForms(t *testing.T) {
	e := retrieval.New(newFakeSource(1, conversationOf("Forms",
		[3]string{"2023-01-01", "Running an error down", "Yes"},
		[3]string{"2023-02-01", "It runs without errors", "Good"},
		[3]string{"2023-03-01", "It runs", "Without an error"},
		[3]string{"2023-04-01", "An error", "Which?"},
	)), nil)
	for text, want := range map[string]int{
		"run error":          3, // any form, on either side
		"the running errors": 3,
		"error":              4,
		"missing error":      0,
	} {
		if p := peekAt(t, e, query.Literal(text)); p.Occurrences.Total != want {
			t.Errorf("%s: %d occurrences, want %d", text, p.Occurrences.Total, want)
		}
	}
	phrase := query.Query{Phrases: []string{"an error"}}
	if p := peekAt(t, e, phrase); p.Occurrences.Total != 3 {
		t.Errorf("%d occurrences of a phrase", p.Occurrences.Total)
	}
	for _, q := range []query.Query{
		{Filter: query.Filter{Since: day("2023-02-01")}},
		query.Literal("to be"),
		{Like: peekAt(t, e, phrase).Matches[0].TurnID.String()},
	} {
		if p := peekAt(t, e, q); p.Occurrences != nil {
			t.Errorf("%+v asks for no words, and has occurrences", q)
		}
	}
}

func TestPeek_OccurrencePeaks(t *testing.T) {
	e := retrieval.New(archivetest.New(t, testenv.Demo(t, demo.Options{})), nil)
	q := query.Literal("error")
	q.Bin, q.TopK = "quarter", new(20)
	p := peekAt(t, e, q)
	if p.Occurrences.Total <= 20 || len(p.Occurrences.Peaks) == 0 {
		t.Fatalf("%d occurrences with peaks %v", p.Occurrences.Total, p.Occurrences.Peaks)
	}
	explained := false
	for _, peak := range p.Occurrences.Peaks {
		explained = explained || peak.Title != "" || len(peak.Words) > 0
		n := 0
		for _, at := range p.Occurrences.Times {
			if at := time.Unix(at, 0); !at.Before(peak.Start) && at.Before(peak.End) {
				n++
			}
		}
		if n != peak.Count {
			t.Errorf("%d occurrences in %+v", n, peak)
		}
	}
	if !explained {
		t.Errorf("none of %+v is explained", p.Occurrences.Peaks)
	}
}

func peekAt(t *testing.T, e *retrieval.Engine, q query.Query) *retrieval.Peek {
	t.Helper()
	p, err := e.Peek(t.Context(), q)
	testenv.Must(t, err)
	return p
}
