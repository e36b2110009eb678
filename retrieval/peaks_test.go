package retrieval_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
)

// diary has four turns a month about one of two topics, over two years, and burst more in May 2023.
func diary(burst int, text string) *fakeSource {
	var turns []store.Turn
	add := func(date time.Time, text string) {
		turns = append(turns, conversationOf(fmt.Sprint("day ", len(turns)), [3]string{date.Format(time.DateOnly), text, "I see."})...)
	}
	for month := range 24 {
		first := time.Date(2022, time.Month(1+month), 1, 0, 0, 0, 0, time.UTC)
		for week := range 4 {
			add(first.AddDate(0, 0, 7*week), []string{"About the garden", "About work", "About work", "About work"}[week])
		}
	}
	for i := range burst {
		add(time.Date(2023, 5, 1+i%28, 0, 0, 0, 0, time.UTC), text)
	}
	return newFakeSource(1, turns)
}

func TestPeek_Peaks(t *testing.T) {
	opts := query.Query{TopK: new(1000), Bin: "month", Snippets: new(0)}
	if p := peek(t, retrieval.New(diary(40, "About work"), nil), "garden", opts); len(p.Peaks) != 0 {
		t.Errorf("a month with much work has a peak of garden: %+v", p.Peaks)
	}
	p := peek(t, retrieval.New(diary(12, "About the garden"), nil), "garden", opts)
	if len(p.Peaks) != 1 {
		t.Fatalf("peaks: %+v", p.Peaks)
	}
	got := p.Peaks[0]
	if got.Start != time.Date(2023, 5, 1, 0, 0, 0, 0, time.UTC) || got.End != time.Date(2023, 6, 1, 0, 0, 0, 0, time.UTC) {
		t.Errorf("from %v to %v", got.Start, got.End)
	}
	if got.Count != 13 || got.Baseline != 16 || got.Share != 13.0/16 || got.Expected > 6 || got.P > 0.001 {
		t.Errorf("%+v", got)
	}
}

func TestPeek_PeakWithinWindow(t *testing.T) {
	e := retrieval.New(diary(12, "About the garden"), nil)
	opts := query.Query{TopK: new(1000), Bin: "month", Filter: query.Filter{Since: day("2023-05-01").Add(-12 * time.Hour), Until: day("2023-06-01")}}
	if p := peek(t, e, "garden", opts); len(p.Peaks) != 0 {
		t.Errorf("a uniform burst has peaks: %+v", p.Peaks)
	}
	opts = query.Query{Filter: query.Filter{Conversations: query.Values[uuid.UUID]{In: []uuid.UUID{uuid.NewSHA1(uuid.Nil, []byte("day 0"))}}}}
	if p := peek(t, e, "garden", opts); len(p.Peaks) != 0 || p.Peaks == nil {
		t.Errorf("one conversation: %+v", p.Peaks)
	}
}

func TestPeek_FirstMentionBeyondTopK(t *testing.T) {
	a := diary(0, "")
	p := peek(t, retrieval.New(a, nil), "garden", query.Query{TopK: new(3)})
	m := p.Mentions
	if len(p.Times) != 3 || m.Count != 24 || p.Coverage.Matching != 24 {
		t.Fatalf("%d found, %d mentions of %d that match", len(p.Times), m.Count, p.Coverage.Matching)
	}
	if date := m.First.Time.Format(time.DateOnly); date != "2022-01-01" || a.turns[m.First.TurnID].UserText != "About the garden" {
		t.Errorf("first on %s: %s", date, a.turns[m.First.TurnID].UserText)
	}
	if date := m.Last.Time.Format(time.DateOnly); date != "2023-12-01" {
		t.Errorf("last on %s", date)
	}
	if s := m.Silence; s.Until.Sub(s.Since) != 31*24*time.Hour || s.Turns != 3 || s.Since.Format(time.DateOnly) != "2022-01-01" {
		t.Errorf("longest silence: got %+v, want January 2022", s)
	}
}

func TestPeek_Mentions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		a := randomArchive(random, 80)
		text := vocabulary[random.IntN(len(vocabulary))] + " " + vocabulary[random.IntN(len(vocabulary))]
		opts := query.Query{Text: text, TopK: new(rapid.IntRange(1, 40).Draw(t, "k")), Snippets: new(100), Filter: query.Filter{Branches: rapid.Bool().Draw(t, "branches")}}
		if rapid.Bool().Draw(t, "windowed") {
			opts.Filter.Since = day("2023-01-01").AddDate(0, 0, rapid.IntRange(0, 300).Draw(t, "from"))
		}
		p, err := retrieval.New(a, nil).Peek(t.Context(), opts)
		if err != nil {
			t.Fatal(err)
		}
		times, count := mentionedIn(a, p, opts, strings.Fields(text))
		m := p.Mentions
		if m.Count != count || (m.First == nil) != (len(times) == 0) {
			t.Fatalf("%d mentions, not %d: %+v", m.Count, count, m)
		}
		if len(times) > 0 && (!m.First.Time.Equal(times[0]) || !m.Last.Time.Equal(times[len(times)-1])) {
			t.Fatalf("%v to %v, not %v to %v", m.First, m.Last, times[0], times[len(times)-1])
		}
		longest := time.Duration(0)
		for i := 1; i < len(times); i++ {
			longest = max(longest, times[i].Sub(times[i-1]))
		}
		if (m.Silence == nil) != (longest < 24*time.Hour) || m.Silence != nil && m.Silence.Until.Sub(m.Silence.Since) != longest {
			t.Fatalf("silence %+v, longest %v", m.Silence, longest)
		}
	})
}

// mentionedIn finds the mentions of words one by one: their ascending times, and their number with undated ones.
func mentionedIn(a *fakeSource, p *retrieval.Peek, opts query.Query, words []string) (times []time.Time, count int) {
	for _, turn := range a.turns {
		match := slices.ContainsFunc(p.Matches, func(m retrieval.Match) bool { return m.TurnID == turn.ID })
		text := turn.UserText + " " + turn.AssistantText
		whole := !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
		undated := turn.TimeSource == store.Undated
		passes := (turn.OnPath || opts.Filter.Branches) &&
			(opts.Filter.Since.IsZero() || !undated && !turn.Time.Before(opts.Filter.Since))
		if !passes || !match && !whole {
			continue
		}
		count++
		if !undated {
			times = append(times, turn.Time)
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	return times, count
}

func TestPeek_ShareAtMostOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := randomArchive(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3)), 100)
		opts := query.Query{Text: "sourdough oven", TopK: new(1000), Bin: rapid.SampledFrom([]string{"day", "month"}).Draw(t, "bin"), Filter: query.Filter{Branches: rapid.Bool().Draw(t, "branches")}}
		p, err := retrieval.New(a, nil).Peek(t.Context(), opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range p.Histogram.Bins {
			if b.Count > b.Baseline || b.Baseline > 0 && b.Share != float64(b.Count)/float64(b.Baseline) || b.Baseline == 0 && b.Share != 0 {
				t.Fatalf("%+v", b)
			}
		}
	})
}
