package retrieval_test

import (
	"testing"
	"time"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
)

func year(n int) retrieval.Window {
	return retrieval.Window{Since: time.Date(n, 1, 1, 0, 0, 0, 0, time.UTC), Until: time.Date(n+1, 1, 1, 0, 0, 0, 0, time.UTC)}
}

func contrast(t *testing.T, e *retrieval.Engine, then, now retrieval.Window, opts query.Query) *retrieval.Contrast {
	t.Helper()
	opts.Text = "garden"
	c, err := e.Contrast(t.Context(), opts, then, now)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestContrast_Shares(t *testing.T) {
	c := contrast(t, retrieval.New(diary(36, "About the garden"), nil), year(2022), year(2023), query.Query{Snippets: new(3)})
	if c.Then.Count != 12 || c.Then.Turns != 48 || c.Now.Count != 48 || c.Now.Turns != 84 {
		t.Errorf("then %d of %d, now %d of %d", c.Then.Count, c.Then.Turns, c.Now.Count, c.Now.Turns)
	}
	if want := (48.0 / 84) / (12.0 / 48); *c.Change != want || c.P > 0.001 {
		t.Errorf("change %v, p %v", *c.Change, c.P)
	}
	for name, p := range map[string]retrieval.Period{"then": c.Then, "now": c.Now} {
		if len(p.Peek.Matches) != 3 {
			t.Errorf("%s: %d matches", name, len(p.Peek.Matches))
		}
		for _, m := range p.Peek.Matches {
			if m.Time.Before(p.Since) || !m.Time.Before(p.Until) {
				t.Errorf("%s: %v is outside of %v", name, m.Time, p.Window)
			}
		}
	}
}

func TestContrast_SameWindowTwice(t *testing.T) {
	e := retrieval.New(diary(5, "About the garden"), nil)
	c := contrast(t, e, year(2023), year(2023), query.Query{})
	if c.Then.Count != 17 || c.Now.Count != 17 || *c.Change != 1 || c.P != 1 {
		t.Errorf("%+v, %+v, p %v", c.Then, c.Now, c.P)
	}
	c = contrast(t, e, year(2019), year(2023), query.Query{})
	if c.Then.Count != 0 || c.Then.Turns != 0 || c.Change != nil || c.P != 1 || c.Then.Peek == nil {
		t.Errorf("from nothing: %+v, change %v", c.Then, c.Change)
	}
	c = contrast(t, e, retrieval.Window{Until: year(2022).Until}, retrieval.Window{Since: year(2023).Since}, query.Query{})
	if c.Then.Count != 12 || c.Now.Count != 17 {
		t.Errorf("open ends: then %d, now %d", c.Then.Count, c.Now.Count)
	}
}

func TestContrast_ReversedWindow(t *testing.T) {
	reversed := retrieval.Window{Since: year(2023).Since, Until: year(2022).Since}
	for _, pair := range [][2]retrieval.Window{{reversed, year(2023)}, {year(2023), reversed}} {
		_, err := retrieval.New(kitchen(), nil).Contrast(t.Context(), query.Literal("garden"), pair[0], pair[1])
		if errs.CodeOf(err) != errs.Invalid {
			t.Errorf("got %v", err)
		}
	}
}

func TestContrast_SharedBins(t *testing.T) {
	e := retrieval.New(diary(36, "About the garden"), nil)
	month := retrieval.Window{Since: time.Date(2023, 3, 1, 0, 0, 0, 0, time.UTC), Until: time.Date(2023, 4, 1, 0, 0, 0, 0, time.UTC)}
	alone, err := e.Peek(t.Context(), query.Query{Text: "garden", Filter: query.Filter{Since: month.Since, Until: month.Until}})
	if err != nil {
		t.Fatal(err)
	}
	for _, windows := range [][2]retrieval.Window{{year(2022), month}, {month, year(2022)}} {
		c := contrast(t, e, windows[0], windows[1], query.Query{})
		if c.Then.Peek.Histogram.Bin != c.Now.Peek.Histogram.Bin || c.Then.Peek.Histogram.Bin == alone.Histogram.Bin {
			t.Errorf("then by %s, now by %s; the month alone by %s", c.Then.Peek.Histogram.Bin, c.Now.Peek.Histogram.Bin, alone.Histogram.Bin)
		}
	}
	besideNothing, twice := contrast(t, e, year(2019), month, query.Query{}), contrast(t, e, month, month, query.Query{})
	if got, want := besideNothing.Now.Peek.Histogram.Bin, twice.Now.Peek.Histogram.Bin; got != want {
		t.Errorf("beside nothing now is counted by %s, beside itself by %s", got, want)
	}
}

// The silence before and after the matches is part of a period.
func TestContrast_WholeWindows(t *testing.T) {
	e := retrieval.New(newFakeSource(1, conversationOf("Diary",
		[3]string{"2021-06-15", "The weather", "It rains."},
		[3]string{"2022-03-03", "About the garden", "It grows."},
		[3]string{"2022-04-03", "The garden again", "It still grows."},
		[3]string{"2022-11-03", "The weather", "It snows."},
		[3]string{"2023-05-03", "About the garden", "It grows."},
		[3]string{"2023-09-20", "The weather", "It rains."},
	)), nil)
	for _, c := range []struct {
		then, now retrieval.Window
		want      [2][2]string // the first and the last month of each
	}{
		{year(2022), year(2023), [2][2]string{{"2022-01-01", "2022-12-01"}, {"2023-01-01", "2023-09-01"}}}, // the archive ends
		{
			retrieval.Window{Until: year(2022).Since},
			retrieval.Window{Since: year(2022).Since},
			[2][2]string{{"2021-06-01", "2021-12-01"}, {"2022-01-01", "2023-09-01"}},
		},
		{year(2019), year(2022), [2][2]string{{}, {"2022-01-01", "2022-12-01"}}},
	} {
		got := contrast(t, e, c.then, c.now, query.Query{Bin: "month"})
		for i, p := range []retrieval.Period{got.Then, got.Now} {
			var ends [2]string
			if bins := p.Peek.Histogram.Bins; len(bins) > 0 {
				ends = [2]string{bins[0].Start.Format(time.DateOnly), bins[len(bins)-1].Start.Format(time.DateOnly)}
			}
			if ends != c.want[i] {
				t.Errorf("%v: from %q, want %q", p.Window, ends, c.want[i])
			}
		}
	}
}
