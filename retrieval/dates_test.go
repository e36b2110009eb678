package retrieval_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/retrieval/rank"
	"lens/store"
)

// baker is an archive of one turn about bread in each month of 2021 to 2023, on the 10th, which is old by now.
func baker() *fakeSource {
	var turns []store.Turn
	for month := range 36 {
		turns = append(turns, store.Turn{
			Conversation: uuid.NewSHA1(uuid.Nil, []byte{byte(month)}), OnPath: true,
			Time:     time.Date(2021, time.Month(1+month), 10, 12, 0, 0, 0, time.UTC),
			UserText: "Which bread shall I bake?", AssistantText: "A bread of rye.",
		})
	}
	return newFakeSource(1, turns)
}

// months returns the months of matches.
func months(p *retrieval.Peek, n int) []string {
	var all []string
	for _, m := range p.Matches[:n] {
		all = append(all, m.Time.Format("2006-01"))
	}
	slices.Sort(all)
	return all
}

func TestPeek_Dates(t *testing.T) {
	for _, c := range []struct {
		text  string
		first []string // of the matches, in order of time
		dates string   // text, from and to
	}{
		{"bread", nil, ""},
		{"bread in May 2022", []string{"2022-05", "2022-06"}, "May 2022 2022-05-01 2022-06-15"},
		{"bread on 11 May 2022", []string{"2022-05"}, "11 May 2022 2022-05-09 2022-05-26"},
		{"bread in May", []string{"2021-05", "2022-05", "2023-05"}, "May 2021-05-01 2023-06-15"},
		{"bread last summer", []string{"2023-06", "2023-07", "2023-08", "2023-09"}, "last summer 2023-06-01 2023-09-15"},
		{"bread since November 2023", []string{"2023-11", "2023-12"}, "since November 2023 2023-11-01 -"},
		{"bread before March 2021", []string{"2021-01", "2021-02"}, "before March 2021 - 2021-03-01"},
		{"bread in 2021 or May 2023", append(monthsOf(2021), "2023-05", "2023-06"), "2021, May 2023 2021-01-01 2023-06-15"},
		{"bread in May 2023 or in 2021", append(monthsOf(2021), "2023-05", "2023-06"), "May 2023, 2021 2021-01-01 2023-06-15"},
		{"bread in May 2018", nil, ""},
		{"bread of 3 May 2022, 4 May 2022, 5 May 2022, 6 May 2022 and 7 May 2022", nil, ""},
	} {
		for _, mode := range []query.Mode{query.Keyword, query.Hybrid} {
			p := peek(t, retrieval.New(baker(), &words{}), c.text, query.Query{Dates: query.DatesSoft, Mode: mode, Snippets: new(36)})
			if len(p.Matches) != 36 {
				t.Fatalf("%q, %s: %d turns are found", c.text, mode, len(p.Matches))
			}
			if got := months(p, len(c.first)); !slices.Equal(got, c.first) {
				t.Errorf("%q, %s: %v are first, want %v", c.text, mode, got, c.first)
			}
			if !slices.IsSortedFunc(p.Matches, func(a, b retrieval.Match) int { return -compareScores(a, b) }) {
				t.Errorf("%q, %s: scores are out of order", c.text, mode)
			}
			if got := shownDates(p.Dates); got != c.dates {
				t.Errorf("%q, %s: dates %q, want %q", c.text, mode, got, c.dates)
			}
			if noted := strings.Contains(p.Notice, "rank higher"); noted != (c.dates != "") {
				t.Errorf("%q, %s: the notice is %q", c.text, mode, p.Notice)
			}
		}
	}
}

func TestPeek_DateBonus(t *testing.T) {
	e := retrieval.New(baker(), nil)
	score := func(text string, month string, dates query.Dates) float64 {
		p := peek(t, e, text, query.Query{Dates: dates, Mode: query.Keyword, Snippets: new(36)})
		i := slices.IndexFunc(p.Matches, func(m retrieval.Match) bool { return m.Time.Format("2006-01") == month })
		return *p.Matches[i].Score
	}
	for _, c := range []struct {
		text, month string
		share       float64
	}{
		{"bread in May 2022", "2022-05", 1},
		{"bread in May 2022", "2022-06", 4.5 / 14},
		{"bread in May 2022", "2022-07", 0},
		{"bread since 2022", "2023-12", 1},
		{"bread in May 2022 or on 12 May 2022", "2022-05", 1}, // the greatest of both
	} {
		got := score(c.text, c.month, query.DatesSoft) - score(c.text, c.month, query.DatesOff)
		if want := c.share * rank.KeyWords().Weights.Date; math.Abs(got-want) > 1e-9 {
			t.Errorf("%q: %s gets %v, want %v", c.text, c.month, got, want)
		}
	}
}

func compareScores(a, b retrieval.Match) int {
	switch {
	case *a.Score < *b.Score:
		return -1
	case *a.Score > *b.Score:
		return 1
	}
	return 0
}

func monthsOf(year int) (all []string) {
	for month := time.January; month <= time.December; month++ {
		all = append(all, time.Date(year, month, 1, 0, 0, 0, 0, time.UTC).Format("2006-01"))
	}
	return all
}

func shownDates(d *retrieval.Dates) string {
	if d == nil {
		return ""
	}
	shown := []string{d.Text}
	for _, t := range []*time.Time{d.From, d.To} {
		if t == nil {
			shown = append(shown, "-")
		} else {
			shown = append(shown, t.Format(time.DateOnly))
		}
	}
	return strings.Join(shown, " ")
}

