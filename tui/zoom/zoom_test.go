package zoom

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lens/retrieval"
	"lens/retrieval/timebin"
)

func utc(s string) int64 {
	for _, layout := range []string{"2006-01-02 15:04", "2006-01-02"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Unix()
		}
	}
	panic(s)
}

func at(second int64) time.Time { return time.Unix(second, 0).UTC() }

func days(from, to string) Span { return Span{From: utc(from), To: utc(to)} }

// fiveYears shows an archive of five years in 100 columns, with the cursor at its end.
func fiveYears() Zoom {
	return New(utc("2021-03-05 10:30"), utc("2026-02-10 23:10"), 120)
}

func TestSnap_WholeDaysForLongRanges(t *testing.T) {
	typed := Span{From: utc("2024-01-01 15:20"), To: utc("2024-03-31 15:20")}
	if got, want := fiveYears().Snap(typed), days("2024-01-01", "2024-04-01"); got != want {
		t.Errorf("90 days are %v, want %v", got, want)
	}
	typed.To = utc("2024-01-02 15:20")
	if got, want := fiveYears().Snap(typed), (Span{From: utc("2024-01-01 15:00"), To: utc("2024-01-02 16:00")}); got != want {
		t.Errorf("a day is %v, want %v", got, want)
	}
}

func TestZoom(t *testing.T) {
	month := func(z Zoom) Zoom { z, _ = z.MoveTo(10).Enter(); return z } // 2022-01
	do := func(ops ...func(Zoom) (Zoom, string)) func(Zoom) (Zoom, string) {
		return func(z Zoom) (Zoom, string) {
			said := ""
			for _, op := range ops {
				z, said = op(z)
			}
			return z, said
		}
	}
	quietly := func(op func(Zoom) Zoom) func(Zoom) (Zoom, string) {
		return func(z Zoom) (Zoom, string) { return op(z), "" }
	}
	for name, c := range map[string]struct {
		from   Zoom
		do     func(Zoom) (Zoom, string)
		want   Span
		unit   timebin.Unit
		cursor string
		said   string
	}{
		"initially everything, in whole days": {
			fiveYears(), do(), days("2021-03-05", "2026-02-11"), timebin.Month, "2026-02-10 23:10", "",
		},
		"enter zooms to the bin under the cursor": {
			fiveYears(), do(quietly(func(z Zoom) Zoom { return z.MoveTo(10) }), Zoom.Enter),
			days("2022-01-01", "2022-02-01"), timebin.Day, "2022-01-01", "",
		},
		"a bin at the edge of the archive is clipped": {
			fiveYears(), do(quietly(func(z Zoom) Zoom { return z.MoveTo(0) }), Zoom.Enter),
			days("2021-03-05", "2021-04-01"), timebin.Day, "2021-03-05", "",
		},
		"a brush runs from the anchor to the cursor, either way": {
			fiveYears(), do(quietly(func(z Zoom) Zoom { return z.MoveTo(12).Brush().Move(-2) }), Zoom.Enter),
			days("2022-01-01", "2022-04-01"), timebin.Week, "2022-01-01", "",
		},
		"a second v ends the brush": {
			fiveYears(), do(quietly(func(z Zoom) Zoom { return z.MoveTo(12).Brush().Move(3).Brush() }), Zoom.Enter),
			days("2022-06-01", "2022-07-01"), timebin.Day, "2022-06-01", "",
		},
		"a brush over everything does not zoom": {
			fiveYears(), do(quietly(func(z Zoom) Zoom { return z.MoveTo(0).Brush().MoveTo(99) }), Zoom.Enter),
			days("2021-03-05", "2026-02-11"), timebin.Month, "2026-02-01", "Already in view. Zoom out first",
		},
		"zooming in halves the window": {
			month(fiveYears()), do(quietly(func(z Zoom) Zoom { return z.MoveTo(15) }), Zoom.In),
			days("2022-01-08", "2022-01-24"), timebin.Day, "2022-01-16", "",
		},
		"zooming out doubles the window": {
			month(fiveYears()), do(quietly(func(z Zoom) Zoom { return z.MoveTo(15) }), Zoom.Out),
			days("2021-12-17", "2022-02-17"), timebin.Week, "2022-01-16", "",
		},
		"zooming out ends at everything": {
			fiveYears(), Zoom.Out, days("2021-03-05", "2026-02-11"), timebin.Month, "2026-02-10 23:10", "Can't zoom out further",
		},
		"panning moves by half a window": {
			month(fiveYears()), Zoom.On, days("2022-01-16", "2022-02-16"), timebin.Day, "2022-01-16", "",
		},
		"panning stops at the end of the archive": {
			fiveYears(), Zoom.Back, days("2021-03-05", "2026-02-11"), timebin.Month, "2026-02-10 23:10", "The archive ends here",
		},
		"coarser bins do not move the cursor": {
			month(fiveYears()), Zoom.Coarser, days("2022-01-01", "2022-02-01"), timebin.Week, "2022-01-01", "",
		},
		"finer bins than columns are refused": {
			month(fiveYears()), Zoom.Finer, days("2022-01-01", "2022-02-01"), timebin.Day, "2022-01-01",
			"Bins of 6 hours need 124 columns. Zoom in first",
		},
		"chosen bins stay until auto": {
			fiveYears(), do(Zoom.Coarser, quietly(Zoom.Auto)), days("2021-03-05", "2026-02-11"), timebin.Month, "2026-02-10 23:10", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			z, said := c.do(c.from)
			if z.Span != c.want || z.Unit().Unit != c.unit || z.Cursor != utc(c.cursor) || said != c.said {
				t.Errorf("got %s..%s by %s, cursor %s, %q", at(z.From), at(z.To), z.Unit(), at(z.Cursor), said)
			}
			if z.Brushes {
				t.Error("a zoom leaves no brush behind")
			}
		})
	}
}