// What does not ask for dates, has a window of its own or ranks nothing by words is as it is without them.
func TestPeek_DatesOff(t *testing.T) {
	e := retrieval.New(baker(), &words{})
	window := query.Filter{Since: day("2021-02-01")}
	for name, q := range map[string]query.Query{
		"not asked for":    {},
		"off":              {Dates: query.DatesOff},
		"a window":         {Dates: query.DatesSoft, Filter: window},
		"an end":           {Dates: query.DatesSoft, Filter: query.Filter{Until: day("2023-12-01")}},
		"by meaning alone": {Dates: query.DatesSoft, Mode: query.Dense},
	} {
		plain := q
		plain.Dates = ""
		got, want := peek(t, e, "bread in May 2022", q), peek(t, e, "bread in May 2022", plain)
		if got.Dates != nil || !slices.Equal(titlesAndDates(got), titlesAndDates(want)) {
			t.Errorf("%s: dates %v", name, got.Dates)
		}
	}
	leftOut := query.Query{Dates: query.DatesSoft, Filter: query.Filter{Conversations: query.Values[uuid.UUID]{
		In: []uuid.UUID{uuid.NewSHA1(uuid.Nil, []byte{0})}, // of January 2021
	}}}
	if p := peek(t, e, "bread in May 2022", leftOut); p.Dates != nil || strings.Contains(p.Notice, "rank higher") {
		t.Errorf("turns that the filter leaves out rank higher: %q", p.Notice)
	}
	phrase := query.Query{Text: "bread", Phrases: []string{"in May 2022"}, Dates: query.DatesSoft}
	if p, err := e.Peek(t.Context(), phrase); err != nil || p.Dates != nil {
		t.Errorf("a phrase names %v, %v", p.Dates, err)
	}
	if _, err := e.Peek(t.Context(), query.Query{Text: "bread", Dates: "hard"}); err == nil {
		t.Error("an unknown value passes")
	}
}

// Off takes a date for words, which the archive may not have. Without it, turns about the rest are all that is sought.
func TestPeek_DatesOffAreWords(t *testing.T) {
	confidence := func(dates query.Dates) float64 {
		return *peek(t, retrieval.New(baker(), nil), "bread of rye in May 2022", query.Query{Dates: dates}).Coverage.Confidence
	}
	off, none, soft := confidence(query.DatesOff), confidence(""), confidence(query.DatesSoft)
	if off >= none || none != soft {
		t.Errorf("confidence is %v off, %v without it and %v soft", off, none, soft)
	}
}

// A month says when: a turn that has its name is not what is sought.
func TestPeek_MonthIsNoWord(t *testing.T) {
	e := retrieval.New(newFakeSource(1, slices.Concat(
		conversationOf("Rye", [3]string{"2022-04-10", "Which bread shall I bake?", "A bread of rye."}),
		conversationOf("Name", [3]string{"2022-09-10", "April, April: whose name is that?", "April is a name, and a month."}),
	)), nil)
	for text, want := range map[string]int{"bread in April": 1, "bread in April 2022": 2, "in April": 1} {
		p := peek(t, e, text, query.Query{Mode: query.Keyword, Dates: query.DatesSoft})
		if got := len(p.Matches); got != want {
			t.Errorf("%q: %d matches, want %d", text, got, want)
		}
	}
}

func TestPeek_DateNotices(t *testing.T) {
	e := retrieval.New(baker(), nil)
	for text, want := range map[string]string{
		"bread in May 2022":             "Turns from 2022-05-01 to 2022-05-31 rank higher, and to a lesser degree those from the 14 days after: the query says “May 2022”.",
		"bread in May":                  "Turns from 1 May to 31 May of any year rank higher, and to a lesser degree those from the 14 days after: the query says “May”.",
		"bread on 11 May 2022":          "Turns of 2022-05-11 rank higher, and to a lesser degree those from the 2 days before and the 14 days after: the query says “11 May 2022”.",
		"bread since 2023":              "Turns since 2023-01-01 rank higher: the query says “since 2023”.",
		"bread before 2022":             "Turns until 2021-12-31 rank higher: the query says “before 2022”.",
		"bread in May 2022, June 2023?": "Turns near these dates rank higher: the query says “May 2022, June 2023”.",
	} {
		if got := peek(t, e, text, query.Query{Mode: query.Keyword, Dates: query.DatesSoft}).Notice; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// JSON has no year 10000, in which the bin and the window of a turn on the last day of 9999 end.
func TestPeek_LastDayOfAll(t *testing.T) {
	e := retrieval.New(newFakeSource(1, conversationOf("Far",
		[3]string{"9999-12-31", "Bread at the end of time", "It is stale."},
		[3]string{"0001-01-01", "Bread at the beginning", "It is fresh."},
	)), nil)
	for _, bin := range []string{"year", "auto", "99999d"} {
		p := peek(t, e, "bread in December", query.Query{Dates: query.DatesSoft, Bin: bin})
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatalf("bins of %s: %v", bin, err)
		}
		n := 0
		for _, b := range p.Histogram.Bins {
			n += b.Count
		}
		if n != 2 {
			t.Errorf("bins of %s have %d turns, want 2: %.200s", bin, n, text)
		}
	}
}