func TestZoom_FromTheWholeArchiveToOneHour(t *testing.T) {
	z := fiveYears()
	var units []timebin.Unit
	for range 10 {
		units = append(units, z.Unit().Unit)
		z, _ = z.Enter()
	}
	if z.Width() != HourLong || units[0] != timebin.Month || units[len(units)-1] != timebin.Minute {
		t.Errorf("ten zooms end at %s..%s, through %v", at(z.From), at(z.To), units)
	}
	if _, said := Zoom.In(z); said != "Can't zoom in further" {
		t.Errorf("zooming into an hour said %q", said)
	}
}

// Every unit of the ladder can be chosen, from the coarsest to the finest; one without room says how many columns it
// needs.
func TestLadder_EachUnit(t *testing.T) {
	z := fiveYears()
	z.Columns = 200
	z.Bin = ladder[len(ladder)-1]
	want := []string{"5y", "2y", "year", "6mo", "quarter", "2mo", "month", "2w", "week", "day", "6h", "3h", "hour", "15min", "5min"}
	for i, name := range want {
		if got := z.Unit().String(); got != name {
			t.Fatalf("step %d shows bins of %s, want %s", i, got, name)
		}
		for {
			next, said := z.Finer()
			if said == "" {
				z = next
				break
			}
			if name == "5min" {
				if said != "Bins of 5 minutes are the finest" {
					t.Errorf("finer than all: %q", said)
				}
				break
			}
			if !strings.Contains(said, "columns. Zoom in first") {
				t.Fatalf("bins finer than %s: %q", name, said)
			}
			z, _ = z.In()
			z.Bin, _ = timebin.Parse(name)
		}
	}
	for i := len(want) - 2; i >= 0; i-- {
		if z, _ = z.Coarser(); z.Bin.String() != want[i] {
			t.Fatalf("coarser than %s is %s", want[i+1], z.Bin)
		}
	}
	if _, said := z.Coarser(); said != "Bins of 5 years are the coarsest" {
		t.Errorf("coarser than all: %q", said)
	}
}

func TestZoom_AutoBinsFollowTheColumns(t *testing.T) {
	z := fiveYears()
	for columns, want := range map[int]string{120: "month", 119: "2mo", 59: "quarter", 25: "6mo", 12: "year", 11: "2y", 4: "5y", 1: "5y"} {
		z.Columns = columns
		if got := z.Unit().String(); got != want {
			t.Errorf("%d columns show %s, want %s", columns, got, want)
		}
	}
	z.Bin, z.Columns = timebin.Bin{Unit: timebin.Year, N: 1}, 3
	if got := z.Unit().String(); got != "5y" {
		t.Errorf("years were asked for and there is no room: %s", got)
	}
}

func TestZoom_EmptyRefusesEverything(t *testing.T) {
	var z Zoom
	for name, op := range map[string]func(Zoom) (Zoom, string){
		"enter": Zoom.Enter, "in": Zoom.In, "out": Zoom.Out, "finer": Zoom.Finer, "coarser": Zoom.Coarser, "pan": Zoom.On,
	} {
		if _, said := op(z); said == "" {
			t.Errorf("%s says nothing", name)
		}
	}
	if z.Move(1).Brush().MoveTo(3) != z {
		t.Error("an empty zoom moves")
	}
}

// After any operations the view is inside the archive and in whole hours, the cursor is in view, and bins fit the
// columns.
func TestZoom_Invariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.Int64Range(-40*365*DayLong, 80*365*DayLong).Draw(t, "first")
		last := first + rapid.Int64Range(0, 40*365*DayLong).Draw(t, "length")
		z := New(first, last, rapid.IntRange(1, 200).Draw(t, "columns"))
		step := func(op func(Zoom) Zoom) func(*rapid.T) {
			return func(*rapid.T) { z = op(z) }
		}
		refusing := func(op func(Zoom) (Zoom, string)) func(*rapid.T) {
			return func(t *rapid.T) {
				before := z
				next, said := op(z)
				if said != "" && (next.Span != before.Span || next.Bin != before.Bin) {
					t.Fatalf("refused with %q and did it", said)
				}
				z = next
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"enter": refusing(Zoom.Enter), "in": refusing(Zoom.In), "out": refusing(Zoom.Out), "on": refusing(Zoom.On), "back": refusing(Zoom.Back),
			"finer": refusing(Zoom.Finer), "coarser": refusing(Zoom.Coarser), "all": step(Zoom.Whole),
			"auto": step(Zoom.Auto), "brush": step(Zoom.Brush), "idle": step(Zoom.Idle),
			"move":   func(t *rapid.T) { z = z.Move(rapid.IntRange(-300, 300).Draw(t, "by")) },
			"resize": func(t *rapid.T) { z.Columns = rapid.IntRange(1, 200).Draw(t, "columns") },
			"": func(t *rapid.T) {
				edges := z.Edges()
				fine := z.All.Covers(z.Span) && z.Holds(z.Cursor) && z.Width() >= HourLong && z.From%HourLong == 0 && z.To%HourLong == 0
				if !fine || len(edges) < 2 || edges[0] > z.From || edges[len(edges)-1] < z.To {
					t.Fatalf("%+v, %d edges", z, len(edges))
				}
				if n := len(edges) - 1; n > z.Columns && z.Unit().Unit != timebin.Year {
					t.Fatalf("%d bins by %s on %d columns", n, z.Unit(), z.Columns)
				}
				if from, to, ok := z.Brushed(); ok && (from >= to || from < 0 || to >= len(edges)) {
					t.Fatalf("brushed %d..%d of %d", from, to, len(edges)-1)
				}
			},
		})
	})
}

// A changed archive leaves the brush, unless that began where the archive has no turns now.
func TestGrow_KeepsTheBrush(t *testing.T) {
	first, last := time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC), time.Date(2024, 12, 30, 12, 0, 0, 0, time.UTC)
	all := New(first.Unix(), last.Unix(), 100)
	part := all.Look(Span{first.AddDate(0, 2, 0).Unix(), first.AddDate(0, 6, 0).Unix()})
	for name, view := range map[string]Zoom{"all": all, "a part": part} {
		view = view.Brush()
		view.Cursor = view.From + 40*DayLong
		from, to, _ := view.Brushed()
		if gotFrom, gotTo, ok := view.Grow(&retrieval.Overview{First: &first, Last: &last}).Brushed(); !ok || gotFrom != from || gotTo != to {
			t.Errorf("%s: the brush is %d to %d, %t, not %d to %d", name, gotFrom, gotTo, ok, from, to)
		}
		gone := first.AddDate(3, 0, 0)
		if _, _, ok := view.Grow(&retrieval.Overview{First: &gone, Last: &gone}).Brushed(); ok {
			t.Errorf("%s: a brush over nothing is left", name)
		}
	}
}
